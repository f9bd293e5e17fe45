import type { Locator, Page } from '@playwright/test';
import {
  createContent,
  createContentAssignment,
  deleteContent,
  deleteContentAssignment,
  listContents,
} from '#contract/contents.ts';
import { createUpload } from '#contract/files.ts';
import { buildActivity, buildAssignment, buildContentItem } from '#test/factories/curriculum.ts';
import { pdfOf } from '#test/factories/files.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { expectAccessible, expectAccessibleEverywhere } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { enter } from './learning-people.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { chooseInRow } from './row-menus.ts';
import { expect, signIn, test } from './support.ts';
import { toast } from './toasts.ts';
import { tryAgain } from './try-again.ts';

const adminEmail = 'ada@contents.example';
const longTitle = `Substation ${'visit and inspection '.repeat(8)}${'x'.repeat(60)}`;

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(adminEmail);
});
test.afterAll(() => instance.stop());

test('CONT-01 CONT-02 CONT-03 CONT-04 CONT-05 CONT-36 CONT-38 ERR1-06 activities stand in a panel of their own; the chosen one shows what it holds', async ({
  page,
  openWindow,
}) => {
  const { db } = instance;
  await db.deleteFrom('trainingActivities').execute();
  const facts = { weekNumber: 2, deliveryPartner: 'Grid Partners', sessionDate: '2026-03-09' };
  const activity = await buildActivity(db, { title: longTitle, moduleName: 'Case Management', ...facts });
  await buildActivity(db, { title: 'Earlier', weekNumber: 1 });
  const second = await buildContentItem(db, { trainingActivityId: activity.id, title: 'Second', orderIndex: 2 });
  await buildContentItem(db, { trainingActivityId: activity.id, title: 'First', orderIndex: 1 });
  await buildAssignment(db, { contentItemId: second.id, title: 'Write it down' });
  await db
    .insertInto('trainingActivities')
    .values(Array.from({ length: 150 }, (_, n) => ({ title: `Later ${n}`, weekNumber: 20 })))
    .execute();
  await open(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Content Management' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Content Management' })).toHaveAttribute('aria-current', 'page');
  const panel = page.getByRole('list', { name: 'Training activities' });
  const entries = panel.getByRole('button');
  await expect(entries.nth(0)).toHaveText(/Earlier\s*Week 1/);
  await expect(entries.nth(1)).toContainText('Week 2');
  await expect(entries.nth(1)).toContainText('Case Management');
  expect((await panel.locator('..').boundingBox())?.height).toBe(600);
  await entries.nth(1).press('Enter');
  const detail = page.getByRole('region', { name: 'Contents of the activity' });
  await expect(detail.getByRole('heading', { level: 2 })).toContainText('Substation visit');
  await expect(detail.getByText('Week 2 · Grid Partners · Mon 9 Mar 2026')).toBeVisible();
  await expect(detail.getByRole('heading', { level: 3 })).toHaveText(['First', 'Second']);
  await expect(detail.getByRole('list', { name: 'Assignments of Second' })).toContainText('Write it down');
  await detail.getByRole('button', { name: 'Move Second up' }).click();
  await expect(detail.getByRole('heading', { level: 3 })).toHaveText(['Second', 'First']);
  await expectAccessibleEverywhere(page);

  await failWith(page, listContents.path.replace(':id', activity.id), 'Reading went wrong.', 404);
  await page.reload();
  const failure = page.getByRole('alert').filter({ hasText: 'Load Error' });
  await expect(failure).toContainText('Reading went wrong.');
  await tryAgain(page, `**${listContents.path.replace(':id', activity.id)}`, {
    button: failure.getByRole('button', { name: 'Try again' }),
  });
  await expect(detail.getByRole('heading', { level: 3 })).toHaveText(['Second', 'First']);

  const foreign = await openWindow();
  await enter(foreign, instance, await buildCoach(db));
  await foreign.goto(`${instance.url}/admin/content-management`);
  await expect(foreign.getByText("You don't have permission to access content management.")).toBeVisible();
});

test('on a phone the activities scroll with the page, and the chosen one takes their place until one goes back', async ({
  page,
}) => {
  await buildActivity(instance.db, { title: 'Insulators', weekNumber: 1 });
  const activity = await buildActivity(instance.db, { title: 'Switchgear', weekNumber: 2 });
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page);
  const list = page.getByRole('list', { name: 'Training activities' });
  const detail = page.getByRole('region', { name: 'Contents of the activity' });
  await expect(list.getByRole('button', { name: /^Switchgear/ })).toBeVisible();
  const isScroller = await list.locator('..').evaluate((box) => box.scrollHeight > box.clientHeight);
  expect(isScroller, 'a box that scrolls in the page').toBe(false);
  await expect(detail).toHaveCount(0);
  await list.getByRole('button', { name: /^Switchgear/ }).click();
  await expect(detail.getByRole('heading', { level: 2, name: 'Switchgear' })).toBeVisible();
  await expect(list).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expectAccessible(page);
  await page.goBack();
  await list.getByRole('button', { name: /^Switchgear/ }).click();
  expect(new URL(page.url()).searchParams.get('activity')).toBe(activity.id);
  await page.getByRole('button', { name: 'All activities' }).click();
  await expect(list.getByRole('button', { name: /^Insulators/ })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('CONT-06 CONT-07 CONT-08 CONT-09 CONT-10 CONT-11 CONT-12 CONT-13 CONT-18 CONT-21 CONT-23 CONT-24 CONT-28 CONT-29 CONT-30 CONT-31 CONT-33 ERR1-06 ERR1-09 contents with a file and assignments are added, then edited', async ({
  page,
}) => {
  const activity = await buildActivity(instance.db, { title: 'Arc flash' });
  await open(page, activity.id);
  const detail = page.getByRole('region', { name: 'Contents of the activity' });
  await expect(detail.getByRole('button', { name: 'Add Assignment' })).toBeDisabled();
  await detail.getByRole('button', { name: 'Add Content' }).click();
  const form = page.getByRole('dialog', { name: 'Add Content' });
  const title = form.getByRole('textbox', { name: 'Title' });
  const type = form.getByRole('combobox', { name: 'Content type' });
  const order = form.getByRole('textbox', { name: 'Order' });
  const minutes = form.getByRole('textbox', { name: 'Estimated minutes' });
  await expect(type).toHaveValue('Reading');
  await expect(order).toHaveValue('1');
  await expect(minutes).toHaveValue('30');
  await expect(form.getByRole('switch', { name: 'Required' })).toBeChecked();
  expect(await optionsOf(page, type)).toEqual([
    'Reading',
    'Video',
    'Assignment',
    'Link task',
    'Certificate',
    'Quiz',
    'Project',
  ]);
  await choose(page, type, 'Link task');
  await order.fill('0');
  await minutes.fill('');
  await form.getByRole('button', { name: 'Create content' }).click();
  for (const words of [
    'Title is required',
    'Order must be a whole number of at least 1',
    'Estimated minutes must be a whole number of at least 1',
  ]) {
    await expect(form.getByText(words)).toBeVisible();
  }
  await expect(title).toBeFocused();
  await title.fill('Read the manual');
  await order.fill('1');
  await minutes.fill('45');
  await form.getByRole('button', { name: 'Create content' }).click();
  await expect(form.getByText('A link task needs its URL')).toBeVisible();
  await form.getByRole('textbox', { name: 'Link URL' }).fill('javascript:alert(1)');
  await form.getByRole('button', { name: 'Create content' }).click();
  await expect(form.getByText('The URL must be a web address')).toBeVisible();
  await form.getByRole('textbox', { name: 'Link URL' }).fill('https://files.example/manual');
  await expectAccessible(page);

  const file = form.locator('input[type=file]');
  await file.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('text') });
  await expect(form.getByText(/File type not allowed/)).toBeVisible();
  await failWith(page, createUpload.path, 'The storage is full.', 422);
  await file.setInputFiles({ name: 'manual.pdf', mimeType: 'application/pdf', buffer: pdfOf(2000) });
  await expect(toast(page, 'Creation Failed').last()).toContainText('The storage is full.');
  await form.getByRole('button', { name: 'Create content' }).click();
  await expect(form.getByText('The file was not uploaded. Choose it again, or continue without it.')).toBeVisible();
  expect(
    await instance.db.selectFrom('contentItems').select('id').where('trainingActivityId', '=', activity.id).execute(),
  ).toEqual([]);
  await page.unrouteAll();
  await file.setInputFiles({ name: 'manual.pdf', mimeType: 'application/pdf', buffer: pdfOf(2000) });
  await expect(form.getByRole('button', { name: 'Remove file' })).toBeVisible();
  await failWith(page, createContent.path.replace(':id', activity.id), 'Creating went wrong.');
  await form.getByRole('button', { name: 'Create content' }).click();
  await expect(toast(page, 'Creation Failed').last()).toContainText('Creating went wrong.');
  await page.unrouteAll();
  await form.getByRole('button', { name: 'Create content' }).click();
  await expect(toast(page, 'Content Created')).toContainText('Read the manual');
  const card = detail.getByRole('list', { name: 'Content items' }).getByRole('listitem').first();
  for (const words of ['Read the manual', 'Link task', '45 min', 'Required']) await expect(card).toContainText(words);
  const download = page.waitForEvent('download');
  await card.getByRole('link', { name: /manual\.pdf/ }).click();
  expect((await download).suggestedFilename()).toBe('manual.pdf');

  await page.getByRole('button', { name: 'Edit Read the manual' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit content' });
  await edit.getByRole('textbox', { name: 'Title' }).fill('Read it all');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Discard your changes?' }).getByRole('button', { name: 'Cancel' }).click();
  await edit.getByRole('button', { name: 'Save content' }).click();
  await expect(toast(page, 'Content Updated')).toContainText('Read it all');
  await expect(card.getByRole('link', { name: /manual\.pdf/ })).toBeVisible();
  // The list is read again after the toast.
  await expect(card).toContainText('Read it all');

  await detail.getByRole('button', { name: 'Add Assignment' }).click();
  const work = page.getByRole('dialog', { name: 'Add Assignment' });
  expect(await optionsOf(page, work.getByRole('combobox', { name: 'Content item' }))).toEqual(['Read it all']);
  await expect(work.getByRole('combobox', { name: 'Assignment type' })).toHaveValue('Written response');
  expect(await optionsOf(page, work.getByRole('combobox', { name: 'Assignment type' }))).toEqual([
    'Written response',
    'Project submission',
    'Upload certificate',
    'Link task',
    'Read material',
    'Watch video',
  ]);
  await expect(work.getByRole('switch', { name: 'Required' })).toBeChecked();
  await work.getByRole('button', { name: 'Create assignment' }).click();
  for (const words of ['Please choose a content item', 'Title is required', 'Instructions are required']) {
    await expect(work.getByText(words)).toBeVisible();
  }
  await choose(page, work.getByRole('combobox', { name: 'Content item' }), 'Read it all');
  await work.getByRole('textbox', { name: 'Title' }).fill('Write a report');
  await work.getByRole('textbox', { name: 'Instructions' }).fill('Describe what you saw.');
  await expectAccessible(page);
  await failWith(page, createContentAssignment.path, 'It was not stored.');
  await work.getByRole('button', { name: 'Create assignment' }).click();
  await expect(toast(page, 'Creation Failed').last()).toContainText('It was not stored.');
  await expect(card).not.toContainText('Write a report');
  await page.unrouteAll();
  await work.getByRole('button', { name: 'Create assignment' }).click();
  await expect(toast(page, 'Assignment Created')).toContainText('Write a report');
  await expect(card).toContainText('Write a report');
  await expect(card).toContainText('Describe what you saw.');
});

test('CONT-25 CONT-27 CONT-34 CONT-35 ERR1-06 ERR1-09 deleting asks, with what goes and what stays', async ({
  page,
}) => {
  const { db } = instance;
  const activity = await buildActivity(db, { title: 'Arc flash' });
  const item = await buildContentItem(db, { trainingActivityId: activity.id, title: 'Manual' });
  const done = await buildAssignment(db, { contentItemId: item.id, title: 'Report' });
  const summary = await buildAssignment(db, { contentItemId: item.id, title: 'Summary' });
  await buildSubmission(db, { assignmentId: done.id, userId: (await buildParticipant(db)).id });
  await open(page, activity.id);
  const detail = page.getByRole('region', { name: 'Contents of the activity' });
  const question = page.getByRole('dialog');
  await chooseInRow(page, 'Delete Summary');
  await expect(question).toContainText('Nobody has worked on it.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(detail).toContainText('Summary');
  await failWith(page, deleteContentAssignment.path.replace(':id', summary.id), 'It could not go.');
  await chooseInRow(page, 'Delete Summary');
  await question.getByRole('button', { name: 'Delete assignment' }).click();
  await expect(toast(page, 'Delete Failed')).toContainText('It could not go.');
  await expect(detail).toContainText('Summary');
  await page.unrouteAll();
  await chooseInRow(page, 'Delete Summary');
  await question.getByRole('button', { name: 'Delete assignment' }).click();
  await expect(toast(page, 'Assignment Deleted')).toContainText('Summary');
  await expect(detail.getByText('1 content item, 1 assignment')).toBeFocused();
  await expect(detail).not.toContainText('Summary');
  await expect(detail.getByRole('heading', { level: 3 })).toHaveText(['Manual']);
  await chooseInRow(page, 'Delete Manual');
  await expect(question).toContainText('Its assignments will be removed too: 1 assignment.');
  await expect(question).toContainText('There is 1 submission handed in.');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await failWith(page, deleteContent.path.replace(':id', item.id), 'Deleting went wrong.');
  await chooseInRow(page, 'Delete Manual');
  await question.getByRole('button', { name: 'Delete content' }).click();
  await expect(toast(page, 'Delete Failed').last()).toContainText('Deleting went wrong.');
  await page.unrouteAll();
  await chooseInRow(page, 'Delete Manual');
  await question.getByRole('button', { name: 'Delete content' }).click();
  await expect(toast(page, 'Content Deleted')).toContainText('Manual');
  await expect(detail.getByRole('heading', { name: 'No content yet' })).toBeVisible();
});

async function open(page: Page, activityId?: string) {
  await signIn(page, instance.url, adminEmail);
  await page.goto(`${instance.url}/admin/content-management${activityId ? `?activity=${activityId}` : ''}`);
}

async function optionsOf(page: Page, field: Locator): Promise<string[]> {
  await field.click();
  const options = await page.getByRole('option').allInnerTexts();
  await page.keyboard.press('Escape');
  return options;
}

async function choose(page: Page, field: Locator, option: string) {
  await field.click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

async function failWith(page: Page, address: string, detail: string, status = 409) {
  const problem = {
    type: 'urn:switchyard:error:conflict',
    title: 'Conflict',
    status,
    code: 'conflict',
    detail,
    instance: null,
    errors: null,
  };
  await page.route(`**${address}`, (route) =>
    route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
  );
}

import type { Locator, Page, Route } from '@playwright/test';
import { copyProgramme } from '#contract/programme-copies.ts';
import { updateActivity } from '#contract/programme-items.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import {
  buildActivity,
  buildAssignment,
  buildModule,
  buildTrack,
  buildWeeklyRequirement,
} from '#test/factories/curriculum.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { attend } from '#test/factories/stipends.ts';
import { expectAccessible } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { chooseInRow } from './row-menus.ts';
import { expect, signIn, test } from './support.ts';
import { toast } from './toasts.ts';

const adminEmail = 'ada@setup.example';

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(adminEmail);
});
test.afterAll(() => instance.stop());

test('ADMIN-22 an admin adds a cohort, edits it beside somebody else, and loses nothing typed unasked', async ({
  page,
}) => {
  await openSetup(page);
  await page.getByRole('button', { name: 'Add cohort' }).first().click();
  const added = page.getByRole('dialog', { name: 'Add cohort' });
  await added.getByRole('button', { name: 'Add cohort' }).click();
  await expect(added.getByText('Enter a name.')).toBeVisible();
  await expect(added.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await expectAccessible(page);
  await added.getByRole('textbox', { name: 'Name' }).fill('Spring 2027');
  await added.getByLabel('Start').fill('2027-03-08');
  await expect(added.getByLabel('End')).toHaveValue('2027-06-25');
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Discard your changes?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await added.getByRole('button', { name: 'Add cohort' }).click();
  await expect(toast(page, 'Cohort Added')).toContainText('Spring 2027');
  await expect(page.getByRole('heading', { level: 2, name: 'Spring 2027' })).toBeVisible();
  await expect(page).toHaveURL(/cohort=/);

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Spring 2027' });
  await edit.getByRole('textbox', { name: 'Places' }).fill('12');
  await instance.db
    .updateTable('cohorts')
    .set({ description: 'Written by somebody else', version: 2 })
    .where('name', '=', 'Spring 2027')
    .execute();
  await edit.getByRole('button', { name: 'Save cohort' }).click();
  await expect(toast(page, 'The cohort could not be saved')).toContainText('Somebody else has changed this cohort');
  const conflict = edit.getByRole('alert').filter({ hasText: 'Saved now: Written by somebody else' });
  await expect(conflict).toContainText('Yours: 12');
  await conflict.getByRole('button', { name: 'Keep mine' }).click();
  await edit.getByRole('textbox', { name: 'Description' }).fill('Written by both');
  await edit.getByRole('button', { name: 'Save cohort' }).click();
  await expect(toast(page, 'Cohort Saved')).toBeVisible();
  await expect(page.getByText('0 of 12 places taken')).toBeVisible();
  await expect(page.getByText('Written by both')).toBeVisible();
});

test('a member is withdrawn, with what stays said before, and taken back', async ({ page }) => {
  const { db } = instance;
  const cohort = await buildCohort(db, { name: 'With members', capacity: 9 });
  const zoe = await buildParticipant(db, { firstName: 'Zoë', lastName: 'Łukasz' });
  await enrol(db, { cohortId: cohort.id, participantId: zoe.id });
  await attend(db, zoe.id, [await buildActivity(db, { cohortId: cohort.id })]);
  await openSetup(page, `?cohort=${cohort.id}`);
  await expect(page.getByText('1 of 9 places taken')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Withdraw Zoë Łukasz' }).click();
  const dialog = page.getByRole('dialog', { name: 'Withdraw Zoë Łukasz' });
  await expect(dialog).toContainText('0 submissions, 1 of attendance and 0 stipends stay as they are.');
  await dialog.getByRole('button', { name: 'Withdraw member' }).click();
  await expect(dialog.getByText('Please say why.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Moved away');
  await dialog.getByRole('button', { name: 'Withdraw member' }).click();
  await expect(toast(page, 'Member Withdrawn')).toContainText('Zoë Łukasz');
  await expect(page.getByText('0 of 9 places taken')).toBeVisible();
  await page.getByRole('button', { name: 'Take Zoë Łukasz back' }).click();
  await expect(page.getByText('1 of 9 places taken')).toBeVisible();
});

test('a programme is copied once however often the button is pressed, every date shown before, and undone', async ({
  page,
}) => {
  const { db } = instance;
  const cohort = await buildCohort(db, { name: 'The source', startDate: '2025-09-08' });
  const activity = await buildActivity(db, { cohortId: cohort.id, title: 'Grid walk', sessionDate: '2025-09-08' });
  await buildAssignment(db, { trainingActivityId: activity.id, title: 'Report', dueDate: '2025-09-12' });
  await buildWeeklyRequirement(db, { cohortId: cohort.id, title: 'Quiz', dueDate: '2025-09-11', weekNumber: 1 });
  await openSetup(page, `?cohort=${cohort.id}`);
  await page.getByRole('button', { name: 'Copy program' }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy the program of The source' });
  await dialog.getByRole('textbox', { name: 'Name of the new cohort' }).fill('The copy');
  await dialog.getByLabel('Start').fill('2026-09-07');
  await expect(dialog.getByText('1 date on holidays')).toBeVisible();
  const row = dialog.getByRole('row').filter({ hasText: 'Grid walk' });
  await expect(row).toContainText('Mon 8 Sep 2025');
  await expect(row).toContainText('Mon 7 Sep 2026');
  await expect(row).toContainText('Labor Day');
  await expect(dialog.getByRole('row')).toHaveCount(4);
  await dialog.getByRole('switch', { name: 'Only dates on holidays' }).click();
  await expect(dialog.getByRole('row')).toHaveCount(2);
  await expectAccessible(page);
  // The server makes the copy, and its answer is lost. The same dialog asks again.
  await page.route(`**${copyProgramme.path}`, async (route) => {
    await route.fetch();
    await route.abort();
  });
  const copy = dialog.getByRole('button', { name: 'Copy program' });
  await copy.dblclick();
  const notice = toast(page, 'The program could not be copied').last();
  for (const width of [1280, 800, 360]) {
    await page.setViewportSize({ width, height: 720 });
    await copy.click();
    // The notice stays while the pointer is on it.
    await notice.getByRole('button', { name: 'Dismiss' }).hover();
    for (const button of [copy, dialog.getByRole('button', { name: 'Cancel' })]) {
      expect(await isCovered(button, notice), `by a notice, ${width} px wide`).toBe(false);
    }
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.unrouteAll();
  await copy.click();
  await expect(toast(page, 'Program Copied')).toBeVisible();
  await expect(page.getByRole('heading', { level: 2, name: 'The copy' })).toBeVisible();
  await expect(page.getByText('A copy of the program of The source.')).toBeVisible();
  const copies = await db.selectFrom('cohorts').select('startDate').where('name', '=', 'The copy').execute();
  expect(copies).toEqual([{ startDate: '2026-09-07' }]);

  await page.getByRole('button', { name: 'Undo this copy' }).click();
  const undo = page.getByRole('dialog', { name: 'Undo this copy' });
  await expect(undo).toContainText('1 activity, 1 content, 1 assignment and 1 weekly requirement');
  await undo.getByRole('button', { name: 'Undo copy' }).click();
  await expect(toast(page, 'Copy Undone')).toContainText('The copy');
  await expect(page.getByRole('button', { name: 'The source', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'The copy', exact: true })).toHaveCount(0);
});

test('courses, modules, tracks, requirements and activities are added, moved, hidden and removed, with what hangs on them said', async ({
  page,
}) => {
  const { db } = instance;
  await openSetup(page, '?tab=courses');
  await page.getByRole('button', { name: 'Add course' }).first().click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).fill('Line Work');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, 'Line Work')).toContainText('The first Fellowship course');

  const track = await buildTrack(db, { name: 'Wind' });
  await buildModule(db, { title: 'Relays', orderIndex: 1 });
  await buildModule(db, { title: 'Breakers', orderIndex: 2 });
  await buildModule(db, { title: 'Blades', moduleType: 'specialization', specializationTrackId: track.id });
  await page.getByRole('tab', { name: 'Modules' }).click();
  const titles = async () => {
    const modules = await page.locator('tbody tr td:first-child').allInnerTexts();
    return modules.map((words) => words.split('\n')[0]);
  };
  await expect.poll(titles).toEqual(['Relays', 'Breakers', 'Blades']);
  await expect(page.getByRole('button', { name: 'Move Relays up' })).toBeDisabled();
  await page.getByRole('button', { name: 'Move Breakers up' }).click();
  await expect.poll(titles).toEqual(['Breakers', 'Relays', 'Blades']);
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Tracks' }).click();
  await chooseInRow(page, 'Delete Wind');
  const stays = page.getByRole('dialog', { name: 'Stop offering' });
  await expect(stays).toContainText('0 participants chose it and it has 1 module, so it stays.');
  await stays.getByRole('button', { name: 'Stop offering' }).click();
  await expect(rowOf(page, 'Wind')).toContainText('Not on offer');

  const cohort = await buildCohort(db, { name: 'Taught', startDate: '2025-09-08' });
  await openSetup(page, `?tab=requirements&cohort=${cohort.id}`, { isSignedIn: true });
  await page.getByRole('button', { name: 'Add requirement' }).first().click();
  const requirement = page.getByRole('dialog', { name: 'Add requirement' });
  await requirement.getByRole('textbox', { name: 'Title' }).fill('Safety quiz');
  await choose(page, requirement.getByRole('combobox', { name: 'Week' }), 'Week 2');
  await expect(requirement.getByLabel('Due')).toHaveValue('2025-09-19');
  await requirement.getByRole('button', { name: 'Add requirement' }).click();
  await expect(rowOf(page, 'Safety quiz')).toContainText('Fri 19 Sep 2025');

  await page.getByRole('tab', { name: 'Activities' }).click();
  await page.getByRole('button', { name: 'Add activity' }).first().click();
  const activity = page.getByRole('dialog', { name: 'Add activity' });
  await activity.getByRole('textbox', { name: 'Title' }).fill('Grid walk');
  await activity.getByLabel('Session day').fill('2025-09-30');
  await expectAccessible(page);
  await activity.getByRole('button', { name: 'Add activity' }).click();
  await expect(activity.getByText('Week 1 of Taught lasts from 2025-09-08 to 2025-09-14.')).toBeVisible();
  await expect(activity.getByLabel('Session day')).toBeFocused();
  await activity.getByLabel('Session day').fill('2025-09-09');
  await activity.getByRole('button', { name: 'Add activity' }).click();
  await expect(rowOf(page, 'Grid walk')).toContainText('Tue 9 Sep');
  await page.getByRole('button', { name: 'Edit Grid walk' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Grid walk' });
  await edit.getByLabel('Session time').fill('09:15');
  await edit.getByRole('checkbox', { name: 'Fellowship', exact: true }).uncheck();
  await edit.getByRole('button', { name: 'Save activity' }).click();
  await expect(rowOf(page, 'Grid walk')).toContainText('Tue 9 Sep 2025, 9:15 AM');
  await expect(rowOf(page, 'Grid walk')).toContainText('Hidden');

  // Another admin moves the activity out of the filter's range while the form is on its way.
  await choose(page, page.getByRole('search').getByRole('combobox', { name: 'Week' }), 'Week 1');
  await page.getByRole('button', { name: 'Edit Grid walk' }).click();
  await edit.getByRole('textbox', { name: 'Location' }).fill('Yard 3');
  const elsewhere = { weekNumber: 2, sessionDate: '2025-09-16' };
  const ofActivity = `**${updateActivity.path.replace(':id', '*')}`;
  const overtake = async (route: Route) => {
    await db.updateTable('trainingActivities').set(elsewhere).where('title', '=', 'Grid walk').execute();
    await route.continue();
  };
  await page.route(ofActivity, overtake, { times: 1 });
  await edit.getByRole('button', { name: 'Save activity' }).click();
  const overtaken = edit.getByRole('alert').filter({ hasText: 'Saved now: 2' });
  await overtaken.getByRole('button', { name: 'Keep mine' }).click();
  await edit.getByRole('button', { name: 'Save activity' }).click();
  await expect(edit).toBeHidden();
  await expect(rowOf(page, 'Grid walk')).toContainText('Tue 9 Sep');
  await chooseInRow(page, 'Delete Grid walk');
  await page.getByRole('dialog', { name: 'Delete activity' }).getByRole('button', { name: 'Delete activity' }).click();
  await expect(toast(page, 'Activity Deleted')).toContainText('Grid walk');
  await expect(page.getByRole('button', { name: 'More for Grid walk' })).toHaveCount(0);
});

async function openSetup(page: Page, search = '', { isSignedIn = false } = {}): Promise<void> {
  if (!isSignedIn) await signIn(page, instance.url, adminEmail);
  await page.goto(`${instance.url}/admin/programme-setup${search}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Programme Setup' })).toBeVisible();
}

function rowOf(page: Page, words: string): Locator {
  return page.locator('tbody').getByRole('row').filter({ hasText: words });
}

async function choose(page: Page, field: Locator, option: string): Promise<void> {
  await field.click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

async function isCovered(button: Locator, by: Locator): Promise<boolean> {
  const [one, other] = [await button.boundingBox(), await by.boundingBox()];
  if (!one || !other) throw new Error('One of them is not shown.');
  const isBeside = one.x + one.width <= other.x || other.x + other.width <= one.x;
  return !isBeside && one.y < other.y + other.height && other.y < one.y + one.height;
}

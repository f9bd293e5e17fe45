import type { Page } from '@playwright/test';
import { saveAssignmentDraft } from '#contract/assignment-drafts.ts';
import { buildAssignment } from '#test/factories/curriculum.ts';
import { withoutNotes } from '#test/support/without-notes.ts';
import { expectAccessible } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { buildMember, enter, today } from './learning-people.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { demoPassword, expect, signIn, test } from './support.ts';
import { toast } from './toasts.ts';

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase('admin@drafts.example');
});
test.afterAll(() => instance.stop());

const text = (page: Page) => page.getByRole('textbox', { name: 'Your text' });
const saved = (page: Page) => page.getByText('Draft saved. You can continue on any device.');
const submit = (page: Page) => page.getByRole('button', { name: 'Submit Assignment' });

test('a draft with its file goes on from another device, and of two versions the person chooses', async ({
  page,
  openWindow,
}) => {
  const { participant, id } = await withoutNotes(instance.db, async (db) => {
    const { participant, session } = await buildMember({ db });
    const activity = await session('Substation walk-down', 1, -7);
    const assignment = await buildAssignment(db, { trainingActivityId: activity.id, title: 'Field report' });
    return { participant, id: assignment.id };
  });
  const address = `${instance.url}/assignment/${id}`;
  await enter(page, instance, participant);
  await page.goto(address);
  const { promise: isTyped, resolve: goOn } = Promise.withResolvers<void>();
  await page.route('**/api/uploads', (route) => isTyped.then(() => route.continue()));
  const file = { name: 'readings.txt', mimeType: 'text/plain', buffer: Buffer.from('4, 8, 15') };
  await page.locator('input[type=file]').setInputFiles(file);
  await text(page).fill('Begun on the phone.');
  goOn();
  await expect(page.getByRole('button', { name: 'Remove readings.txt' })).toBeVisible();
  await expect(text(page)).toHaveValue('Begun on the phone.');
  await expect(saved(page)).toBeVisible();

  const laptop = await openWindow();
  await signIn(laptop, instance.url, participant.email, demoPassword);
  await laptop.goto(address);
  await expect(text(laptop)).toHaveValue('Begun on the phone.');
  await expect(laptop.getByRole('button', { name: 'Remove readings.txt' })).toBeVisible();
  await text(laptop).fill('Continued on the laptop.');
  await expect(saved(laptop)).toBeVisible();

  await text(page).fill('Continued on the phone.');
  const conflict = page.getByRole('alert').filter({ hasText: 'There are two versions of your work' });
  await expect(conflict).toContainText('Continued on the laptop.');
  await expect(text(page)).toHaveValue('Continued on the phone.');
  await page.setViewportSize({ width: 360, height: 800 });
  await expectAccessible(page);
  await submit(page).click();
  await expect(page.getByText('Please choose first which of the two versions')).toBeVisible();
  await page.reload();
  await expect(conflict).toContainText('Continued on the laptop.');
  await conflict.getByRole('button', { name: 'Keep both texts' }).click();
  await expect(conflict).toBeHidden();
  const both = 'Continued on the phone.\n\nContinued on the laptop.';
  await expect(text(page)).toHaveValue(both);
  await expect(saved(page)).toBeVisible();
  await laptop.reload();
  await expect(text(laptop)).toHaveValue(both);

  await submit(laptop).click();
  await expect(toast(laptop, 'Assignment Submitted')).toBeVisible();
  await expect(text(page)).toBeDisabled();
  await expect(page.getByText('Text on this device that you have not handed in')).toBeHidden();
  expect(await instance.db.selectFrom('assignmentDrafts').select('userId').execute()).toEqual([]);
});

test('what is written while the server is away or the session has ended is kept and saved later; a draft can be discarded', async ({
  page,
}) => {
  const { participant, session } = await buildMember(instance);
  const activity = await session('Relay lab', 1, -7);
  const assignment = await buildAssignment(instance.db, { trainingActivityId: activity.id, dueDate: today() });
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/assignment/${assignment.id}`);
  const drafts = `**${saveAssignmentDraft.path.replace(':id', assignment.id)}`;
  await page.route(drafts, (route) => route.abort());
  await text(page).fill('Written in a tunnel.');
  await expect(page.getByText('Draft kept on this device')).toBeVisible();
  await page.reload();
  await expect(text(page)).toHaveValue('Written in a tunnel.');
  await page.unroute(drafts);
  await page.reload();
  await expect(saved(page)).toBeVisible();
  const rows = () => instance.db.selectFrom('assignmentDrafts').select('draftText').execute();
  expect(await rows()).toEqual([{ draftText: 'Written in a tunnel.' }]);

  await instance.db.deleteFrom('auth.session').execute();
  await text(page).fill('Written without a session.');
  const signInAgain = page.getByRole('dialog', { name: 'Authentication Required' });
  await signInAgain.getByLabel('Password', { exact: true }).fill(demoPassword);
  await signInAgain.getByLabel('Password', { exact: true }).press('Enter');
  await expect(text(page)).toHaveValue('Written without a session.');
  await expect(saved(page)).toBeVisible();
  expect(await rows()).toEqual([{ draftText: 'Written without a session.' }]);

  await page.getByRole('button', { name: 'Discard draft' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click();
  await expect(toast(page, 'Draft Discarded')).toBeVisible();
  await expect(text(page)).toHaveValue('');
  expect(await rows()).toEqual([]);
  // A closing page still sends something. An intercepted route would lose it.
  await page.goto('about:blank');
  await page.context().unrouteAll();
  await page.goto(`${instance.url}/assignment/${assignment.id}`);
  await expect(text(page)).toHaveValue('');

  await text(page).fill('Written in the moment of leaving.');
  await page.close({ runBeforeUnload: true });
  await expect.poll(rows).toEqual([{ draftText: 'Written in the moment of leaving.' }]);
});

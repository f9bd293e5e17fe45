import { buildCohort } from '#test/factories/cohorts.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { expectAccessible } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { takeLook } from './looks.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { rowOf } from './stipend-screen.ts';
import { expect, signIn, test } from './support.ts';
import { toast } from './toasts.ts';

const adminEmail = 'admin@exports.example';
let instance: InstanceWithDatabase;

test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(adminEmail, {});
});
test.afterAll(() => instance.stop());

test('an admin takes a week and a person’s stipends as files, from menus that the keyboard opens', async ({ page }) => {
  const cohort = await buildCohort(instance.db, { status: 'planning', name: 'Spring 2027' });
  const fellow = await buildParticipant(instance.db, { firstName: 'Robin', lastName: 'Reyes' });
  await buildStipend(instance.db, { cohortId: cohort.id, fellowId: fellow.id });
  const week = { participantId: fellow.id, cohortId: cohort.id, weekNumber: 1 };
  await instance.db
    .insertInto('stipendQuestions')
    .values({ ...week, question: 'Why only 500?', facts: ['Week 1: pending'] })
    .execute();
  await signIn(page, instance.url, adminEmail);
  await page.goto(`${instance.url}/admin/stipend-management?week=1&cohort=${cohort.id}`);
  await page.getByRole('button', { name: 'Export', exact: true }).press('Enter');
  await expect(page.getByRole('link', { name: 'Spring 2027, all weeks as CSV' })).toBeVisible();
  await expectAccessible(page);
  const weekFile = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Week 1 as XLSX' }).press('Enter');
  expect((await weekFile).suggestedFilename()).toMatch(/^stipends-week-1-.*\.xlsx$/);

  await expect(rowOf(page, 'Robin Reyes')).toContainText('Asks: Why only 500?');
  await page.getByRole('button', { name: 'Robin Reyes', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).press('Enter');
  const personFile = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Robin Reyes, all weeks as CSV' }).press('Enter');
  expect((await personFile).suggestedFilename()).toMatch(/^stipends-person-.*\.csv$/);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await rowOf(page, 'Robin Reyes').getByRole('link', { name: 'Asks' }).press('Enter');
  await expect(page.getByRole('region', { name: 'Questions about stipends' })).toContainText('Week 1: pending');
});

test('a batch is recalled, a payment noted and taken back in dialogs that a phone in the dark can use', async ({
  page,
}) => {
  const own = await buildCohort(instance.db, { status: 'planning', name: 'Winter 2027' });
  const fellow = await buildParticipant(instance.db, { firstName: 'Fay', lastName: 'Fast' });
  const facts = { fellowId: fellow.id, cohortId: own.id, weekNumber: 11, paymentStatus: 'approved' };
  const stipend = await buildStipend(instance.db, facts);
  const { id: handoverId } = await instance.db
    .insertInto('stipendHandovers')
    .values({
      weekNumber: 11,
      body: '{}',
      recipients: 1,
      totalCents: 50_000,
      status: 'given_up',
      createdBy: stipend.approvedBy ?? '',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await instance.db
    .insertInto('stipendHandoverRows')
    .values({ handoverId, stipendId: stipend.id, amountCents: 50_000, part: 1, isFirst: true })
    .execute();
  await signIn(page, instance.url, adminEmail);
  const dialog = page.getByRole('dialog');
  await page.goto(`${instance.url}/admin/stipend-management?tab=reconciliation&cohort=${own.id}`);
  await takeLook(page, { colorScheme: 'dark', width: 360 });
  const row = rowOf(page, 'Fay Fast');
  await expect(row).toContainText('Given up');
  await row.getByRole('button', { name: 'More for Fay Fast' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Recall batch' }).press('Enter');
  const recall = dialog.getByRole('button', { name: 'Recall batch' });
  await recall.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText('Please say why.');
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type('It will never answer');
  await recall.press('Enter');
  await expect(toast(page, 'Batch Recalled', '1 stipends can be sent again')).toBeVisible();
  await expect(row).not.toContainText('Given up');
  await row.getByRole('button', { name: 'Mark paid: Fay Fast' }).press('Enter');
  await dialog.getByRole('spinbutton', { name: 'Amount' }).fill('600');
  await dialog.getByRole('textbox', { name: 'Reference' }).fill('CHK 11');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Mark paid' }).press('Enter');
  await expect(page.getByText('No approved stipend waits to be sent')).toBeVisible();

  const show = async (list: string) => {
    await page.getByRole('combobox', { name: 'What to show' }).click();
    await page.getByRole('option', { name: list }).click();
  };
  await show('Paid, but not what was owed (1)');
  await expect(page).toHaveURL(/kind=paid_not_owed/);
  await expect(row).toContainText('$600');
  for (const [list, words] of [
    ['Sent, not paid', 'Everything that was sent is paid'],
    ['Paid twice or contradicted', 'No stipend was paid twice, and no payment is contradicted'],
    ['Adjusted', 'Every amount is the one that was sent'],
  ] as const) {
    await show(`${list} (0)`);
    await expect(page.getByText(words)).toBeVisible();
  }
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await row.getByRole('button', { name: 'Fay Fast', exact: true }).press('Enter');
  await expect(dialog.getByText('$100 too much was paid')).toBeVisible();
  await dialog.getByRole('button', { name: 'Take payment back: Fay Fast' }).press('Enter');
  const asked = page.getByRole('dialog', { name: 'Take payment back' });
  await asked.getByRole('textbox', { name: 'Reason' }).fill('Another amount');
  await expectAccessible(page);
  await asked.getByRole('button', { name: 'Take payment back' }).press('Enter');
  await expect(toast(page, 'Payment Taken Back')).toBeVisible();
});

test('two admins have to approve once that is switched on; switching it off asks another one', async ({ page }) => {
  const own = await buildCohort(instance.db, { status: 'planning', name: 'Summer 2027' });
  await buildAdmin(instance.db);
  await signIn(page, instance.url, adminEmail);
  await page.goto(`${instance.url}/admin/stipend-management?week=12&cohort=${own.id}`);
  await takeLook(page, { colorScheme: 'dark', width: 360 });
  const needsTwo = page.getByRole('switch', { name: 'Two admins have to approve' });
  await needsTwo.press('Space');
  await expect(toast(page, 'Two Approvers Needed')).toBeVisible();
  await expect(needsTwo).toBeChecked();
  await expect(needsTwo).toBeEnabled();
  await needsTwo.press('Space');
  await expect(toast(page, 'Another Admin Has to Agree', 'Until then two admins have to approve.')).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('Ada Admin asks for one approver to be enough');
  await expect(needsTwo).toBeChecked();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Take it back' }).press('Enter');
  await expect(page.getByText('Ada Admin asks for one approver to be enough')).toBeHidden();
  await expect(needsTwo).toBeEnabled();
});

import type { Page } from '@playwright/test';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { expectAccessible, expectAccessibleEverywhere } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { pressButton, rowOf } from './stipend-screen.ts';
import { expect, signIn, test } from './support.ts';
import { toast } from './toasts.ts';

const adminEmail = 'admin@people.example';
let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(adminEmail, {});
});
test.afterAll(() => instance.stop());

async function open(page: Page, search: string) {
  await signIn(page, instance.url, adminEmail);
  await page.goto(`${instance.url}/admin/stipend-management${search}`);
}

test('a name and email that changed after the approval are shown in the row and before sending, and taken over by keyboard', async ({
  page,
}) => {
  const { id: cohortId } = await buildCohort(instance.db, { status: 'planning', name: 'Spring 2027' });
  const nadia = await buildParticipant(instance.db, { firstName: 'Nadia', lastName: 'Ng', email: 'nadia@old.example' });
  await buildStipend(instance.db, { cohortId, fellowId: nadia.id, weekNumber: 3, paymentStatus: 'approved' });
  await instance.db
    .updateTable('profiles')
    .set({ lastName: 'Nguyen-Featherstonehaugh', email: 'nadia.nguyen-featherstonehaugh@new.example' })
    .where('id', '=', nadia.id)
    .execute();
  await open(page, `?week=3&cohort=${cohortId}`);
  const row = rowOf(page, 'Nadia Nguyen-Featherstonehaugh');
  const words =
    'Nadia Ng, nadia@old.example; now Nadia Nguyen-Featherstonehaugh, nadia.nguyen-featherstonehaugh@new.example';
  await expect(row).toContainText(`Approved as ${words}`);
  await expectAccessibleEverywhere(page);
  await pressButton(page, 'Send to Webhook');
  await expect(page.getByRole('dialog')).toContainText('Name or email changed after approval: 1');
  await expect(page.getByRole('dialog')).toContainText(words);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await row.getByRole('button', { name: 'Update name and email for Nadia' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Update name and email' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use new name and email' }).press('Enter');
  await expect(toast(page, 'Name and Email Updated', 'Will be paid as Nadia Nguyen-Featherstonehaugh')).toBeVisible();
  await expect(row).not.toContainText('Approved as');
});

test('"All cohorts" names the cohorts that are not calculated for the week, and calculates them by one press', async ({
  page,
}) => {
  for (const name of ['Fall 2025', 'Winter 2025']) {
    const cohort = await buildCohort(instance.db, { name, startDate: '2025-09-08', status: 'completed' });
    const person = await buildParticipant(instance.db, { firstName: 'Pat', lastName: `of ${name}` });
    await enrol(instance.db, { cohortId: cohort.id, participantId: person.id });
  }
  await open(page, '?week=7');
  const ended = '(ended Fri 26 Dec 2025)';
  await expect(
    page.getByText(`2 ended cohorts not calculated for Week 7: Fall 2025 ${ended}, Winter 2025 ${ended}.`),
  ).toBeVisible();
  await expectAccessibleEverywhere(page);
  await page.getByRole('button', { name: 'Calculate all' }).press('Enter');
  await expect(toast(page, 'Stipends Calculated', '2 cohorts calculated for Week 7.')).toBeVisible();
  await expect(rowOf(page, 'Pat of Winter 2025')).toBeVisible();
  await expect(page.getByText('All cohorts are calculated for Week 7.')).toBeVisible();
});

import { buildCohort } from '#test/factories/cohorts.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { expectAccessible } from './axe.ts';
import { type InstanceWithDatabase, startInstanceWithDatabase } from './own-database.ts';
import { expect, signIn, test } from './support.ts';

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
  await signIn(page, instance.url, adminEmail);
  await page.goto(`${instance.url}/admin/stipend-management?week=1&cohort=${cohort.id}`);
  await page.getByRole('button', { name: 'Export', exact: true }).press('Enter');
  await expect(page.getByRole('link', { name: 'Spring 2027, all weeks as CSV' })).toBeVisible();
  await expectAccessible(page);
  const weekFile = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Week 1 as XLSX' }).press('Enter');
  expect((await weekFile).suggestedFilename()).toMatch(/^stipends-week-1-.*\.xlsx$/);

  await page.getByRole('button', { name: 'Robin Reyes', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).press('Enter');
  const personFile = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Robin Reyes, all weeks as CSV' }).press('Enter');
  expect((await personFile).suggestedFilename()).toMatch(/^stipends-person-.*\.csv$/);
});

import type { Page } from '@playwright/test';
import { addDays } from '#contract/weeks.ts';
import { enrol } from '#test/factories/cohorts.ts';
import { buildActivity } from '#test/factories/curriculum.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { attend } from '#test/factories/stipends.ts';
import { expectAccessible } from './axe.ts';
import { type InstanceWithDatabase, startInstanceWithDatabase } from './own-database.ts';
import { expect, signIn, test } from './support.ts';
import { toast } from './toasts.ts';

const adminEmail = 'ada@second.example';

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(adminEmail);
});
test.afterAll(() => instance.stop());

/** The Wednesday five or six weeks ago. */
function startOfCohort(): string {
  const today = new Date().toISOString().slice(0, 10);
  const weekday = new Date(`${today}T12:00:00Z`).getUTCDay();
  return addDays(today, -((weekday + 4) % 7) - 35);
}

test('an admin sets up a second program on screens alone: its facts, its rules and a cohort, whose pay period is then judged and explained', async ({
  page,
}) => {
  await signIn(page, instance.url, adminEmail);
  await page.goto(`${instance.url}/admin/programme-setup?tab=programs`);
  await addProgram(page);
  await expectAccessible(page);
  await editFacts(page);
  await publish(page);
  const startDate = startOfCohort();
  await addCohort(page, startDate);

  const { db } = instance;
  const cohort = await db.selectFrom('cohorts').selectAll().where('name', '=', 'Line 1').executeTakeFirstOrThrow();
  const ana = await buildParticipant(db, { firstName: 'Ana', lastName: 'García' });
  await enrol(db, { cohortId: cohort.id, participantId: ana.id });
  const audiences = [
    (
      await db
        .selectFrom('programmeAudiences')
        .select('key')
        .where('label', '=', 'Line workers')
        .executeTakeFirstOrThrow()
    ).key,
  ];
  const held = (weekNumber: number, deliveryMedium: string) =>
    buildActivity(db, {
      ...{ cohortId: cohort.id, weekNumber, audiences, deliveryMedium, durationMinutes: 480 },
      ...{ applicableFellowship: false, sessionDate: addDays(startDate, 7 * (weekNumber - 1)) },
    });
  const activities = [
    await held(3, 'In-person'),
    await held(3, 'Online'),
    await held(4, 'Online'),
    await held(4, 'Online'),
  ];
  await attend(db, ana.id, activities);

  await page.goto(`${instance.url}/admin/stipend-management?cohort=${cohort.id}&week=2`);
  await expect(page.getByText('Ana García').first()).toBeVisible();
  await expect(page.getByText('$450').first()).toBeVisible();
});

async function addProgram(page: Page) {
  await page.getByRole('button', { name: 'Add program' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add program' });
  await dialog.getByRole('button', { name: 'Add program' }).click();
  await expect(dialog.getByText('Enter a name.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Line Worker Apprenticeship');
  await dialog.getByRole('button', { name: 'Add program' }).click();
  await expect(toast(page, 'Program Added')).toContainText('Line Worker Apprenticeship');
  await expect(page.getByRole('heading', { level: 2, name: 'Line Worker Apprenticeship' })).toBeVisible();
  await expect(page.getByText('No rules are published yet')).toBeVisible();
}

async function editFacts(page: Page) {
  await page.getByRole('button', { name: 'Edit program' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Line Worker Apprenticeship' });
  await dialog.getByRole('textbox', { name: 'Weeks', exact: true }).fill('26');
  await dialog.getByRole('combobox', { name: 'Cohorts begin on' }).click();
  await page.getByRole('option', { name: 'Wednesday' }).click();
  await dialog.getByLabel('Days of a week with activities').fill('7');
  const zone = dialog.getByRole('combobox', { name: 'Time zone' });
  await zone.fill('America/Denver');
  await page.getByRole('option', { name: 'America/Denver' }).click();
  await dialog.getByRole('combobox', { name: 'Paid' }).click();
  await page.getByRole('option', { name: 'Every two weeks' }).click();
  await dialog.getByLabel('Audience 1', { exact: true }).fill('Line workers');
  await dialog.getByLabel('Module names').fill('Poles and Wires\nRigging');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save program' }).click();
  await expect(toast(page, 'Program Saved')).toBeVisible();
  await expect(page.getByText('26 weeks, America/Denver time.')).toBeVisible();
}

async function publish(page: Page) {
  const editor = page.getByRole('region', { name: 'Draft of the next rules' });
  await editor.getByLabel('Name of the rules').fill('Hours and presence');
  await editor.getByRole('button', { name: 'Remove requirement Performance' }).click();
  await editor.getByLabel('Requirement 1').fill('Hours');
  await editor.getByRole('combobox', { name: 'What counts for Hours' }).click();
  await page.getByRole('option', { name: 'Hours attended' }).click();
  await editor.getByLabel('At least (hours) for Hours').fill('30');
  await editor.getByLabel('Requirement 2').fill('Presence');
  await editor.getByRole('combobox', { name: 'What counts for Presence' }).click();
  await page.getByRole('option', { name: 'Activities missed without an excuse' }).click();
  await editor.getByLabel('At most for Presence').fill('0');
  await editor.getByLabel('For the period').fill('400');
  await editor.getByLabel('For each trip').fill('50');
  await expect(
    editor.getByText('Paid when at least 30 hours are attended and no activity is missed without an excuse.'),
  ).toBeVisible();
  await expect(editor.getByText('Pays $400 every two weeks, $50 a trip.')).toBeVisible();
  await editor.getByRole('button', { name: 'Save draft' }).click();
  await expect(toast(page, 'Draft Saved')).toBeVisible();
  await editor.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish the rules of Line Worker Apprenticeship' });
  await dialog.getByLabel('In force from').fill(startOfCohort());
  await expect(dialog.getByText('0 stipends in 0 cohorts will be judged again.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Publish rules' }).click();
  await expect(toast(page, 'Rules Published')).toBeVisible();
  await expect(page.getByText('Hours and presence, version 1')).toBeVisible();
}

async function addCohort(page: Page, startDate: string) {
  await page.getByRole('tab', { name: 'Cohorts' }).click();
  await page.getByRole('button', { name: 'Add cohort' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add cohort' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Line 1');
  await dialog.getByRole('combobox', { name: 'Program' }).click();
  await page.getByRole('option', { name: 'Line Worker Apprenticeship' }).click();
  await dialog.getByLabel('Start').fill(addDays(startDate, 1));
  await dialog.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Active' }).click();
  await dialog.getByRole('button', { name: 'Add cohort' }).click();
  await expect(dialog.getByText('Cohorts of this program begin on a Wednesday.')).toBeVisible();
  await dialog.getByLabel('Start').fill(startDate);
  await dialog.getByRole('button', { name: 'Add cohort' }).click();
  await expect(toast(page, 'Cohort Added')).toContainText('Line 1');
}

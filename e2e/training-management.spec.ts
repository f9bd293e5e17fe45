import type { Locator, Page } from '@playwright/test';
import { sql } from 'kysely';
import {
  assignActivities,
  assignActivity,
  listTrainingActivities,
  updateTrainingActivity,
} from '#contract/training-activities.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { buildActivity } from '#test/factories/curriculum.ts';
import { buildCoach } from '#test/factories/people.ts';
import { expectAccessible, expectAccessibleEverywhere } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { enter } from './learning-people.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { expect, signIn, test } from './support.ts';
import { toast } from './toasts.ts';
import { tryAgain } from './try-again.ts';

const adminEmail = 'ada@training.example';

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(adminEmail);
});
test.afterAll(() => instance.stop());
test.beforeEach(async () => {
  await instance.db.deleteFrom('trainingActivities').execute();
  await instance.db.deleteFrom('cohorts').execute();
});

test('TRAIN-01 TRAIN-02 TRAIN-03 TRAIN-04 TRAIN-05 TRAIN-06 TRAIN-27 activities are found by search, week and cohort, which the address keeps', async ({
  page,
}) => {
  const spring = await buildCohort(instance.db, { name: 'Spring' });
  await buildActivity(instance.db, {
    title: 'Arc flash',
    weekNumber: 20,
    cohortId: spring.id,
    moduleName: 'Case Management',
  });
  await buildActivity(instance.db, { title: 'Arc welding', weekNumber: 3 });
  await buildActivity(instance.db, { title: 'Career talk', weekNumber: 20 });
  await open(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Training Activity Management' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Training Management' })).toHaveAttribute('aria-current', 'page');
  await expect(rows(page)).toHaveText([/Arc welding/, /Arc flash/, /Career talk/]);
  await expect(page.getByRole('main').getByRole('button', { name: /^(add|create|new|delete)/i })).toHaveCount(0);
  const week = page.getByRole('combobox', { name: 'Week' });
  const cohort = page.getByRole('combobox', { name: 'Cohort' });
  expect(await optionsOf(page, week)).toEqual(['All weeks', ...Array.from({ length: 20 }, (_, n) => `Week ${n + 1}`)]);
  const unassigned = /^Unassigned\s+Taught to all cohorts · reaches up to [\d,]+ (person|people)$/;
  expect(await optionsOf(page, cohort)).toEqual(['All cohorts', expect.stringMatching(unassigned), 'Spring']);
  await choose(page, week, 'Week 20');
  await expect(rows(page)).toHaveText([/Arc flash/, /Career talk/]);
  await choose(page, cohort, unassigned);
  await expect(rows(page)).toHaveText([/Career talk/]);
  await choose(page, cohort, 'Spring');
  await page.getByRole('searchbox', { name: 'Search' }).fill('case MAN');
  await expect(rows(page)).toHaveText([/Arc flash/]);
  await page.reload();
  await expect(rows(page)).toHaveText([/Arc flash/]);
  await page.getByRole('searchbox', { name: 'Search' }).fill('nothing of this name');
  await expect(page.getByRole('heading', { name: 'No activities found' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(rows(page)).toHaveCount(3);
  await expectAccessibleEverywhere(page);
});

test('TRAIN-09 TRAIN-10 TRAIN-11 TRAIN-12 TRAIN-13 TRAIN-14 TRAIN-15 TRAIN-16 ERR1-09 a row is edited in place, or left as it was, and nothing typed is lost unasked', async ({
  page,
}) => {
  await buildCohort(instance.db, { name: 'Finished', status: 'completed' });
  const cohort = await buildCohort(instance.db, { name: 'Planned', status: 'planning' });
  const { id } = await buildActivity(instance.db, { title: 'One', sessionDate: '2026-03-09' });
  await open(page);
  const title = page.getByRole('textbox', { name: 'Title' });
  const row = rows(page).first();
  await page.getByRole('button', { name: 'Edit One' }).click();
  await expect(title).toBeFocused();
  await title.fill('Another');
  await page.getByRole('link', { name: 'Content Management' }).click();
  await page.getByRole('dialog', { name: 'Discard your changes?' }).getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await row.getByRole('button', { name: 'Cancel' }).click();
  await expect(title).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Edit One' })).toBeFocused();

  await page.keyboard.press('Enter');
  const mode = row.getByRole('combobox', { name: 'Delivery mode' });
  expect(await optionsOf(page, mode)).toEqual([
    'Self-paced Online',
    'SME-delivered In-person',
    'SME-delivered Hybrid',
    'SME-delivered Webconference',
  ]);
  expect(await optionsOf(page, row.getByRole('combobox', { name: 'Delivery medium' }))).toHaveLength(4);
  expect(await optionsOf(page, row.getByRole('combobox', { name: 'Module' }))).toHaveLength(13);
  expect(await optionsOf(page, row.getByRole('combobox', { name: 'Cohort' }))).toEqual(['Planned']);
  await title.fill('   ');
  await row.getByRole('textbox', { name: 'Week' }).fill('21');
  await row.getByRole('button', { name: 'Save' }).click();
  await expect(row.getByText('A title is required')).toBeVisible();
  await expect(title).toBeFocused();
  await expectAccessible(page);
  await title.fill('One of ours');
  await row.getByRole('button', { name: 'Save' }).click();
  await expect(row.getByText('The week must be a whole number from 1 to 20')).toBeVisible();
  await expectAccessible(page);
  await row.getByRole('textbox', { name: 'Week' }).fill('7');
  await row.getByLabel('Session date').fill('');
  await row.getByRole('textbox', { name: 'Duration' }).fill('2 hours');
  await row.getByRole('textbox', { name: 'Delivery partner' }).fill('Grid Partners');
  await row.getByRole('textbox', { name: 'Location' }).fill('Room 4');
  await choose(page, mode, 'SME-delivered Hybrid');
  await choose(page, row.getByRole('combobox', { name: 'Delivery medium' }), 'Hybrid');
  await choose(page, row.getByRole('combobox', { name: 'Module' }), 'Quality Assurance');
  await choose(page, row.getByRole('combobox', { name: 'Cohort' }), 'Planned');

  await failWith(page, updateTrainingActivity.path.replace(':id', id), 'Saving went wrong.');
  await row.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Update Failed')).toContainText('Saving went wrong.');
  await expect(title).toHaveValue('One of ours');
  await page.unrouteAll();
  await instance.db.updateTable('trainingActivities').set({ location: 'Room 5' }).where('id', '=', id).execute();
  await row.getByRole('button', { name: 'Save' }).click();
  const conflict = page.getByRole('alert').filter({ hasText: 'Saved now: Room 5' });
  await expect(conflict).toContainText('Yours: Room 4');
  await conflict.getByRole('button', { name: 'Keep mine' }).click();
  await title.press('Enter');
  await expect(toast(page, 'Activity Updated')).toContainText('One of ours');
  await page.reload();
  for (const words of ['One of ours', 'Quality Assurance', 'Week 7', 'Not scheduled', '2 hours', 'Room 4', 'Planned']) {
    await expect(row).toContainText(words);
  }
  const stored = await instance.db.selectFrom('trainingActivities').selectAll().executeTakeFirstOrThrow();
  expect(stored).toMatchObject({ sessionDate: null, duration: '2 hours', cohortId: cohort.id, weekNumber: 7 });
});

test('TRAIN-07 TRAIN-08 TRAIN-18 TRAIN-19 TRAIN-20 TRAIN-21 TRAIN-22 TRAIN-23 TRAIN-24 TRAIN-25 ERR1-09 activities are assigned one by one, and all that the filters leave, of which few are in the page', async ({
  page,
}) => {
  const { db } = instance;
  await buildCohort(db, { name: 'Finished', status: 'completed' });
  const cohort = await buildCohort(db, { name: 'Autumn', status: 'active' });
  await buildCoach(db, { firstName: 'Cora', lastName: 'Coach' });
  await sql`insert into training_activities (title, week_number, created_at)
    select 'Session ' || n, 1 + n % 20, now() + n * interval '1 second' from generate_series(1, 5000) n`.execute(db);
  await open(page);
  await expect(page.getByText('5,000 activities')).toBeVisible();
  expect(await rows(page).count()).toBeLessThanOrEqual(50);

  await page.getByRole('button', { name: 'Assign Session 20', exact: true }).click();
  const single = page.getByRole('dialog', { name: 'Assign to cohort' });
  await single.getByRole('button', { name: 'Assign activity' }).click();
  await expect(toast(page, 'Cohort Required')).toContainText('Please select a cohort');
  expect(await optionsOf(page, single.getByRole('combobox', { name: 'Cohort' }))).toEqual(['Autumn']);
  await choose(page, single.getByRole('combobox', { name: 'Cohort' }), 'Autumn');
  await choose(page, single.getByRole('combobox', { name: 'Coach' }), 'Cora Coach');
  await failWith(page, assignActivity.path.replace(':id', '*'), 'Assigning went wrong.');
  await single.getByRole('button', { name: 'Assign activity' }).click();
  await expect(toast(page, 'Assignment Failed')).toContainText('Assigning went wrong.');
  await page.unrouteAll();
  await single.getByRole('button', { name: 'Assign activity' }).click();
  await expect(toast(page, 'Cohort Assignment Successful')).toContainText('Autumn');
  await expect(rows(page).first()).toContainText('Autumn');

  const bulk = page.getByRole('dialog', { name: 'Assign activities to a cohort' });
  await page.getByRole('button', { name: 'Bulk assign' }).click();
  await bulk.getByRole('button', { name: 'Assign 0 activities' }).click();
  await expect(toast(page, 'Selection Required')).toContainText('Please select activities and a cohort');
  await page.keyboard.press('Escape');
  await page.getByRole('checkbox', { name: 'Select Session 40, week 1' }).check();
  await expect(page.getByText('5,000 activities, 1 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await expect(page.getByRole('checkbox', { name: 'Select Session 40, week 1' })).not.toBeChecked();
  await choose(page, page.getByRole('combobox', { name: 'Week' }), 'Week 1');
  await page.getByRole('button', { name: 'Select all 250' }).click();
  await page.getByRole('checkbox', { name: 'Select Session 40, week 1' }).uncheck();
  await expect(page.getByText('250 activities, 249 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Bulk assign' }).click();
  await bulk.getByRole('button', { name: 'Assign 249 activities' }).click();
  await expect(toast(page, 'Selection Required').last()).toBeVisible();
  const list = bulk.getByRole('list', { name: 'Selected activities' });
  const box = list.locator('..');
  await expect(list.getByRole('listitem').first()).toBeVisible();
  expect(await list.getByRole('listitem').count()).toBeLessThanOrEqual(96);
  expect((await box.boundingBox())?.height).toBe(384);
  await box.evaluate((element) => element.scrollTo({ top: 2000 }));
  await expect(list.getByRole('checkbox', { name: 'Session 800', exact: true })).toBeVisible();
  expect(await list.getByRole('listitem').count()).toBeLessThanOrEqual(96);
  await choose(page, bulk.getByRole('combobox', { name: 'Cohort' }), 'Autumn');
  await expect(bulk.getByRole('status').last()).toContainText('1 activity is in this cohort already.');
  await expectAccessible(page);
  await failWith(page, assignActivities.path, 'Assigning all went wrong.');
  await bulk.getByRole('button', { name: 'Assign 249 activities' }).click();
  await expect(toast(page, 'Assignment Failed')).toContainText('Assigning all went wrong.');
  await page.unrouteAll();
  await bulk.getByRole('button', { name: 'Assign 249 activities' }).click();
  await expect(toast(page, 'Activities Assigned')).toContainText('249 activities assigned to Autumn.');
  await choose(page, page.getByRole('combobox', { name: 'Cohort' }), 'Autumn');
  await expect(page.getByText('249 activities', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByRole('button', { name: 'Previous page' })).toBeEnabled();
  expect(await rows(page).count()).toBe(50);
  const assigned = await db.selectFrom('trainingActivities').select('id').where('cohortId', '=', cohort.id).execute();
  expect(assigned).toHaveLength(249);
});

test('TRAIN-26 SEC1-10 ERR1-07 what cannot be loaded is said with its reason, and a person who is no admin is denied', async ({
  page,
  openWindow,
}) => {
  await signIn(page, instance.url, adminEmail);
  await failWith(page, `${listTrainingActivities.path}*`, 'Reading went wrong.', 404);
  await page.goto(`${instance.url}/admin/training-management`);
  const failure = page
    .getByRole('alert')
    .filter({ hasText: 'Failed to load training management data: Reading went wrong.' });
  await expect(failure).toBeVisible();
  await tryAgain(page, `**${listTrainingActivities.path}*`, {
    button: failure.getByRole('button', { name: 'Try again' }),
  });
  await expect(page.getByRole('heading', { name: 'No activities yet' })).toBeVisible();
  const foreign = await openWindow();
  await enter(foreign, instance, await buildCoach(instance.db));
  await foreign.goto(`${instance.url}/admin/training-management`);
  await expect(foreign.getByText("You don't have permission to access training management.")).toBeVisible();
});

async function open(page: Page) {
  await signIn(page, instance.url, adminEmail);
  await page.goto(`${instance.url}/admin/training-management`);
}

function rows(page: Page): Locator {
  return page.getByRole('region', { name: 'Training activities' }).locator('tbody tr');
}

async function optionsOf(page: Page, field: Locator): Promise<string[]> {
  await field.click();
  const options = await page.getByRole('option').allInnerTexts();
  await page.keyboard.press('Escape');
  return options;
}

async function choose(page: Page, field: Locator, option: string | RegExp) {
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

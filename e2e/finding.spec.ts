import type { Page } from '@playwright/test';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { expectAccessible } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { enter, heading, pathOf, sidebar, startInstanceWithRoles } from './shell-people.ts';
import { expect, test } from './support.ts';
import { tryAgain } from './try-again.ts';

let instance: InstanceWithDatabase;
let personId: string;
test.beforeAll(async () => {
  instance = await startInstanceWithRoles();
  const { db } = instance;
  const person = await buildParticipant(db, { firstName: 'Łukasz', lastName: 'García Ñandú' });
  personId = person.id;
  const cohort = await buildCohort(db, { status: 'active' });
  await enrol(db, { cohortId: cohort.id, participantId: person.id });
  const activity = await buildActivity(db, { cohortId: cohort.id, title: 'Transformer maintenance', weekNumber: 3 });
  await buildAssignment(db, { trainingActivityId: activity.id, title: 'Transformer report' });
});
test.afterAll(() => instance.stop());

const field = (page: Page) => page.getByRole('combobox', { name: 'Find' });
const found = (page: Page) => page.getByRole('listbox', { name: 'Found' });

test('by keyboard alone: Ctrl+K opens it, words in any order find a person, Enter goes there', async ({ page }) => {
  await enter(instance, page, 'admin');
  await page.goto(`${instance.url}/change-password`);
  await expect(heading(page, 'Change Password')).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('garcia lukasz');
  await expect(found(page).getByRole('group', { name: 'People' }).getByRole('option')).toHaveText([
    /Łukasz García Ñandú/,
  ]);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeHidden();
  await expect.poll(() => page.url()).toContain(personId);
});

test('what is typed right after Ctrl+K, while the code of the search is on its way, is kept', async ({ page }) => {
  const gate = Promise.withResolvers<void>();
  let held = 0;
  await page.route(/\/(FinderDialog|DialogWindow)-[^/]*\.js$/, async (route) => {
    held += 1;
    await gate.promise;
    await route.continue();
  });
  await enter(instance, page, 'admin');
  await page.goto(`${instance.url}/change-password`);
  await expect(heading(page, 'Change Password')).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('garciq');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('a luk');
  expect(held).toBeGreaterThan(0);
  await expect(field(page)).toHaveCount(0);
  gate.resolve();
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('asz');
  await expect(field(page)).toHaveValue('garcia lukasz');
  await expect(found(page).getByRole('group', { name: 'People' }).getByRole('option')).toHaveText([
    /Łukasz García Ñandú/,
  ]);
  await page.keyboard.press('Escape');
  await expect(field(page)).toBeHidden();
  await page.keyboard.press('Control+k');
  await expect(field(page)).toHaveValue('');
});

test('it finds work and screens by name, and says if there is nothing', async ({ page }) => {
  await enter(instance, page, 'admin');
  await page.goto(`${instance.url}/change-password`);
  await sidebar(page).getByRole('button', { name: 'Find' }).click();
  await field(page).fill('transformer');
  await expect(found(page).getByRole('group', { name: 'Activities' })).toContainText('Transformer maintenance');
  await expect(found(page).getByRole('group', { name: 'Assignments' })).toContainText('Transformer report');
  await field(page).fill('zebra crossing');
  await expect(page.getByText('Nothing found for “zebra crossing”')).toBeVisible();
  await field(page).fill('log audit');
  await expect(found(page).getByRole('option')).toHaveText(['Audit Log']);
  await page.keyboard.press('Enter');
  await expect.poll(() => pathOf(page)).toBe('/admin/audit-log');
});

test('an act leads to its screen with the dialog open, and does nothing by itself', async ({ page }) => {
  await enter(instance, page, 'admin');
  await page.goto(`${instance.url}/change-password`);
  await expect(heading(page, 'Change Password')).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('add activity');
  await expect(found(page).getByRole('option')).toHaveText([/^Add an activity/]);
  await page.keyboard.press('Enter');
  const adding = page.getByRole('dialog', { name: 'Add activity' });
  await expect(adding).toBeVisible();
  await expect(adding.locator(':focus')).toHaveCount(1);
  await expect.poll(() => new URL(page.url()).search).toBe('?tab=activities');
  await page.keyboard.press('Escape');
  await expect(adding).toBeHidden();

  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('enroll garcia');
  await expect(found(page).getByRole('group', { name: 'What you can do' }).getByRole('option')).toHaveText([
    /^Enroll Łukasz García Ñandú/,
  ]);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Enroll in a cohort' })).toBeVisible();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/people/${personId}`);
});

test('a search that fails says so and can be tried again; what was typed stays', async ({ page }) => {
  await enter(instance, page, 'admin');
  await page.goto(`${instance.url}/change-password`);
  await expect(heading(page, 'Change Password')).toBeVisible();
  await page.route('**/api/found?*', (route) => route.fulfill({ status: 404, body: '{}' }));
  await page.keyboard.press('Control+k');
  await field(page).fill('transformer');
  await expect(page.getByText('Not loaded')).toBeVisible();
  await tryAgain(page, '**/api/found?*');
  await expect(found(page)).toContainText('Transformer maintenance');
  await expect(field(page)).toHaveValue('transformer');
});

test('a phone has it in its header, and Escape leads back', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await enter(instance, page, 'participant');
  await page.goto(`${instance.url}/change-password`);
  await page.getByRole('banner').getByRole('button', { name: 'Find' }).click();
  await expect(found(page).getByRole('option', { name: 'My Stipends', exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(field(page)).toBeHidden();
});

test('More lists the screens that the navigation does not, and stays as it was left', async ({ page }) => {
  await enter(instance, page, 'admin');
  await page.goto(`${instance.url}/change-password`);
  const more = sidebar(page).getByRole('button', { name: 'More' });
  const questions = sidebar(page).getByRole('link', { name: 'Stipend Questions' });
  await expect(questions).toBeHidden();
  await more.click();
  await questions.click();
  await expect.poll(() => pathOf(page)).toBe('/stipend-questions');
  await expect(questions).toHaveAttribute('aria-current', 'page');
  await page.reload();
  await expect(questions).toBeVisible();
  await more.click();
  await expect(questions).toBeHidden();
});

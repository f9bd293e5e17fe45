import type { Page } from '@playwright/test';
import { buildCohort, buildCourse } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { expectAccessibleEverywhere } from './axe.ts';
import { addressOf } from './demo-pages.ts';
import { coachWithWork } from './home-people.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { enter } from './learning-people.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { expect, signIn, test } from './support.ts';
import { toast } from './toasts.ts';

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase('admin@people.example');
});
test.afterAll(() => instance.stop());

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const history = (page: Page) => page.getByRole('list', { name: 'History' }).getByRole('listitem');

test('a coach opens a participant from the dashboard, reads how they stand and what happened, and filters it', async ({
  page,
}) => {
  const { coach } = await coachWithWork(instance);
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/dashboard`);
  await page.getByRole('link', { name: 'Person12 Rivera', exact: true }).click();
  await expect(title(page, 'Person12 Rivera')).toBeVisible();
  await expect(section(page, 'Standing now')).toContainText('1 activity overdue');
  await expect(section(page, 'Contact and account')).toContainText('Casey Cole');
  await expect(page.getByRole('button', { name: /^(Edit|More for)/ })).toHaveCount(0);
  await expect(history(page)).toHaveText([/^Account created/, /^Joined Cohort/]);
  await expectAccessibleEverywhere(page);

  await page.getByRole('combobox', { name: 'Show' }).click();
  await page.getByRole('option', { name: 'Pay' }).click();
  await expect(page.getByText('Nothing of this kind is on record yet.')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Show' })).toHaveValue('Pay');
  await page.getByRole('link', { name: 'Send a message' }).click();
  await page.waitForURL(/\/cohorts\?with=/);
});

test('a history goes by days, begins with the latest twelve lines on a phone, and has the earlier ones on demand', async ({
  page,
  demo,
}) => {
  await signIn(page, demo.url, 'coach@demo.example');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(demo.url + (await addressOf(page.request, demo, '/people/one')));
  await expect(history(page)).toHaveCount(12);
  const days = section(page, 'History').getByRole('heading', { level: 3 });
  await expect(days.first()).toHaveText(/^\w{3} \d+ \w{3} \d{4}$/);
  const days12 = await days.count();
  const earlier = page.getByRole('button', { name: 'Show earlier' });
  await earlier.press('Enter');
  await expect(history(page)).toHaveCount(30);
  expect(await days.count()).toBeGreaterThan(days12);
  await expect(earlier).toBeFocused();
  await earlier.press('Enter');
  await expect.poll(() => history(page).count()).toBeGreaterThan(30);
  await expectAccessibleEverywhere(page);
});

test('staff note what no record says; a restricted note is read after a reason, and removed by its author', async ({
  page,
  openWindow,
}) => {
  const { coach, people } = await coachWithWork(instance);
  const address = `${instance.url}/people/${people[0]?.id}`;
  const notes = (window: Page) => section(window, 'Staff notes');
  await enter(page, instance, coach);
  await page.goto(address);
  await page.getByRole('button', { name: 'Write a note' }).click();
  await page.getByRole('button', { name: 'Save note' }).click();
  await expect(page.getByText('Please write a note.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Note' }).fill('Told me about an illness');
  await page.getByRole('radio', { name: 'Restricted' }).check();
  await page.getByRole('button', { name: 'Save note' }).click();
  await expect(toast(page, 'Note Saved')).toBeVisible();
  await expect(notes(page)).toContainText('Restricted note');
  await expect(notes(page)).not.toContainText('illness');

  const ofAdmin = await openWindow();
  await enter(ofAdmin, instance, await buildAdmin(instance.db));
  await ofAdmin.goto(address);
  await notes(ofAdmin).getByRole('button', { name: 'Read the note by Casey Cole' }).click();
  const dialog = ofAdmin.getByRole('dialog', { name: 'Restricted note' });
  await dialog.getByRole('button', { name: 'Read note' }).click();
  await expect(dialog.getByText('Please say why you read it.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Why do you read it?' }).fill('Asked for a leave');
  await dialog.getByRole('button', { name: 'Read note' }).click();
  await expect(dialog).toContainText('Told me about an illness');
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await notes(page).getByRole('button', { name: 'Remove the note by Casey Cole' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove note' }).click();
  await expect(toast(page, 'Note Removed')).toBeVisible();
  await expect(notes(page)).toContainText('No notes yet.');
  await expect(notes(ofAdmin)).toContainText('No notes yet.');
});

test('an admin comes from User Management, corrects a name and moves the person to a cohort on their page', async ({
  page,
}) => {
  const { db } = instance;
  const person = await buildParticipant(db, { firstName: 'Marguerite', lastName: 'Vandersteen' });
  await buildCourse(db);
  await buildCohort(db, { name: 'Line workers of spring', status: 'active' });
  await enter(page, instance, await buildAdmin(db));
  await page.goto(`${instance.url}/admin/user-management?search=Vandersteen`);
  await page.getByRole('link', { name: 'Marguerite Vandersteen' }).click();
  await expect(title(page, 'Marguerite Vandersteen')).toBeVisible();
  await expect(page.getByText('Marguerite is in no cohort, so there is nothing to judge yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Edit Marguerite Vandersteen' }).click();
  await page.getByRole('textbox', { name: 'Last name' }).fill('van der Steen');
  await page.keyboard.press('Enter');
  await expect(toast(page, 'User Updated')).toBeVisible();
  await expect(title(page, 'Marguerite van der Steen')).toBeVisible();
  await page.getByRole('button', { name: 'More for Marguerite van der Steen' }).click();
  await expect(page.getByRole('menuitem')).toHaveText([
    'Enroll in a cohort',
    'Recent sign-ins',
    'Sign out everywhere',
    'Delete user',
  ]);
  await page.getByRole('menuitem', { name: 'Enroll in a cohort' }).click();
  const dialog = page.getByRole('dialog', { name: 'Enroll in a cohort' });
  await dialog.getByRole('combobox', { name: 'Cohort' }).click();
  await page.getByRole('option', { name: /Line workers of spring/ }).click();
  await dialog.getByRole('button', { name: 'Enroll participant' }).click();
  await expect(toast(page, 'Cohort Assignment Successful')).toBeVisible();
  await expect(section(page, 'Contact and account')).toContainText('Line workers of spring');
  await expect(history(page).first()).toContainText('Joined Line workers of spring');

  await page.getByRole('button', { name: 'More for Marguerite van der Steen' }).click();
  await page.getByRole('menuitem', { name: 'Delete user' }).click();
  await page.getByRole('button', { name: 'Delete user' }).click();
  await page.waitForURL('**/admin/user-management');
  await page.goto(`${instance.url}/people/${person.id}`);
  await expect(page.getByRole('heading', { name: 'Person not found' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByRole('link', { name: 'Go to User Management' }).click();
  await page.waitForURL('**/admin/user-management');
});

test('a coach does not open another coach’s participant, a participant nobody’s page', async ({ page, openWindow }) => {
  const { people } = await coachWithWork(instance);
  const address = `${instance.url}/people/${people[0]?.id}`;
  await enter(page, instance, await buildCoach(instance.db));
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'Person not found' })).toBeVisible();
  const other = await openWindow();
  const [robin] = people;
  if (!robin) throw new Error('The coach has participants.');
  await enter(other, instance, robin);
  await other.goto(address);
  await expect(title(other, 'Access Denied')).toBeVisible();
});

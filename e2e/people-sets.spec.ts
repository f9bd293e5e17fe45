import type { Page } from '@playwright/test';
import { invitePeople } from '#server/sign-in/invitations.ts';
import { buildCohort, buildCourse, enrol } from '#test/factories/cohorts.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { expectAccessibleEverywhere } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { expect, signIn, test } from './support.ts';
import { toast } from './toasts.ts';

const adminEmail = 'admin@people.example';
const names = ['Ann', 'Ben', 'Cid', 'Dot'];
let instance: InstanceWithDatabase;

test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(adminEmail, {});
  const { db } = instance;
  await buildCourse(db);
  const cohort = await buildCohort(db, { name: 'Spring 2027', capacity: 60 });
  await buildCoach(db, { firstName: 'Nora', lastName: 'Nye' });
  for (const firstName of names) {
    const person = await buildParticipant(db, { firstName, email: `${firstName}@chosen.example`.toLowerCase() });
    if (firstName === 'Dot') await enrol(db, { cohortId: cohort.id, participantId: person.id });
  }
  for (let index = 0; index < 51; index += 1) {
    await buildParticipant(db, { firstName: `Crowd ${index}`, email: `crowd-${index}@crowd.example` });
  }
});
test.afterAll(() => instance.stop());

const bar = (page: Page) => page.getByRole('region', { name: 'Selected rows' });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name} Reyes` });

async function openUsers(page: Page, search: string) {
  await signIn(page, instance.url, adminEmail);
  await page.goto(`${instance.url}/admin/user-management?search=${encodeURIComponent(search)}&order=name`);
  await expect(page.getByRole('region', { name: 'Users', exact: true }).locator('tbody tr').first()).toBeVisible();
}

async function choose(page: Page, label: string, option: string) {
  await page.getByRole('combobox', { name: label }).click();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { name: option }).click();
}

test('chosen people are enrolled together: the numbers are said before, and those who cannot be are named', async ({
  page,
}) => {
  await openUsers(page, '@chosen.');
  for (const name of names) await box(page, name).check();
  await expect(bar(page)).toContainText('4 people selected');
  await bar(page).getByRole('button', { name: 'Enroll in a cohort' }).click();
  const asked = dialog(page, 'Enroll in a cohort');
  await choose(page, 'Cohort', 'Spring 2027');
  await expect(asked.getByText('4 people: 3 can be enrolled in Spring 2027, 1 cannot.')).toBeVisible();
  await expect(asked.getByText('1: Already in Spring 2027 (Dot Reyes)')).toBeVisible();
  await expectAccessibleEverywhere(page);
  await asked.getByRole('button', { name: 'Enroll 3 people' }).click();
  await expect(toast(page, 'Cohort Assignment Successful')).toContainText('3 people are in Spring 2027 now.');
  await expect(bar(page)).toBeHidden();
  const rows = page.getByRole('region', { name: 'Users', exact: true }).locator('tbody tr');
  await expect(rows.filter({ hasText: 'Spring 2027' })).toHaveCount(4);
});

test('chosen people get a coach together, by keyboard alone', async ({ page }) => {
  await openUsers(page, '@chosen.');
  await page.getByRole('checkbox', { name: 'Select all rows shown' }).press('Space');
  await bar(page).getByRole('button', { name: 'Assign a coach' }).press('Enter');
  const asked = dialog(page, 'Assign a coach');
  await page.getByRole('combobox', { name: 'Coach' }).press('ArrowDown');
  await expect(page.getByRole('option', { name: /Nora Nye/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(asked.getByText(/^4 people: \d can be assigned to Nora Nye/)).toBeVisible();
  await asked.getByRole('button', { name: /^Assign \d p/ }).press('Enter');
  await expect(toast(page, 'Assignment Successful')).toContainText('assigned to Nora Nye');
  await page.getByRole('checkbox', { name: 'Select all rows shown' }).press('Space');
  await bar(page).getByRole('button', { name: 'Assign a coach' }).press('Enter');
  await page.getByRole('combobox', { name: 'Coach' }).press('ArrowDown');
  await expect(page.getByRole('option', { name: /Nora Nye/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(asked.getByText(/none can be assigned to Nora Nye/)).toBeVisible();
  await expect(asked.getByRole('button', { name: /^Assign/ })).toHaveCount(0);
});

test('all that match are chosen by one press, on every page, and stay the same people under other filters', async ({
  page,
}) => {
  await openUsers(page, '@crowd.');
  await page.getByRole('button', { name: 'Select all 51 found' }).click();
  await expect(bar(page)).toContainText('51 people selected, 1 not on this page');
  await page.getByRole('searchbox', { name: 'Search' }).fill('@chosen.');
  await expect(bar(page)).toContainText('51 people selected, 51 not on this page');
  await bar(page).getByRole('button', { name: 'Send invitations again' }).click();
  const asked = dialog(page, 'Send invitations again');
  await expect(asked.getByText('51 people: none can be invited again.')).toBeVisible();
  await expect(asked.getByText(/51: Registered themselves, without an invitation/)).toBeVisible();
  await asked.getByRole('button', { name: 'Close', exact: true }).last().click();
  await bar(page).getByRole('button', { name: 'Clear selection' }).click();
  await expect(bar(page)).toBeHidden();
});

test('invitations go again to the chosen people at once', async ({ page }) => {
  const { db } = instance;
  const secret = 'a secret that is only for this test, long enough';
  for (const firstName of ['Eve', 'Fay']) {
    const person = await buildParticipant(db, { firstName, email: `${firstName}@invited.example`.toLowerCase() });
    await invitePeople(db, [{ ...person, userId: person.id }], null, {
      secrets: [secret],
      config: { publicUrl: instance.url },
    });
  }
  await openUsers(page, '@invited.');
  await page.getByRole('checkbox', { name: 'Select all rows shown' }).check();
  await bar(page).getByRole('button', { name: 'Send invitations again' }).click();
  const asked = dialog(page, 'Send invitations again');
  await expect(asked.getByText('2 people: all can be invited again.')).toBeVisible();
  await asked.getByRole('button', { name: 'Invite 2 people' }).click();
  await expect(toast(page, 'Invitations Sent')).toContainText('2 invitations sent.');
});

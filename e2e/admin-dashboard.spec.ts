import type { Page } from '@playwright/test';
import { listUsers } from '#contract/user-management.ts';
import { buildCohort, buildCourse } from '#test/factories/cohorts.ts';
import { buildAssignment } from '#test/factories/curriculum.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { expectAccessible, expectAccessibleEverywhere } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { expect, signIn, test } from './support.ts';
import { toast } from './toasts.ts';
import { tryAgain } from './try-again.ts';

const admin = 'admin@people.example';
let instance: InstanceWithDatabase;

test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(admin);
  await buildCourse(instance.db);
  await buildCoach(instance.db);
  const { id: userId } = await buildParticipant(instance.db, { trackType: null });
  await buildCohort(instance.db, { name: 'Spring 2027', startDate: '2027-02-01', status: 'planning' });
  const { id: assignmentId } = await buildAssignment(instance.db);
  await buildSubmission(instance.db, { assignmentId, userId });
});
test.afterAll(() => instance.stop());
test.beforeEach(async ({ page }) => {
  await signIn(page, instance.url, admin);
  await page.goto(`${instance.url}/dashboard`);
});

function section(page: Page, name: string) {
  return page.getByRole('region', { name, exact: true });
}

async function register(page: Page, userId: string) {
  await page.getByRole('combobox', { name: 'User ID' }).fill(userId);
  await page.getByRole('button', { name: 'Register user' }).click();
}

test('ADMIN-01 ADMIN-02 ADMIN-03 ADMIN-05 ADMIN-06 ADMIN-07 ADMIN-08 ADMIN-09 ADMIN-10 shows figures and links, which axe finds nothing against', async ({
  page,
}) => {
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Dashboard' })).toBeVisible();
  await expect(section(page, 'Total Users')).toContainText(/3.*in 7 days/);
  await expect(section(page, 'Active Cohorts')).toContainText(/0.*, 1 in planning/);
  await expect(section(page, 'Pending Reviews')).toContainText(/1.*1 handed in during the last 7 days/);
  await expect(section(page, 'Recent Activity (Last 7 Days)')).toContainText(
    'New users3New submissions1Active cohorts0Planning cohorts1',
  );
  await expect(section(page, 'Users by Role')).toContainText('Participants1 (33%)Coaches1 (33%)Admins1 (33%)');
  await expect(section(page, 'Participants by Track')).toContainText('No track1 (100%)');

  const addressesIn = async (name: string) => {
    const links = section(page, name).getByRole('link');
    return Promise.all(
      (await links.all()).map(async (link) => [await link.innerText(), await link.getAttribute('href')]),
    );
  };
  expect(await addressesIn('To do')).toEqual([
    ['Reviews waiting for a coach', '/submissions'],
    ['Participants without a coach', '/admin/assign-participants'],
    ['Eligible stipends to approve', '/admin/stipend-management'],
    ['Questions about stipends', '/stipend-questions'],
    ['Requests for a coach or admin role', '/admin/user-management'],
    ['Uploads with failed records in the last 7 days', '/admin/bulk-invitations'],
    ['Emails and messages we could not deliver', '/admin/deliveries'],
  ]);
  expect(await addressesIn('System Management')).toEqual([
    ['Training Management', '/admin/training-management'],
    ['Messages', '/cohorts'],
    ['Content Management', '/admin/content-management'],
    ['Programme Setup', '/admin/programme-setup'],
    ['Cohort Progress', '/cohort-progress'],
    ['Undelivered Messages', '/admin/deliveries'],
    ['Attendance Corrections', '/attendance-corrections'],
    ['Stipend Questions', '/stipend-questions'],
    ['Audit Log', '/admin/audit-log'],
  ]);
  expect(await addressesIn('Quick Actions')).toEqual([
    ['Messages', '/cohorts'],
    ['Bulk User Creation', '/admin/bulk-invitations'],
    ['Submissions', '/submissions'],
  ]);
  await expectAccessibleEverywhere(page);
});

test('ADMIN-11 ADMIN-12 ADMIN-15 ADMIN-16 ADMIN-17 ADMIN-18 registers a user by ID, and says why where it cannot', async ({
  page,
}) => {
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/fellowship-enrolments')) requests += 1;
  });
  await register(page, '   ');
  await expect(page.getByText('Please enter a user ID to search for')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'User ID' })).toBeFocused();
  expect(requests).toBe(0);

  const user = await buildParticipant(instance.db, { firstName: 'Nadia', lastName: 'Ng' });
  await register(page, user.id);
  await expect(toast(page, 'Registration Failed', 'The fellowship cohort was not found.')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'User ID' })).toHaveValue(user.id);

  const cohort = await buildCohort(instance.db, { name: 'Fall 2026' });
  await register(page, 'no-such-id');
  await expect(toast(page, 'Registration Failed', 'The user no-such-id was not found in profiles.')).toBeVisible();

  const field = page.getByRole('combobox', { name: 'User ID' });
  await page.route(`**${listUsers.path}?*`, (route) => route.fulfill({ status: 503, body: 'away' }));
  await field.fill('nadia');
  await expect(page.getByRole('alert').filter({ hasText: 'People could not be searched' })).toBeVisible();
  await tryAgain(page, `**${listUsers.path}?*`, {
    button: page.getByRole('alert').getByRole('button', { name: 'Try again' }),
  });
  await expect(page.getByText('People could not be searched')).toBeHidden();
  const namesake = await buildParticipant(instance.db, { firstName: 'Nadia', lastName: 'Nye' });
  await field.fill('nadia n');
  await field.press('Enter');
  await expect(page.getByText('More than one match: choose one of them')).toBeVisible();
  await field.fill(namesake.email);
  await field.press('Enter');
  await expect(field).toHaveValue(namesake.id);
  await expect(page.getByRole('status').filter({ hasText: 'Nadia Nye' })).toBeVisible();

  await register(page, user.id);
  await expect(toast(page, 'User Registered', `Nadia Ng is now registered in ${cohort.name}.`)).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'User ID' })).toHaveValue('');
  await expect(section(page, 'Active Enrollments')).toContainText('1');

  await register(page, user.id);
  await expect(toast(page, 'Registration Failed', 'Nadia Ng is already registered in Fall 2026.')).toBeVisible();
});

test('ADMIN-20 a failed read shows zeros that are marked as not loaded, and can be tried again', async ({ page }) => {
  await page.route('**/api/dashboards/admin', (route) => route.fulfill({ status: 500, body: 'broken' }));
  await page.reload();
  await expect(page.getByText('The figures could not be loaded')).toBeVisible();
  for (const card of ['Total Users', 'Active Cohorts', 'Active Enrollments', 'Pending Reviews']) {
    await expect(section(page, card)).toContainText('0Not loaded');
  }
  await expect(page.getByRole('combobox', { name: 'User ID' })).toBeVisible();
  await instance.db.schema.alterTable('cohortParticipants').renameTo('enrolmentsElsewhere').execute();
  await tryAgain(page, '**/api/dashboards/admin', {
    button: page.getByRole('button', { name: 'Try again', exact: true }),
  });
  await expect(page.getByText('The figures could not be loaded')).toBeHidden();
  await expect(section(page, 'Active Enrollments')).toContainText('0Not loaded');
  await expect(section(page, 'Total Users')).not.toContainText('Not loaded');
  await instance.db.schema.alterTable('enrolmentsElsewhere').renameTo('cohortParticipants').execute();
  await expect(page.getByRole('button', { name: /Try again/ })).toHaveCount(1);
  await page.getByRole('button', { name: 'Try again Active Enrollments' }).click();
  await expect(section(page, 'Active Enrollments')).not.toContainText('Not loaded');
});

test('a phone says first what waits; each other heading tells its figure, opens by keyboard and stays as it was left', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${instance.url}/dashboard`);
  await expect(section(page, 'To do').getByRole('link')).toHaveCount(7);
  await expect(section(page, 'Recent Activity (Last 7 Days)')).toContainText(/New users \d+, New submissions 1, /);
  await expect(section(page, 'Users by Role')).toContainText(/Participants \d+, Coaches 1, Admins 1/);
  await expect(section(page, 'Participants by Track')).toContainText(/No track 1/);
  await expect(section(page, 'Quick Actions').getByRole('link')).toHaveCount(0);
  // 4,788 px in the demo without folds.
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2100);

  await page.getByRole('button', { name: 'Quick Actions' }).press('Enter');
  await page.getByRole('button', { name: 'Register in the fellowship cohort' }).press('Enter');
  await page.getByRole('combobox', { name: 'User ID' }).fill('no-such-id');
  await section(page, 'Quick Actions').getByRole('link', { name: 'Submissions' }).click();
  await page.waitForURL('**/submissions');
  await page.goBack();
  await expect(section(page, 'Quick Actions').getByRole('link')).toHaveCount(3);
  await expect(page.getByRole('combobox', { name: 'User ID' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Quick Actions' }).click();
  await expect(section(page, 'Quick Actions').getByRole('link')).toHaveCount(0);
});

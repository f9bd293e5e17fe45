import type { Page } from '@playwright/test';
import { readSession } from '#contract/accounts.ts';
import { confirmAccount } from './account-pages.ts';
import { expectAccessible } from './axe.ts';
import { startDemoInstance } from './demo-instance.ts';
import type { Instance } from './instance.ts';
import { chosenPassword, demoPassword, expect, pressAsSessionEnds, signIn, signInByForm, test } from './support.ts';
import { toast } from './toasts.ts';

let instance: Instance;

test.beforeAll(async () => {
  instance = await startDemoInstance();
});
test.afterAll(() => instance.stop());

const superadminLabels = ['Email', 'Password', 'Confirm password', 'First name', 'Last name'];

/** Collects the bodies that the page sends to the function which creates admins. */
function watchCreations(page: Page): unknown[] {
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/functions/v1/create-admin-user')) sent.push(request.postDataJSON());
  });
  return sent;
}

async function openSuperadminForm(page: Page) {
  await signIn(page, instance.url, 'admin@demo.example');
  await page.goto(`${instance.url}/admin/create-superadmin`);
  const field = (label: string) => page.getByLabel(label, { exact: true });
  return {
    field,
    submit: page.getByRole('button', { name: 'Create superadmin' }),
    fill: async (email: string, password: string, confirmation = password) => {
      await field('Email').fill(email);
      await field('Password').fill(password);
      await field('Confirm password').fill(confirmation);
      await field('First name').fill('Nia');
      await field('Last name').fill('Nox');
    },
  };
}

test('SUPER-01 SUPER-02 SUPER-03 SUPER-04 the superadmin form has five fields, and sends nothing while one is wrong', async ({
  page,
}) => {
  const sent = watchCreations(page);
  const { field, fill, submit } = await openSuperadminForm(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Create Superadmin Account' })).toBeVisible();
  await expect(page.locator('form input')).toHaveCount(superadminLabels.length);
  await expectAccessible(page);

  for (const empty of superadminLabels) {
    await fill('nia@people.example', 'Turbine-7');
    await field(empty).fill('');
    await submit.click();
    await expect(field(empty)).toHaveAttribute('aria-invalid', 'true');
  }
  await fill('nia@people.example', 'Turbine-7', 'Turbine-8');
  await submit.click();
  await expect(page.getByText('Passwords do not match')).toBeVisible();
  await expect(field('Confirm password')).toBeFocused();
  await fill('nia@people.example', 'Turbin7');
  await submit.click();
  await expect(page.getByText('Password must be at least 8 characters long')).toBeVisible();
  expect(sent).toEqual([]);
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Discard your changes?' })).toBeVisible();
});

test('SUPER-04 SUPER-05 SUPER-06 SUPER-07 SUPER-09 ERR1-06 ERR1-10 a superadmin is created and signs in; a refusal is shown as it came', async ({
  page,
  openWindow,
}) => {
  const sent = watchCreations(page);
  const { field, fill, submit } = await openSuperadminForm(page);
  await fill('nia@people.example', 'turbineq');
  await submit.click();
  await expect(toast(page, 'Superadmin Created')).toBeVisible();
  expect(sent).toEqual([{ email: 'nia@people.example', password: 'turbineq', firstName: 'Nia', lastName: 'Nox' }]);
  for (const label of superadminLabels) await expect(field(label)).toHaveValue('');

  await fill('Nia@people.example', 'turbineq');
  await submit.click();
  await expect(toast(page, 'Creation Failed')).toContainText(
    'A user with this email address has already been registered',
  );
  await expect(field('Email')).toHaveValue('Nia@people.example');
  await fill('common@people.example', 'Passw0rd');
  await submit.click();
  await expect(toast(page, 'Creation Failed').filter({ hasText: 'one of the most common' })).toBeVisible();
  await expect(field('Password')).toBeFocused();

  const other = await openWindow();
  await signInByForm(other, instance.url, 'nia@people.example', 'turbineq');
  await other.goto(`${instance.url}/admin/user-management`);
  // An admin with a given password can do nothing before they choose their own.
  await expect(other.getByRole('heading', { level: 1, name: 'Change Password' })).toBeVisible();
  await expect(other.getByText('Choose your own password first')).toBeVisible();
  await other.getByLabel('Current password').fill('turbineq');
  await other.getByLabel('New password', { exact: true }).fill('Own-Turbine-7');
  await other.getByLabel('Confirm new password').fill('Own-Turbine-7');
  await other.getByRole('button', { name: 'Change password' }).click();
  await expect(toast(other, 'Password Updated Successfully')).toBeVisible();
  await other.waitForURL('**/dashboard');
  await other.goto(`${instance.url}/admin/user-management`);
  await expect(other.getByRole('heading', { level: 1, name: 'User Management' })).toBeVisible();
});

test('SUPER-08 ERR1-04 when the session is gone the form says so and sends nothing; signed in again, it still holds what was typed', async ({
  page,
}) => {
  const sent = watchCreations(page);
  const { field, fill, submit } = await openSuperadminForm(page);
  await fill('late@people.example', 'Turbine-7');
  await pressAsSessionEnds(page, submit, `**${readSession.path}`);
  await expect(toast(page, 'No valid session found')).toContainText('Please log in again');
  const dialog = page.getByRole('dialog', { name: 'Authentication Required' });
  await expect(dialog.getByLabel('Email', { exact: true })).toHaveValue('admin@demo.example');
  expect(sent).toEqual([]);

  await dialog.getByLabel('Password', { exact: true }).fill(demoPassword);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(dialog).toBeHidden();
  await expect(field('Email')).toHaveValue('late@people.example');
  await submit.click();
  await expect(toast(page, 'Superadmin Created')).toBeVisible();
});

test('SUPER-12 a coach and a participant see Access Denied with its reason, and no form', async ({ page }) => {
  for (const role of ['coach', 'participant']) {
    await signIn(page, instance.url, `${role}@demo.example`);
    await page.goto(`${instance.url}/admin/create-superadmin`);
    await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
    await expect(
      page.getByText('Only existing administrators can create new superadmin accounts.', { exact: true }),
    ).toBeVisible();
    await expect(page.locator('form')).toHaveCount(0);
    await page.context().clearCookies();
  }
});

const requestsOn = (page: Page) => page.getByRole('region', { name: /^Role requests/ }).getByRole('row');

async function registerApplicant(page: Page, email: string): Promise<void> {
  const body = { firstName: 'Gwen', lastName: 'Aspinall', email, password: chosenPassword };
  const registered = await page.request.post(`${instance.url}/api/auth/sign-up/email`, {
    data: { ...body, requestedRole: 'coach', trackType: null },
  });
  expect(registered.ok(), await registered.text()).toBe(true);
}

test("AUTH-17 SEC1-21 an applicant sees the request pending, and the open screen becomes a coach's when an admin approves", async ({
  page,
  openWindow,
}) => {
  const email = 'gwen@applicants.example';
  await registerApplicant(page, email);
  const admin = await openWindow();
  await signIn(admin, instance.url, 'admin@demo.example');
  await admin.goto(`${instance.url}/admin/user-management`);
  const row = requestsOn(admin).filter({ hasText: email });
  await expect(row).toContainText('Not confirmed yet');
  await expect(row.getByRole('button', { name: 'Approve the request of Gwen Aspinall' })).toBeDisabled();
  await expectAccessible(admin);

  await confirmAccount(instance, page, email, chosenPassword);
  await expect(page.getByText('Your request to become a coach is pending')).toBeVisible();
  await expectAccessible(page);

  await admin.reload();
  await row.getByRole('button', { name: 'Approve the request of Gwen Aspinall' }).click();
  await expect(admin.getByRole('dialog')).toContainText('becomes a coach at once');
  // The toast goes by itself, so it is looked for from the start.
  const told = expect(toast(page, 'You are a coach now')).toBeVisible();
  await admin.getByRole('button', { name: 'Make coach' }).click();
  await told;
  await expect(toast(admin, 'Role Request Approved')).toBeVisible();
  await expect(row).toHaveCount(0);

  // A role with more power needs a new sign-in.
  const again = page.getByRole('dialog', { name: 'Authentication Required' });
  await again.getByLabel('Password', { exact: true }).fill(chosenPassword);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await expect(again).toBeHidden();
  await expect(page.getByText('Your request to become a coach is pending')).toHaveCount(0);
  await page.goto(`${instance.url}/coach`);
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: /Dashboard/ })).toBeVisible();
});

test('a declined applicant stays a participant, and a second decision finds the request decided', async ({
  page,
  openWindow,
}) => {
  const email = 'declined@applicants.example';
  await registerApplicant(page, email);
  await confirmAccount(instance, page, email, chosenPassword);
  const admins = [];
  for (let index = 0; index < 2; index += 1) {
    const admin = await openWindow({ viewport: { width: 360, height: 740 } });
    await signIn(admin, instance.url, 'admin@demo.example');
    await admin.goto(`${instance.url}/admin/user-management`);
    admins.push(admin);
  }
  const [first, second] = admins;
  if (!first || !second) throw new Error('Two admins are needed.');
  await second.route('**/api/live', (route) => route.abort());
  await second.reload();
  const decline = async (admin: Page) => {
    await admin.getByRole('button', { name: /^Role requests/ }).click();
    await requestsOn(admin)
      .filter({ hasText: email })
      .getByRole('button', { name: /^Decline/ })
      .click();
  };
  await decline(second);
  await decline(first);
  await first.getByRole('button', { name: 'Decline request' }).click();
  await expect(toast(first, 'Role Request Declined')).toBeVisible();
  await second.getByRole('button', { name: 'Decline request' }).click();
  await expect(toast(second, 'Request Not Decided')).toContainText('This request has been decided already.');
  await expect(requestsOn(second).filter({ hasText: email })).toHaveCount(0);

  await page.goto(`${instance.url}/dashboard`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('is pending')).toHaveCount(0);
});

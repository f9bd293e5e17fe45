import type { Page } from '@playwright/test';
import { type Instance, startInstance } from './instance.ts';
import { expect, expectAccessible, signIn, test } from './support.ts';

let instance: Instance;

test.beforeAll(async () => {
  instance = await startInstance({ DEMO: '1' });
});
test.afterAll(() => instance.stop());

const superadminLabels = ['Email', 'Password', 'Confirm password', 'First name', 'Last name'];

function toast(page: Page, title: string) {
  return page.locator('[data-toast]').filter({ hasText: title });
}

/** The bodies that the page sends to the function which creates admins. */
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
});

test('SUPER-04 SUPER-05 SUPER-06 SUPER-07 SUPER-09 a superadmin is created and signs in; a refusal is shown as it came', async ({
  page,
  browser,
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

  const other = await (await browser.newContext()).newPage();
  await signIn(other, instance.url, 'nia@people.example', 'turbineq');
  await other.goto(`${instance.url}/admin/user-management`);
  await expect(other.getByRole('heading', { level: 1, name: 'User Management' })).toBeVisible();
  await other.context().close();
});

test('SUPER-08 when the session is gone the form says so and sends nothing', async ({ page }) => {
  const sent = watchCreations(page);
  const { fill, submit } = await openSuperadminForm(page);
  await fill('late@people.example', 'Turbine-7');
  await page.context().clearCookies();
  await submit.click();
  await expect(toast(page, 'No valid session found')).toContainText('Please log in again');
  expect(sent).toEqual([]);
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

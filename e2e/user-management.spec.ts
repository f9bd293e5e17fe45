import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { startDemoInstance } from './demo-instance.ts';
import type { Instance } from './instance.ts';
import { expect, signIn, signInByForm, test } from './support.ts';
import { toast } from './toasts.ts';

let instance: Instance;

test.beforeAll(async () => {
  instance = await startDemoInstance();
});
test.afterAll(() => instance.stop());

const rows = (page: Page) => page.getByRole('region', { name: 'Users', exact: true }).locator('tbody tr');

async function openUsers(page: Page, query = '') {
  await signIn(page, instance.url, 'admin@demo.example');
  await page.goto(`${instance.url}/admin/user-management${query}`);
  await expect(rows(page).first()).toBeVisible();
}

test('USER-01 USER-37 USER-04 USER-05 USER-06 the sidebar leads to the list; its search and role stand in the address; no page has more than fifty rows', async ({
  page,
}) => {
  await signInByForm(page, instance.url, 'admin@demo.example');
  await page.getByRole('link', { name: 'User Management' }).click();
  await expect(page).toHaveURL(/\/admin\/user-management$/);
  await expect(page.getByRole('heading', { level: 1, name: 'User Management' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Assign Participants' })).toHaveAttribute(
    'href',
    '/admin/assign-participants',
  );
  await expect(page.getByRole('link', { name: 'Create Superadmin Account' })).toHaveAttribute(
    'href',
    '/admin/create-superadmin',
  );
  await expect(rows(page)).toHaveCount(50);
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled();
  expect(await rows(page).count()).toBeLessThan(50);
  await page.goBack();
  await expect(rows(page)).toHaveCount(50);

  await page.getByRole('searchbox', { name: 'Search' }).fill('DEMO.EXAMPLE');
  await expect(page).toHaveURL(/search=/);
  await page.getByRole('combobox', { name: 'Role' }).click();
  await expect(page.getByRole('option')).toHaveText(['All roles', 'Participant', 'Coach', 'Admin']);
  await page.getByRole('option', { name: 'Coach' }).click();
  await expect(page).toHaveURL(/role=coach/);
  await page.reload();
  await expect(rows(page).first()).toContainText('Coach');
  await expect(rows(page).filter({ hasNotText: 'Coach' })).toHaveCount(0);
  await expect(rows(page).filter({ hasNotText: 'demo.example' })).toHaveCount(0);
  const shown = await rows(page).count();
  await expect(page.getByText(`${shown} users found`)).toBeVisible();
});

test('USER-08 USER-11 USER-14 USER-19 ERR1-09 a row is edited by keyboard alone and keeps its values after a reload', async ({
  page,
}) => {
  await openUsers(page, '?search=participant@demo');
  const edit = page.getByRole('button', { name: /^Edit / });
  await edit.press('Enter');
  const first = page.getByRole('textbox', { name: 'First name' });
  await expect(first).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Not kept');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(rows(page).first()).not.toContainText('Not kept');
  await expect(edit).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(first).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Nadia-Ann');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(toast(page, 'User Updated')).toBeVisible();
  await expect(edit).toBeFocused();
  await page.reload();
  await expect(rows(page).first()).toContainText('Nadia-Ann');

  await page.goto(`${instance.url}/admin/user-management?search=admin@demo`);
  await expect(rows(page).first()).toContainText('(you)');
  await expect(page.getByRole('button', { name: /^More for / })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Delete / })).toHaveCount(0);
});

test('USER-16 USER-17 ERR1-09 deleting asks by name; declined the row stays, confirmed it is gone and stays gone', async ({
  page,
}) => {
  await openUsers(page, '?role=participant&order=oldest');
  const more = page.getByRole('button', { name: /^More for / }).last();
  const name = ((await more.getAttribute('aria-label')) ?? '').replace('More for ', '');
  const menu = page.getByRole('button', { name: `More for ${name}` });
  const remove = async () => {
    await menu.click();
    await page.getByRole('menuitem', { name: 'Delete user' }).click();
  };
  await remove();
  const dialog = page.getByRole('dialog', { name: 'Delete User' });
  await expect(dialog).toContainText(name);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(menu).toBeVisible();

  await remove();
  await dialog.getByRole('button', { name: 'Delete user' }).click();
  await expect(toast(page, 'User Deleted')).toBeVisible();
  await expect(menu).toHaveCount(0);
  await page.reload();
  await expect(rows(page).first()).toBeVisible();
  await expect(menu).toHaveCount(0);
});

test('USER-26 USER-30 USER-35 CASN-01 CASN-04 CASN-11 ERR1-09 somebody is enrolled without a coach, and is given one with a whole list', async ({
  page,
}) => {
  await openUsers(page, '?search=newcomer@demo');
  await page.getByRole('button', { name: /^More for / }).click();
  await page.getByRole('menuitem', { name: 'Enroll in a cohort' }).click();
  const dialog = page.getByRole('dialog', { name: 'Enroll in a cohort' });
  await dialog.getByRole('combobox', { name: 'Cohort' }).click();
  const option = page.getByRole('option', { name: /planning/ }).first();
  const cohort = ((await option.textContent()) ?? '').split(' (')[0] ?? '';
  await option.click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Enroll participant' }).click();
  await expect(toast(page, 'Cohort Assignment Successful')).toContainText(cohort);
  await expect(rows(page).first()).toContainText(cohort);
  await expect(rows(page).first()).toContainText('No coach');

  await page.getByRole('link', { name: 'Assign Participants' }).click();
  await expect(page.getByRole('link', { name: 'Back to User Management' })).toHaveAttribute(
    'href',
    '/admin/user-management',
  );
  const listed = page.getByRole('region', { name: 'Participants without a coach' }).locator('tbody tr');
  await expect(listed).not.toHaveCount(0);
  const all = page.getByRole('checkbox', { name: /^Select all/ });
  await all.check();
  for (const box of await listed.getByRole('checkbox').all()) await expect(box).toBeChecked();
  await all.uncheck();
  for (const box of await listed.getByRole('checkbox').all()) await expect(box).not.toBeChecked();
  await all.check();
  await page.getByRole('combobox', { name: 'Coach' }).click();
  await page.getByRole('option').first().click();
  await page.getByRole('button', { name: /^Assign \d+ participant/ }).click();
  await expect(toast(page, 'Assignment Successful')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No enrolled participant is without a coach' })).toBeVisible();
});

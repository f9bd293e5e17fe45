import { registerAndConfirm, requestReset } from './account-pages.ts';
import { expectAccessible } from './axe.ts';
import { startDemoInstance } from './demo-instance.ts';
import type { Instance } from './instance.ts';
import { startInOwnProcess } from './own-process.ts';
import { chosenPassword, expect, signInByForm, test } from './support.ts';
import { toast } from './toasts.ts';

const guessable = 'This password is too close to one of the most common ones.';
const guessed = 'P@ssw0rd';

let instance: Instance;

test.beforeAll(async () => {
  instance = await startDemoInstance();
});
test.afterAll(() => instance.stop());

test('AUTH-35 AUTH-39 a password that the server refuses is named at its field, and the link stays usable', async ({
  page,
}) => {
  const email = await registerAndConfirm(instance, page);
  const { hash } = new URL(await requestReset(instance, page, email));
  const next = page.getByLabel('New password', { exact: true });
  for (const [path, title] of [
    ['/password-reset', 'Password Update Failed'],
    ['/set-password', 'Error Setting Password'],
  ]) {
    await page.goto('about:blank');
    await page.goto(`${instance.url}${path}${hash}`);
    await next.fill(guessed);
    await page.getByLabel('Confirm new password').fill(guessed);
    const answered = page.waitForResponse('**/api/password-links/password');
    await page.getByRole('button', { name: 'Set new password' }).click();
    expect((await answered).status()).toBe(422);
    const { detail } = await (await answered).json();
    await expect(toast(page, title ?? '')).toContainText(detail);
    await expect(next).toHaveAttribute('aria-invalid', 'true');
    await expect(next).toHaveAccessibleDescription(detail);
    await expect(next).toBeFocused();
    await expect(next).toHaveValue(guessed);
  }
});

test('AUTH-44 a person whose clock is more than two minutes off is warned once', async ({ pageInNewBrowser: page }) => {
  await signInByForm(page, instance.url, 'participant@demo.example');
  const warning = toast(page, 'Your clock is off');
  for (const [seconds, warnings] of [
    [-110, 0],
    [130, 1],
    [-130, 1],
  ] as const) {
    await page.clock.setFixedTime(new Date(Date.now() + seconds * 1000));
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(warning).toHaveCount(warnings);
  }
});

test('every password field says what a password manager is to do, and takes what is pasted', async ({ page }) => {
  const email = await registerAndConfirm(instance, page);
  const screens: [string, string[]][] = [
    ['/register', ['given-name', 'family-name', 'email', 'new-password', 'new-password']],
    ['/first-admin', ['email', 'new-password', 'new-password', 'given-name', 'family-name']],
    ['/password-reset', ['username']],
    ['/change-password', ['username', 'current-password', 'new-password', 'new-password']],
    ['/account/security', ['given-name', 'family-name', 'email']],
  ];
  for (const [address, wanted] of screens) {
    if (address === '/change-password') await signInByForm(page, instance.url, email, chosenPassword);
    await page.goto('about:blank');
    await page.goto(`${instance.url}${address}`);
    await expect(page.locator('form').first()).toBeVisible();
    const found = page.locator('form input[autocomplete]:not([autocomplete=off]):not([type=hidden])');
    await expect
      .poll(() => found.evaluateAll((fields) => fields.map((one) => one.getAttribute('autocomplete'))))
      .toEqual(wanted);
    const isTaken = await page
      .locator('form input[type=password]')
      .evaluateAll((fields) =>
        fields.every((one) => one.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true }))),
      );
    expect(isTaken).toBe(true);
  }
});

test('PWD-01 PWD-02 PWD-03 PWD-06 PWD-08 PWD-11 ERR1-08 ERR1-10 changing the own password', async ({ page }) => {
  const email = await registerAndConfirm(instance, page);
  await signInByForm(page, instance.url, email, chosenPassword);
  await page.goto(`${instance.url}/change-password`);
  await expect(page.getByRole('heading', { level: 1, name: 'Change Password' })).toBeVisible();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/account/password')) sent.push(request.method());
  });
  const submit = page.getByRole('button', { name: 'Change password' });
  const fill = async (current: string, next: string, confirmation: string) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password', { exact: true }).fill(next);
    await page.getByLabel('Confirm new password').fill(confirmation);
  };
  await fill('', 'Turbine7', 'Turbine7');
  await expect(submit).toBeDisabled();
  await fill(chosenPassword, 'abcdefgh', 'abcdefgh');
  await submit.click();
  await expect(toast(page, 'Password Requirements Not Met')).toBeVisible();
  await expect(toast(page, 'Weak Password')).toContainText('Please meet every requirement of the list.');
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused();
  await fill(chosenPassword, 'Turbine7', 'Turbine8');
  await submit.click();
  await expect(toast(page, 'Password Mismatch')).toContainText('Both passwords must be the same.');
  // The one of the first press may be gone by now.
  await expect(toast(page, 'Password Requirements Not Met').last()).toBeVisible();
  await expect(page.getByLabel('Confirm new password')).toBeFocused();
  expect(sent).toEqual([]);
  await fill('not-it', 'Turbine7', 'Turbine7');
  await submit.click();
  await expect(toast(page, 'Error Changing Password')).toContainText('The current password is not correct.');
  await expect(page.getByLabel('Current password')).toBeFocused();
  await fill(chosenPassword, guessed, guessed);
  await submit.click();
  await expect(toast(page, 'Error Changing Password').filter({ hasText: guessable })).toBeVisible();
  expect(sent).toHaveLength(2);
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused();
  await expectAccessible(page);
  await fill(chosenPassword, 'Turbine7', 'Turbine7');
  await submit.click();
  await expect(toast(page, 'Password Updated Successfully')).toBeVisible();
  await page.waitForURL('**/dashboard');

  await page.goto(`${instance.url}/change-password`);
  await page.getByRole('link', { name: 'Back to dashboard' }).click();
  await page.waitForURL('**/dashboard');
});

test('the first admin of an empty instance comes in by the address in its log', async ({ page }) => {
  const empty = await startInOwnProcess({ DEMO: '0' });
  await expect.poll(() => empty.output()).toMatch(/first-admin#token=/);
  const token = /first-admin(#token=\S+)/.exec(empty.output())?.[1];
  await page.goto(`${empty.url}/first-admin${token}`);
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Admin');
  await page.getByLabel('Email', { exact: true }).fill('ada@people.example');
  await page.getByLabel('Password', { exact: true }).fill('turbineq');
  await page.getByLabel('Confirm password').fill('turbineq');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create admin' }).click();
  await expect(toast(page, 'Admin Created')).toBeVisible();
  await signInByForm(page, empty.url, 'ada@people.example', 'turbineq');
  await empty.stop();
});

import type { Page } from '@playwright/test';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { expectAccessible } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { heading, pathOf, sidebar } from './shell-people.ts';
import { demoPassword, expect, signInByForm, test } from './support.ts';
import { toast } from './toasts.ts';

let instance: InstanceWithDatabase;
const robin = { email: 'robin@again.example', firstName: 'Robin', lastName: 'Reyes' };
const quinn = { email: 'quinn@again.example', firstName: 'Quinn', lastName: 'Quist' };

test.beforeAll(async () => {
  instance = await startInstanceWithDatabase('ada@again.example');
  for (const person of [robin, quinn]) {
    const facts = { ...person, role: 'participant' as const, trackType: 'fellowship' as const };
    await createSignInWithPassword(instance.db, { ...facts, password: demoPassword });
  }
});
test.afterAll(() => instance.stop());

const dialogOn = (page: Page) => page.getByRole('dialog', { name: 'Authentication Required' });

/** Signs in as Robin and types a new password. Then everybody's sessions end. */
async function typeAndLoseSession(page: Page) {
  await signInByForm(page, instance.url, robin.email);
  await page.goto(`${instance.url}/change-password`);
  const [current, next, confirmation] = ['Current password', 'New password', 'Confirm new password'].map((label) =>
    page.getByLabel(label, { exact: true }),
  );
  if (!current || !next || !confirmation) throw new Error('The form has three fields.');
  await current.fill('not-the-password');
  await next.fill('Turbine-7-hall');
  await confirmation.fill('Turbine-7-hall');
  await instance.db.deleteFrom('auth.session').execute();
  return { current, next, submit: page.getByRole('button', { name: 'Change password' }) };
}

async function signInOn(page: Page, email: string, password = demoPassword): Promise<void> {
  const dialog = dialogOn(page);
  await dialog.getByLabel('Email', { exact: true }).fill(email);
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByLabel('Password', { exact: true }).press('Enter');
}

for (const [look, options] of [
  ['wide and light', { colorScheme: 'light', viewport: { width: 1280, height: 800 } }],
  ['narrow and dark', { colorScheme: 'dark', viewport: { width: 360, height: 740 } }],
] as const) {
  test(`a session that ends while somebody types is signed in to in place, and nothing is lost: ${look}`, async ({
    openWindow,
  }) => {
    const page = await openWindow(options);
    const { current, next, submit } = await typeAndLoseSession(page);
    await submit.click();
    await expect(dialogOn(page).getByLabel('Email', { exact: true })).toHaveValue(robin.email);
    await expect(dialogOn(page).getByLabel('Password', { exact: true })).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(dialogOn(page)).toBeVisible();

    await signInOn(page, robin.email, 'wrong');
    await expect(toast(page, 'Sign In Failed')).toBeVisible();
    await signInOn(page, robin.email);
    await expect(dialogOn(page)).toBeHidden();
    await expect(current).toHaveValue('not-the-password');
    await expect(next).toHaveValue('Turbine-7-hall');

    await submit.click();
    const refused = toast(page, 'Error Changing Password');
    await expect(refused.filter({ hasText: 'The current password is not correct.' })).toBeVisible();
  });
}

test('AUTH-40 another person who signs in instead leaves the screen, and finds nothing that was typed', async ({
  page,
}) => {
  const { submit } = await typeAndLoseSession(page);
  await submit.click();
  await signInOn(page, quinn.email);
  await page.waitForURL('**/dashboard');
  await expect(sidebar(page)).toContainText('Quinn Quist');
  await page.goto(`${instance.url}/change-password`);
  await expect(page.getByLabel('New password', { exact: true })).toHaveValue('');
});

test('AUTH-41 a person who would not sign in again is signed out, and one press leads to the login page', async ({
  page,
}) => {
  const { submit } = await typeAndLoseSession(page);
  await submit.click();
  await dialogOn(page).getByRole('button', { name: 'Leave this screen' }).click();
  await expect(heading(page, 'Authentication Required')).toBeVisible();
  await expect(sidebar(page)).toHaveCount(0);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(heading(page, 'Sign in')).toBeVisible();
  expect(pathOf(page)).toBe('/login');
});

test('a session that ends on a quiet screen is noticed without an act, and a sign-in in another tab is enough', async ({
  page,
  context,
}) => {
  const { next } = await typeAndLoseSession(page);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect(dialogOn(page)).toBeVisible();
  const other = await context.newPage();
  await signInByForm(other, instance.url, robin.email);
  await page.bringToFront();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(dialogOn(page)).toBeHidden();
  await expect(next).toHaveValue('Turbine-7-hall');
});

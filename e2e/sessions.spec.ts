import type { Page } from '@playwright/test';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { linkInMail } from '../test/support/sign-in.ts';
import { expectAccessible, expectAccessibleEverywhere } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { demoPassword, expect, type OpenWindow, signInByForm, test } from './support.ts';
import { toast } from './toasts.ts';
import { tryAgain } from './try-again.ts';

const phone =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36';

let instance: InstanceWithDatabase;
let count = 0;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase('ada@sessions.example');
});
test.afterAll(() => instance.stop());

async function createPerson() {
  count += 1;
  const email = `robin-${count}-${test.info().workerIndex}@sessions.example`;
  const names = { firstName: 'Robin', lastName: 'Reyes', role: 'participant', trackType: 'fellowship' } as const;
  await createSignInWithPassword(instance.db, { ...names, email, password: demoPassword });
  return email;
}

async function onPhone(openWindow: OpenWindow, email: string): Promise<Page> {
  const page = await openWindow({ userAgent: phone, viewport: { width: 360, height: 740 } });
  await signInByForm(page, instance.url, email);
  return page;
}

function sessionsOf(page: Page) {
  return page.getByRole('list', { name: 'Where you are signed in' }).getByRole('listitem');
}

async function openSecurity(page: Page): Promise<void> {
  await page.goto(`${instance.url}/account/security`);
  await expect(sessionsOf(page).first()).toContainText('This session');
}

test('ending a session leads that browser to the sign-in, and leaves this one', async ({ page, openWindow }) => {
  const email = await createPerson();
  await signInByForm(page, instance.url, email);
  const lost = await onPhone(openWindow, email);
  await openSecurity(page);
  await expect(sessionsOf(page)).toHaveCount(2);
  const other = sessionsOf(page).filter({ hasText: 'Chrome on Android phone' });
  await expect(other).toContainText('This computer');
  await expect(other).toContainText('Signed in without second factor.');
  await expect(sessionsOf(page).first().getByRole('button')).toHaveCount(0);

  const end = other.getByRole('button', { name: 'End session: Chrome on Android phone' });
  await end.press('Enter');
  await expect(toast(page, 'Session Ended')).toBeVisible();
  await expect(sessionsOf(page)).toHaveCount(1);
  await expect(page.getByText('No other devices')).toBeVisible();
  await lost.goto(`${instance.url}/training-calendar`);
  await lost.waitForURL('**/login**');
  await page.reload();
  await expect(sessionsOf(page)).toHaveCount(1);
});

test('all other sessions end after a question that Esc answers with no', async ({ page, openWindow }) => {
  const email = await createPerson();
  await signInByForm(page, instance.url, email);
  const lost = [await onPhone(openWindow, email), await onPhone(openWindow, email)];
  await openSecurity(page);
  await expect(sessionsOf(page)).toHaveCount(3);

  await page.getByRole('button', { name: 'End all other sessions' }).click();
  const question = page.getByRole('dialog', { name: 'End all other sessions?' });
  await expect(question).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(sessionsOf(page)).toHaveCount(3);

  await page.getByRole('button', { name: 'End all other sessions' }).click();
  await question.getByRole('button', { name: 'End all others' }).click();
  await expect(toast(page, '2 Sessions Ended')).toBeVisible();
  await expect(sessionsOf(page)).toHaveCount(1);
  for (const other of lost) {
    await other.goto(`${instance.url}/dashboard`);
    await other.waitForURL('**/login**');
  }
});

test('the sections are accessible in each appearance and on a phone, and say when they cannot be read', async ({
  page,
}) => {
  const email = await createPerson();
  await signInByForm(page, instance.url, email);
  await openSecurity(page);
  await expectAccessibleEverywhere(page);
  await page.route('**/api/account/sessions*', (route) => route.fulfill({ status: 503, body: '' }));
  await page.reload();
  const section = page.getByRole('region', { name: 'Where you are signed in' });
  await expect(section.getByRole('alert')).toContainText('Your devices could not be loaded');
  await tryAgain(page, '**/api/account/sessions*', { button: section.getByRole('button', { name: 'Try again' }) });
  await expect(sessionsOf(page)).toHaveCount(1);
});

test('AUTH-60 a person changes their name, and their address by the mailed link', async ({ page }) => {
  const email = await createPerson();
  const newEmail = `new-${email}`;
  await signInByForm(page, instance.url, email);
  await openSecurity(page);
  const section = page.getByRole('region', { name: 'Your details' });
  await section.getByLabel('First name').fill('');
  await section.getByRole('button', { name: 'Save name' }).click();
  await expect(section.getByText('Please enter your first name')).toBeVisible();
  await section.getByLabel('First name').fill('Łukasz');
  await section.getByRole('button', { name: 'Save name' }).click();
  await expect(toast(page, 'Name Saved')).toBeVisible();

  await section.getByLabel('New email address').fill(newEmail);
  await section.getByRole('button', { name: 'Change email address' }).click();
  await expect(section.getByRole('status')).toContainText(`Open the link in the email to ${newEmail}`);
  await expect(section.getByText(`You sign in as ${email}.`)).toBeVisible();

  const link = await linkInMail(instance.db, newEmail);
  await page.goto(`${instance.url}${link.pathname}${link.hash}`);
  await expect(page.getByRole('heading', { name: 'Confirm your new email address' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Confirm this address' }).click();
  await expect(page.getByRole('heading', { name: 'Email address changed' })).toBeVisible();

  await page.goto(`${instance.url}${link.pathname}${link.hash}`);
  await page.reload();
  await page.getByRole('button', { name: 'Confirm this address' }).click();
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
  await openSecurity(page);
  await expect(section.getByText(`You sign in as ${newEmail}.`)).toBeVisible();
  await expect(section.getByLabel('First name')).toHaveValue('Łukasz');
});

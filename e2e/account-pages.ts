import type { Page } from '@playwright/test';
import type { Instance } from './instance.ts';
import { chosenPassword, expect, test } from './support.ts';
import { toast } from './toasts.ts';

let count = 0;

export function newAddress(): string {
  count += 1;
  return `person-${count}-${test.info().parallelIndex}@people.example`;
}

export async function fillRegistration(
  { url }: Instance,
  page: Page,
  email: string,
  password = 'turbin',
  confirmation = password,
): Promise<void> {
  await page.goto(`${url}/register`);
  await page.getByLabel('First name').fill('Robin');
  await page.getByLabel('Last name').fill('Reyes');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('combobox', { name: 'Program type' }).click();
  await page.getByRole('option', { name: 'Fellowship' }).click();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password').fill(confirmation);
}

/** The link in the newest email with this subject, at the address where the instance listens. */
export async function linkInMailTo({ url }: Instance, page: Page, email: string, subject: string): Promise<string> {
  const newest = page.getByRole('listitem').first().getByRole('link');
  // A job writes the email after the answer.
  await expect(async () => {
    await page.goto(`${url}/demo/mail?to=${encodeURIComponent(email)}`);
    await expect(newest).toContainText(subject, { timeout: 500 });
  }).toPass();
  await newest.click();
  const href = await page.getByRole('article').getByRole('link').first().getAttribute('href');
  const link = new URL(href ?? '');
  return `${url}${link.pathname}${link.search}${link.hash}`;
}

/** Opens the link in the confirmation email and gives the password, which signs the person in. */
export async function confirmAccount(instance: Instance, page: Page, email: string, password: string): Promise<void> {
  await page.goto(await linkInMailTo(instance, page, email, 'Confirm your email address'));
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
  await page.waitForURL('**/dashboard');
}

/** Leaves nobody signed in. */
export async function registerAndConfirm(instance: Instance, page: Page): Promise<string> {
  const email = newAddress();
  await fillRegistration(instance, page, email, chosenPassword);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/login');
  await confirmAccount(instance, page, email, chosenPassword);
  await page.context().clearCookies();
  return email;
}

export async function requestReset(instance: Instance, page: Page, email: string): Promise<string> {
  await page.goto(`${instance.url}/password-reset`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expect(toast(page, 'Reset Email Sent')).toBeVisible();
  return linkInMailTo(instance, page, email, 'Set a new password');
}

import type { Page } from '@playwright/test';
import { expect } from './support.ts';

/** Uses the keyboard, because a toast may cover the header's buttons. */
export async function pressButton(page: Page, name: string) {
  const button = page.getByRole('button', { name });
  await expect(button).toBeEnabled();
  await button.press('Enter');
}

export function rowOf(page: Page, name: string) {
  return page.getByRole('row').filter({ hasText: name });
}

export function card(page: Page, label: string) {
  return page.getByRole('region', { name: label, exact: true });
}

export async function choose(page: Page, select: string, option: string) {
  await page.getByRole('combobox', { name: select }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

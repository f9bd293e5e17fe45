import type { Page } from '@playwright/test';

/** Presses an act in a row's menu, which is named after the row: 'Delete Summary' is in the menu of Summary. */
export async function chooseInRow(page: Page, act: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${act.replace(/^\w+ /, '')}`, exact: true }).click();
  await page.getByRole('menuitem', { name: act, exact: true }).click();
}

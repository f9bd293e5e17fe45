import type { Page } from '@playwright/test';
import { isDeep } from '../test/support/depth.ts';

export interface Look {
  colorScheme: 'light' | 'dark';
  width: number;
}
/** The two colour schemes of a width follow each other. */
export const looks: [Look, ...Look[]] = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'dark', width: 360 },
  { colorScheme: 'light', width: 360 },
];
export const heightOfLooks = 800;

/**
 * Light on a desk and dark on a phone, or for every other turn dark on a desk and light on a phone: what most pages
 * share is so judged in all four, and each page in both colour schemes and at both widths. `npm run test:deep` judges
 * each in all four.
 */
export function looksOf(turn = 0): Look[] {
  return isDeep ? looks : looks.filter((_, index) => index % 2 === turn % 2);
}

/** The page as it stands takes another look, and is drawn in it. */
export async function takeLook(page: Page, { colorScheme, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: heightOfLooks });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
  await waitUntilDrawn(page);
}

/** In the first frame a page hears of its new width, in the next it is drawn. */
export async function waitUntilDrawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/** The screen has its heading, waits for nothing more, and nothing of it moves. */
export async function waitUntilSettled(page: Page): Promise<void> {
  const isSettled = () =>
    document.querySelector('h1') !== null &&
    document.querySelector('[aria-busy=true]') === null &&
    document.fonts.status === 'loaded' &&
    document.getAnimations().every(({ playState }) => playState !== 'running');
  // Mostly it is, and asking once takes a fraction of what waiting takes.
  if (!(await page.evaluate(isSettled))) await page.waitForFunction(isSettled);
}

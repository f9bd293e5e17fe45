import type { Page } from '@playwright/test';
import { isDeep } from '../test/support/depth.ts';

export interface Look {
  colorScheme: 'light' | 'dark';
  width: number;
}
/** The two color schemes of a width follow each other. */
export const looks: [Look, ...Look[]] = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'dark', width: 360 },
  { colorScheme: 'light', width: 360 },
];
export const heightOfLooks = 800;

/**
 * Even turns get light on a desk and dark on a phone. Odd turns get dark on a desk and light on a phone. So the tests
 * judge what most pages share in all four looks, and each page in both color schemes and at both widths. `npm run
 * test:deep` judges each page in all four.
 */
export function looksOf(turn = 0): Look[] {
  return isDeep ? looks : looks.filter((_, index) => index % 2 === turn % 2);
}

export async function takeLook(page: Page, { colorScheme, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: heightOfLooks });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
  await waitUntilDrawn(page);
}

/** A page learns its new width in the first frame and is drawn in the next. */
export async function waitUntilDrawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/** Waits until the screen has its heading, waits for nothing more, and nothing on it moves. */
export async function waitUntilSettled(page: Page): Promise<void> {
  const isSettled = () =>
    document.querySelector('h1') !== null &&
    document.querySelector('[aria-busy=true]') === null &&
    document.fonts.status === 'loaded' &&
    document.getAnimations().every(({ playState }) => playState !== 'running');
  // The page is usually settled already. Asking once takes a fraction of the time that waiting takes.
  if (!(await page.evaluate(isSettled))) await page.waitForFunction(isSettled);
}

/** Makes the window as high as the page. Then the bar at the lower edge covers nothing, and everything is in sight. */
export async function showWhole(page: Page): Promise<void> {
  const { width, height } = await page.evaluate(() => ({
    width: window.innerWidth,
    height: document.documentElement.scrollHeight,
  }));
  await page.setViewportSize({ width, height });
  await waitUntilDrawn(page);
  await waitUntilSettled(page);
}

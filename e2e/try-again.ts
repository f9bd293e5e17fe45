import type { Locator, Page, Route } from '@playwright/test';

interface Ways {
  button?: Locator;
  /** How requests are answered from then on, if not by the server. */
  answer?: (route: Route) => Promise<void>;
}

/**
 * Presses "Try again" on a page whose requests to the address fail, and lets them through from that press on. Let through
 * before it, a page that reads again because of a live change would take the button away.
 */
export async function tryAgain(page: Page, address: string, ways: Ways = {}): Promise<void> {
  const { button = page.getByRole('button', { name: 'Try again' }), answer = (route) => route.continue() } = ways;
  await page.evaluate(() => {
    const { dataset } = document.body;
    dataset.isTriedAgain = 'no';
    addEventListener('click', () => (dataset.isTriedAgain = 'yes'), { capture: true, once: true });
  });
  await page.route(address, async (route) => {
    const isTriedAgain = await page.evaluate(() => document.body.dataset.isTriedAgain === 'yes');
    await (isTriedAgain ? answer(route) : route.fallback());
  });
  await button.click();
}

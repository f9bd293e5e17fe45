import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { startDemoInstance } from './demo-instance.ts';
import { type Instance, startLimitInMs } from './instance.ts';
import { keepInterceptionOn, type WindowOptions, Windows } from './windows.ts';

export const demoPassword = 'Power-Up-2026!';
/** A password to choose in a test. The product refuses the demo accounts' password. */
export const chosenPassword = 'Turbine-Hall-26!';

interface WorkerFixtures {
  /** An instance with the demo programme. One worker's tests share it: read it, don't change it. */
  demo: Instance;
  windows: Windows;
}

/** Opens one more window, for one more person. */
export type OpenWindow = (options?: WindowOptions) => Promise<Page>;

interface TestFixtures {
  openWindow: OpenWindow;
  /** A page in a fresh browser, for what `Windows` cannot undo. */
  pageInNewBrowser: Page;
}

/** Tests use this worker's windows, which are emptied after every test. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  demo: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
    async ({}, use) => {
      const instance = await startDemoInstance();
      await use(instance);
      await instance.stop();
    },
    { scope: 'worker', timeout: 2 * startLimitInMs },
  ],
  windows: [
    async ({ browser }, use) => {
      const windows = new Windows(browser);
      await use(windows);
      await windows.close();
    },
    { scope: 'worker' },
  ],
  openWindow: async ({ windows, viewport, timezoneId, hasTouch, isMobile }, use) => {
    const ofTheFile = { viewport, timezoneId, hasTouch, isMobile };
    await use((options) => windows.open(withoutUndefined({ ...ofTheFile, ...options })));
    await windows.emptyTaken();
  },
  pageInNewBrowser: async ({ browser }, use) => {
    const page = await browser.newPage();
    keepInterceptionOn(page);
    await use(page);
    await page.context().close();
  },
  context: async ({ openWindow }, use) => {
    await use((await openWindow()).context());
  },
  page: async ({ context }, use) => {
    const [page] = context.pages();
    if (!page) throw new Error('The window has no page.');
    await use(page);
  },
});

/** Playwright fills in only options that are absent, not undefined ones. */
function withoutUndefined(options: WindowOptions): WindowOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

export { expect };

/** Gives the page's browser a session without the form, which has tests of its own. The test opens its own page. */
export async function signIn(page: Page, url: string, email: string, password: string = demoPassword): Promise<void> {
  const answer = await page.request.post(`${url}/api/auth/sign-in/email`, { data: { email, password } });
  expect(answer.ok(), await answer.text()).toBe(true);
}

/**
 * Presses the button as the session ends: the first call that the press makes finds none. If the session ended before
 * the press, a read of the live stream might find it first, and the question to sign in again would cover the button.
 */
export async function pressAsSessionEnds(page: Page, button: Locator, firstCall: string): Promise<void> {
  const pressed = Promise.withResolvers<void>();
  const ended = pressed.promise.then(() => page.context().clearCookies());
  await page.route(firstCall, async (route) => {
    await ended;
    await route.continue();
  });
  await button.click();
  pressed.resolve();
  await ended;
}

/** Ends on the dashboard, or where the guard sends a person who must do something else first. */
export async function signInByForm(page: Page, url: string, email: string, password = demoPassword): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(({ pathname }) => pathname !== '/login');
}

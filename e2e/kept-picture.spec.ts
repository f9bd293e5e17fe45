import type { BrowserContext, Page, Route } from '@playwright/test';
import { readSession } from '#contract/accounts.ts';
import { readAdminDashboard, readCoachDashboard, readParticipantDashboard } from '#contract/home.ts';
import { signInAs } from './demo-pages.ts';
import { waitUntilSettled } from './looks.ts';
import { demoPassword, expect, test } from './support.ts';

const picture = '.kept-picture';

const keptKeys = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('switchyard.picture.')));

/** Opens the dashboard and stays until the browser has kept how it looks. */
async function openUntilKept(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/dashboard`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(() => keptKeys(page)).toHaveLength(1);
  return page;
}

/** The app's files come when `release` is called. */
async function openWithoutApp(context: BrowserContext, url: string) {
  const page = await context.newPage();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  // However long the files are held, the app takes the answers that came before it.
  await page.clock.setFixedTime(new Date());
  await page.route('**/assets/index-*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${url}/dashboard`, { waitUntil: 'commit' });
  return { page, release, asked };
}

/** Nothing is drawn before the styles are there. The words of parts that stand apart by them run together until then. */
const waitForStyles = (page: Page) =>
  page.waitForFunction(() => {
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
    return links.length > 0 && links.every(({ sheet }) => sheet !== null);
  });

const wordsOf = async (page: Page, place: string) => (await page.locator(place).innerText()).trim().split(/\s+/);

/** When the picture was put into the page, and when the app's files were first asked for. */
async function watchOrder(page: Page): Promise<() => Promise<{ picture: number | null; app: number }>> {
  await page.addInitScript(() => {
    // Under load, the answer may come later than the app waits for it.
    const within = window.setTimeout;
    Object.assign(window, { setTimeout: (work: () => void, ms = 0) => within(work, ms * 10) });
    new MutationObserver(() => {
      if (document.querySelector('.kept-picture') && !performance.getEntriesByName('picture').length)
        performance.mark('picture');
    }).observe(document, { childList: true, subtree: true });
  });
  return () =>
    page.evaluate(() => ({
      picture: performance.getEntriesByName('picture')[0]?.startTime ?? null,
      app: Math.min(
        ...performance
          .getEntriesByType('resource')
          .filter(({ name }) => /\/assets\/(?!first-).+\.js$/.test(name))
          .map(({ startTime }) => startTime),
      ),
    }));
}

for (const [visitor, read] of [
  ['participant', readParticipantDashboard],
  ['coach', readCoachDashboard],
  ['admin', readAdminDashboard],
] as const) {
  test(`${visitor}: a dashboard that is opened again stands there before the app does, and the app draws the same`, async ({
    demo,
    browser,
  }) => {
    const context = await browser.newContext();
    await signInAs(context, demo, visitor, demoPassword);
    await openUntilKept(context, demo.url);
    const { page, release, asked } = await openWithoutApp(context, demo.url);
    await expect(page.locator(picture)).toBeVisible();
    await waitForStyles(page);
    const [frame, shown] = [await wordsOf(page, `${picture} nav`), await wordsOf(page, `${picture} main`)];
    expect(shown.length).toBeGreaterThan(50);
    await expect(page.locator(picture)).toHaveAttribute('inert', '');
    await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toHaveCount(1);
    // A free time may be gone since.
    expect((await page.locator(`${picture} [data-own-reads]`).allInnerTexts()).join('')).toBe('');
    release();
    await expect(page.locator(picture)).toHaveCount(0);
    await waitUntilSettled(page);
    expect(await wordsOf(page, 'nav[aria-label="Main"]')).toEqual(frame);
    const drawn = await wordsOf(page, 'main');
    // What is out of sight, and what has a read of its own, came with the app.
    expect(drawn.length).toBeGreaterThan(shown.length);
    expect(drawn.slice(0, 50)).toEqual(shown.slice(0, 50));
    expect(shown.filter((word) => !drawn.includes(word))).toEqual([]);
    for (const path of [readSession.path, read.path])
      expect(
        asked.filter((other) => other === path),
        path,
      ).toHaveLength(1);
    await context.close();
  });
}

test('what has changed since is not shown as it was', async ({ demo, browser }) => {
  const context = await browser.newContext();
  await signInAs(context, demo, 'participant', demoPassword);
  await openUntilKept(context, demo.url);
  await context.route(`**${readParticipantDashboard.path}`, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    await route.fulfill({ response, json: { ...answer, thisWeek: { ...answer.thisWeek, done: 0 } } });
  });
  const { page, release } = await openWithoutApp(context, demo.url);
  await page.waitForResponse(`**${readParticipantDashboard.path}`);
  await expect(page.getByRole('status')).toHaveText('Loading...');
  await expect(page.locator(picture)).toHaveCount(0);
  release();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await context.close();
});

test('a browser reads the files of the app when the picture is there, and before a late answer', async ({
  demo,
  browser,
}) => {
  const context = await browser.newContext();
  await signInAs(context, demo, 'coach', demoPassword);
  const first = await openUntilKept(context, demo.url);
  const page = await context.newPage();
  const order = await watchOrder(page);
  await page.goto(`${demo.url}/dashboard`);
  await waitUntilSettled(page);
  const { picture: shownAt, app } = await order();
  expect(shownAt).not.toBeNull();
  expect(app).toBeGreaterThan(Number(shownAt));

  const late = await context.newPage();
  const appAsked = late.waitForRequest('**/assets/index-*.js');
  await late.route(`**${readCoachDashboard.path}`, async (route) => {
    await appAsked;
    await route.continue();
  });
  await late.goto(`${demo.url}/dashboard`);
  await expect(late.getByRole('heading', { level: 1 })).toBeVisible();

  // Somebody who opens another screen has no picture to wait for.
  const elsewhere = await (await context.request.get(`${demo.url}/coach/availability`)).text();
  expect(elsewhere).toContain('rel="modulepreload"');
  await first.close();
  await context.close();
});

test('a font that does not come keeps neither the app nor the dashboard back', async ({ demo, browser }) => {
  const context = await browser.newContext();
  await signInAs(context, demo, 'coach', demoPassword);
  await (await openUntilKept(context, demo.url)).close();
  const page = await context.newPage();
  const held: Route[] = [];
  await page.route('**/*.woff2', (route) => void held.push(route));
  await page.goto(`${demo.url}/dashboard`, { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1, name: 'Coach Dashboard' })).toBeVisible();
  expect(held.length).toBeGreaterThan(0);
  await Promise.all(held.map((route) => route.abort()));
  await context.close();
});

test('nobody sees what another person has left in the browser, and signing out leaves nothing', async ({
  demo,
  browser,
}) => {
  const context = await browser.newContext();
  await signInAs(context, demo, 'participant', demoPassword);
  const first = await openUntilKept(context, demo.url);
  const [ofParticipant] = await keptKeys(first);
  const name = await first.getByRole('heading', { level: 1 }).innerText();
  await first.close();
  // The participant's session ends without a sign-out.
  await context.clearCookies();
  await signInAs(context, demo, 'coach', demoPassword);
  const { page, release, asked } = await openWithoutApp(context, demo.url);
  await expect.poll(() => asked.filter((path) => path === readSession.path).length).toBe(1);
  await expect(page.getByRole('status')).toHaveText('Loading...');
  expect(await page.content()).not.toContain(name);
  release();
  await expect(page.getByRole('heading', { level: 1, name: 'Coach Dashboard' })).toBeVisible();
  await expect.poll(() => keptKeys(page)).not.toContain(ofParticipant);
  await expect.poll(() => keptKeys(page)).toHaveLength(1);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(await keptKeys(page)).toEqual([]);
  await context.close();
});

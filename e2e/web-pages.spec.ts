import type { Browser, Page, Request } from '@playwright/test';
import { readSession } from '#contract/accounts.ts';
import { demoMailboxPath } from '#contract/deliveries.ts';
import { donePage, questionPage } from '#server/features/notices/unsubscribe-page.ts';
import { expectAccessible } from './axe.ts';
import { everyPlace, openPage, pagesOf, signInAs, type Visitor, visitors, withFewRows } from './demo-pages.ts';
import type { Instance } from './instance.ts';
import { cutWords, textsTooWideForLongWords } from './long-words.ts';
import { heightOfLooks, looksOf, takeLook, waitUntilDrawn, waitUntilSettled } from './looks.ts';
import { demoPassword, expect, test } from './support.ts';
import { smallTargets } from './touch-targets.ts';

/** One page per visitor, shared by one worker's tests, so that the app and axe load only once. */
const pages = new Map<Visitor, Page>();

async function pageOf(visitor: Visitor, browser: Browser, demo: Instance): Promise<Page> {
  const present = pages.get(visitor);
  if (present) return present;
  const context = await browser.newContext();
  await signInAs(context, demo, visitor, demoPassword);
  const page = await context.newPage();
  pages.set(visitor, page);
  return page;
}

/** Visitors of the same page get different looks in turn. So do places that follow each other. */
function turnOf(visitor: Visitor, place: string): number {
  const whoCome = visitors.filter((other) => pagesOf[other].includes(place));
  return everyPlace.indexOf(place) + whoCome.indexOf(visitor);
}

test.describe.configure({ mode: 'parallel' });

test('pages that the server draws: nothing for axe to find and nothing beside the screen, in each look', async ({
  demo,
  page,
}) => {
  await page.goto(`${demo.url}${demoMailboxPath}`);
  const mailbox = await page.content();
  const mails = await page.locator('a.mail').allInnerTexts();
  const longestAddress = mails
    .flatMap((mail) => mail.match(/\S+@\S+/g) ?? [])
    .reduce((one, other) => (one.length < other.length ? other : one));
  await page.locator('a.mail').filter({ hasText: longestAddress }).first().click();
  await page.locator('article').waitFor();
  const reference = await (await page.request.get(`${demo.url}/api/reference`)).text();
  const drawn = [mailbox, await page.content(), reference, questionPage('stipendUpdates'), donePage('stipendUpdates')];
  for (const [turn, content] of drawn.entries()) {
    await page.setContent(content);
    for (const { colorScheme, width } of looksOf(turn)) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: heightOfLooks });
      await waitUntilDrawn(page);
      expect(await findingsOn(page)).toEqual([]);
    }
  }
});

for (const visitor of visitors) {
  for (const place of pagesOf[visitor]) {
    const rows = visitor === 'signed-out' ? '' : 'ROUTE-23 the sidebar, ';
    test(`${visitor} at ${place}: ${rows}a title, nothing for axe to find, nothing beside the screen, and no small target on a phone`, async ({
      demo,
      browser,
    }) => {
      const page = await pageOf(visitor, browser, demo);
      await openPage(page, demo, withFewRows(visitor, place));
      const sidebar = page.getByRole('navigation', { name: 'Main' });
      await expect(sidebar).toHaveCount(visitor === 'signed-out' ? 0 : 1);
      const findings: string[] = [];
      for (const look of looksOf(turnOf(visitor, place))) {
        await takeLook(page, look);
        await waitUntilSettled(page);
        const found = [...(await findingsOn(page)), ...(await wordsThatBreakBadly(page))];
        findings.push(...found.map((finding) => `${look.colorScheme} at ${look.width} px: ${finding}`));
      }
      findings.push(...(await smallTargets(page)).map((finding) => `smaller than 44 px: ${finding}`));
      expect(findings).toEqual([]);
    });
  }
}

/** In kB as they travel, compressed, until the person does something. */
const firstLoads = [
  { visitor: 'signed-out', place: '/login', mostRequests: 10, mostScript: 160 },
  { visitor: 'participant', place: '/dashboard', mostRequests: 20, mostScript: 220 },
  { visitor: 'coach', place: '/dashboard', mostRequests: 20, mostScript: 218 },
  { visitor: 'admin', place: '/dashboard', mostRequests: 20, mostScript: 200 },
  { visitor: 'admin', place: '/admin/stipend-management', mostRequests: 60, mostScript: 340 },
] as const;
for (const { visitor, place, mostRequests, mostScript } of firstLoads) {
  test(`${visitor} at ${place}: at most ${mostRequests} requests and ${mostScript} kB of scripts, and the session is asked for once`, async ({
    demo,
    browser,
  }) => {
    const context = await browser.newContext();
    await signInAs(context, demo, visitor, demoPassword);
    const page = await context.newPage();
    const requests: Request[] = [];
    page.on('request', (request) => requests.push(request));
    await openPage(page, demo, place);
    const paths = requests.map((request) => new URL(request.url()).pathname);
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.length, paths.join('\n')).toBeLessThanOrEqual(mostRequests);
    expect(paths.filter((path) => path === readSession.path)).toHaveLength(1);
    const scripts = requests.filter((request) => request.url().endsWith('.js'));
    const sizes = await Promise.all(scripts.map(async (script) => (await script.sizes()).responseBodySize));
    const script = sizes.reduce((sum, size) => sum + size, 0) / 1000;
    expect(script).toBeGreaterThan(100);
    expect(script).toBeLessThanOrEqual(mostScript);
    await context.close();
  });
}

for (const visitor of ['participant', 'coach', 'admin'] as const) {
  test(`${visitor} at /dashboard: what it shows is asked for beside its files, and does not wait for them`, async ({
    demo,
    browser,
  }) => {
    const context = await browser.newContext();
    await signInAs(context, demo, visitor, demoPassword);
    const named = await (await context.request.get(`${demo.url}/dashboard`)).text();
    const page = await context.newPage();
    const asked = page.waitForRequest(/\/api\/dashboards\//);
    const held: string[] = [];
    await page.route('**/assets/*.js', async (route) => {
      const { pathname } = new URL(route.request().url());
      // The frame of all screens is named, but has all schemas.
      if (!named.includes(pathname) || pathname.includes('/frame-')) {
        held.push(pathname);
        await asked;
      }
      await route.continue();
    });
    await openPage(page, demo, '/dashboard');
    expect(held).toContainEqual(expect.stringContaining('/frame-'));
    expect(held.length).toBeGreaterThan(1);
    await context.close();
  });
}

test('until the app is there, the page itself says that it loads; without scripts it says what it needs', async ({
  demo,
  browser,
}) => {
  const page = await browser.newPage();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${demo.url}/login`, { waitUntil: 'commit' });
  await expect(page.getByRole('status')).toHaveText('Loading...');
  release();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Loading...')).toHaveCount(0);
  await page.close();

  const context = await browser.newContext({ javaScriptEnabled: false });
  const withoutScripts = await context.newPage();
  await withoutScripts.goto(`${demo.url}/login`);
  await expect(withoutScripts.locator('noscript')).toBeVisible();
  await expect(withoutScripts.getByText('Loading...')).toBeHidden();
  await context.close();
});

test('a page answers HEAD as it answers GET, and what is no page does not', async ({ demo, request }) => {
  for (const [path, status] of Object.entries({ '/login': 200, '/api/nothing': 404 })) {
    const [head, get] = [await request.head(`${demo.url}${path}`), await request.get(`${demo.url}${path}`)];
    expect([head.status(), get.status()], path).toEqual([status, status]);
    expect(head.headers()['content-type']).toBe(get.headers()['content-type']);
  }
});

/** The app breaks words by one rule. Pages that the server draws show code, too, and break by their own. */
async function wordsThatBreakBadly(page: Page): Promise<string[]> {
  const cut = await cutWords(page);
  const tooWide = await textsTooWideForLongWords(page);
  return [
    ...cut.map((word) => `cuts a word in two: ${word}`),
    ...tooWide.map((text) => `would scroll sideways if these words were long: ${text}`),
  ];
}

/** Collects all findings of one page, so that one run names everything to fix. */
async function findingsOn(page: Page): Promise<string[]> {
  const findings: string[] = [];
  await expectAccessible(page).catch((error: Error) => findings.push(error.message));
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (excess > 0) findings.push(`scrolls sideways by ${excess} px`);
  const headings = await page.getByRole('heading', { level: 1 }).count();
  if (headings !== 1) findings.push(`has ${headings} headings of level 1`);
  for (const words of await cutButtons(page)) findings.push(`cuts the words of a button: ${words}`);
  const title = await page.title();
  if (!/^.+ · Switchyard$/.test(title)) findings.push(`is titled '${title}'`);
  return findings;
}

/** A button that is narrower than its words hides their end. */
function cutButtons(page: Page): Promise<string[]> {
  return page
    .locator('.mantine-Button-label')
    .evaluateAll((labels) =>
      labels
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent ?? ''),
    );
}

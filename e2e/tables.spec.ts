import type { Page } from '@playwright/test';
import { expectAccessibleEverywhere } from './axe.ts';
import { buildCrowd } from './crowd.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { waitUntilDrawn, waitUntilSettled } from './looks.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { expect, signIn, test } from './support.ts';

const adminEmail = 'admin@people.example';
const crowd = 2_000;
const tallestRow = 52;
const mostNodes = 1_500;
let instance: InstanceWithDatabase;
let lists: { name: string; place: string }[];
let longLists: typeof lists;

test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(adminEmail, {});
  const { importId, cohortId } = await buildCrowd(instance, crowd);
  lists = [
    { name: 'Stipends of the week', place: '/admin/stipend-management?week=1' },
    { name: 'Users', place: '/admin/user-management?role=participant' },
    { name: 'Rows of spring-2027-everybody.csv', place: `/admin/bulk-invitations/${importId}` },
  ];
  longLists = [
    ...lists,
    { name: 'Users', place: '/admin/user-management?order=name' },
    { name: 'Stipends of the week', place: '/admin/stipend-management?week=1&order=nameFromZ' },
    { name: 'Progress of the cohort', place: `/cohort-progress?cohort=${cohortId}` },
    { name: 'Members of the cohort', place: `/admin/programme-setup?cohort=${cohortId}` },
  ];
});
test.afterAll(() => instance.stop());

const listOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function open(page: Page, { name, place }: { name: string; place: string }) {
  await page.goto(`${instance.url}${place}`);
  await expect(listOf(page, name).locator('tbody tr').first()).toBeVisible();
  await waitUntilSettled(page);
}

/** Reads up to three more pages of the list. */
async function showMore(page: Page) {
  const more = page.getByRole('button', { name: 'Show more' });
  for (let turns = 0; turns < 3 && (await more.isVisible()); turns += 1) {
    const nextPage = page.waitForResponse((answer) => new URL(answer.url()).searchParams.has('cursor'));
    await more.click();
    await nextPage;
    // It is gone with the last page.
    await expect(more.and(page.locator(':disabled'))).toHaveCount(0);
  }
}

const heightsOf = (page: Page, name: string) =>
  listOf(page, name)
    .locator('tbody tr:not([aria-hidden])')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
/** The buttons of rows whose words are cut, by the button itself or by its cell. */
const cutButtonsOf = (page: Page, name: string) =>
  listOf(page, name)
    .locator('tbody td')
    .evaluateAll((cells) => {
      // What is there for screen readers alone is a pixel wide. A long name ends in dots on purpose.
      const isCut = (part: Element) =>
        part.clientWidth > 1 &&
        part.scrollWidth > part.clientWidth &&
        (part.tagName === 'TD' || getComputedStyle(part).textOverflow !== 'ellipsis');
      return cells.flatMap((cell) =>
        [...cell.querySelectorAll('button')]
          .filter(
            (button) => button.textContent && (isCut(cell) || [button, ...button.querySelectorAll('*')].some(isCut)),
          )
          .map((button) => button.textContent),
      );
    });
const nodesOf = (page: Page, name: string) => listOf(page, name).evaluate((list) => list.querySelectorAll('*').length);
const nodesOfPage = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length);

test('the rows of the lists that admins work in are 44 to 52 px high on a desk, whatever the names are', async ({
  page,
}) => {
  await signIn(page, instance.url, adminEmail);
  for (const list of lists) {
    await open(page, list);
    const heights = await heightsOf(page, list.name);
    expect(heights.length, list.name).toBeGreaterThanOrEqual(4);
    expect(Math.max(...heights), list.name).toBeLessThanOrEqual(tallestRow);
    expect(Math.min(...heights), list.name).toBeGreaterThanOrEqual(44);
    expect(await cutButtonsOf(page, list.name), `cut buttons of ${list.name}`).toEqual([]);
  }
});

test('with 2,000 people no list puts more than 1,500 nodes into the page, wherever one has scrolled to', async ({
  page,
}) => {
  await signIn(page, instance.url, adminEmail);
  for (const list of longLists) {
    await open(page, list);
    const all = page.getByRole('checkbox', { name: 'Select all rows shown' });
    if (await all.isVisible()) await all.check();
    await showMore(page);
    for (const share of [0, 0.3, 0.6, 1]) {
      await page.evaluate((to) => window.scrollTo(0, to * document.documentElement.scrollHeight), share);
      await waitUntilDrawn(page);
      // Rows leave the page a moment after they are out of sight.
      await expect.poll(() => nodesOf(page, list.name), `${list.name} at ${share}`).toBeLessThanOrEqual(mostNodes);
      if (list.name === 'Stipends of the week') {
        await expect.poll(() => nodesOfPage(page), `the page at ${share}`).toBeLessThanOrEqual(mostNodes);
      }
    }
  }
});

/** Each move of something that is drawn already, as the browser counts it, with what moved. */
async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    const words = ({ node, previousRect, currentRect }: Source) =>
      `${node instanceof Element ? node.className || node.tagName : node?.nodeName}: ${previousRect.y} to ${currentRect.y}`;
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as Shift[]) {
        if (!shift.hadRecentInput) shifts.push(`${shift.value.toFixed(4)} ${shift.sources.map(words).join(', ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
}

interface Source {
  node: Node | null;
  previousRect: DOMRectReadOnly;
  currentRect: DOMRectReadOnly;
}
interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: Source[];
}

for (const width of [1280, 360]) {
  test(`nothing moves while the stipends of a week load at ${width} px`, async ({ page }) => {
    await signIn(page, instance.url, adminEmail);
    await page.setViewportSize({ width, height: 800 });
    const shiftsOf = await watchShifts(page);
    await open(page, { name: 'Stipends of the week', place: '/admin/stipend-management?week=1' });
    expect(await shiftsOf()).toEqual([]);
  });
}

test('on a phone nothing moves when one jumps through the stipends of a week', async ({ page }) => {
  await signIn(page, instance.url, adminEmail);
  await page.setViewportSize({ width: 360, height: 800 });
  const shiftsOf = await watchShifts(page);
  await open(page, { name: 'Stipends of the week', place: '/admin/stipend-management?week=1' });
  await showMore(page);
  const before = (await shiftsOf()).length;
  const heightOf = async () => (await listOf(page, 'Stipends of the week').boundingBox())?.height ?? 0;
  const height = await heightOf();
  const gapsInSight = () =>
    listOf(page, 'Stipends of the week')
      .locator('tr[aria-hidden]')
      .evaluateAll((gaps) => {
        const boxes = gaps.map((gap) => gap.getBoundingClientRect());
        return boxes.filter(({ top, bottom }) => bottom > 0 && top < window.innerHeight).length;
      });
  for (const share of [0.9, 0.3, 0.6, 0.2, 0.8]) {
    await page.evaluate((to) => window.scrollTo(0, to * document.documentElement.scrollHeight), share);
    await waitUntilDrawn(page);
    await expect.poll(gapsInSight).toBe(0);
    await waitUntilDrawn(page);
    // Rows that came were as high as the gap that they took.
    expect(Math.abs((await heightOf()) - height), `at ${share}`).toBeLessThan(2);
  }
  expect((await shiftsOf()).slice(before)).toEqual([]);
});

test('on a phone a row is two lines, and fifty of them are less than 6,000 px', async ({ page }) => {
  await signIn(page, instance.url, adminEmail);
  await page.setViewportSize({ width: 360, height: 740 });
  for (const list of lists) {
    await open(page, list);
    const heights = await heightsOf(page, list.name);
    expect(Math.max(...heights), list.name).toBeLessThanOrEqual(100);
    const { height } = (await listOf(page, list.name).boundingBox()) ?? { height: Number.POSITIVE_INFINITY };
    expect(height, list.name).toBeLessThan(6_000);
  }
});

test('on a phone a list in a card is as wide as the card', async ({ page }) => {
  await signIn(page, instance.url, adminEmail);
  await page.setViewportSize({ width: 360, height: 740 });
  const [rows] = lists.filter(({ name }) => name.startsWith('Rows of'));
  if (!rows) throw new Error('No list is in a card.');
  await open(page, rows);
  const list = await listOf(page, rows.name).boundingBox();
  const card = await page.getByRole('region', { name: 'Rows and invitations' }).boundingBox();
  expect(card?.width).toBe(328);
  expect(Math.abs((list?.width ?? 0) - (card?.width ?? 0)), 'but for its border').toBeLessThanOrEqual(2);
});

test('on a phone the lists of daily work have rows of two lines', async ({ page, demo }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, demo.url, 'admin@demo.example');
  for (const [name, place] of [
    ['Submissions', '/submissions'],
    ['Progress of the cohort', '/cohort-progress'],
    ['Training activities', '/admin/training-management'],
    ['Activities', '/admin/programme-setup?tab=activities'],
    ['Modules', '/admin/programme-setup?tab=modules'],
    ['Weekly requirements', '/admin/programme-setup?tab=requirements'],
    ['Resources', '/admin/resources-management'],
    ['Audit log', '/admin/audit-log'],
    ['Approved, not sent', '/admin/stipend-management?tab=reconciliation'],
  ] as const) {
    await page.goto(`${demo.url}${place}`);
    await expect(listOf(page, name).locator('tbody tr').first()).toBeVisible();
    await waitUntilSettled(page);
    const heights = await heightsOf(page, name);
    expect(heights.length, name).toBeGreaterThan(5);
    expect(Math.max(...heights), name).toBeLessThanOrEqual(100);
  }
});

test('the full lists are accessible in both color schemes and at both widths', async ({ page }) => {
  await signIn(page, instance.url, adminEmail);
  for (const list of lists) {
    await open(page, list);
    await expectAccessibleEverywhere(page);
  }
});

test('j and k go from row to row, and ? lists the keys', async ({ page }) => {
  await signIn(page, instance.url, adminEmail);
  await open(page, { name: 'Users', place: '/admin/user-management?role=participant&order=name' });
  const names = await listOf(page, 'Users').locator('tbody a').allInnerTexts();
  const inRow = (row: number) => page.getByRole('link', { name: names[row] ?? '', exact: true }).first();
  for (const [key, row] of [
    ['j', 0],
    ['j', 1],
    ['j', 2],
    ['k', 1],
  ] as const) {
    await page.keyboard.press(key);
    await expect(inRow(row)).toBeFocused();
  }
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await expect(keys.getByRole('row')).toContainText(['Key', 'Ctrl + K', '/', 'J', 'K']);
  await expectAccessibleEverywhere(page);
  await page.keyboard.press('j');
  await expect(inRow(2)).not.toBeFocused();
  await page.keyboard.press('Escape');
  await expect(keys).toBeHidden();
});

test('on paper a list has every row that was read, and neither navigation nor buttons', async ({ page }) => {
  await signIn(page, instance.url, adminEmail);
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page, { name: 'Stipends of the week', place: '/admin/stipend-management?week=1' });
  const rows = listOf(page, 'Stipends of the week').locator('tbody tr:not([aria-hidden])');
  const before = await rows.count();
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await expect.poll(() => rows.count()).toBeGreaterThan(before);
  await expect(listOf(page, 'Stipends of the week').locator('tr[aria-hidden]')).toHaveCount(0);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
  await expect(page.getByRole('main').locator('.mantine-Button-root:visible')).toHaveCount(0);
  const ink = await page.getByRole('heading', { level: 1 }).evaluate((title) => getComputedStyle(title).color);
  expect(ink).toBe('rgb(0, 0, 0)');
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect.poll(() => rows.count()).toBe(before);
});

import type { Locator, Page } from '@playwright/test';
import { readCohortStandings, readWaitingAges } from '#contract/programme-figures.ts';
import { expectAccessibleEverywhere } from './axe.ts';
import { expect, signIn, test } from './support.ts';
import { tryAgain } from './try-again.ts';

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const asTable = (place: Locator) => place.getByRole('button', { name: /^Show as table/ }).first();
const calledOf = (page: Page) => {
  const called: string[] = [];
  page.on('request', (request) => called.push(new URL(request.url()).pathname));
  return called;
};

async function openDashboard(page: Page, url: string, visitor: string) {
  await signIn(page, url, `${visitor}@demo.example`);
  await page.goto(`${url}/dashboard`);
}

test('an admin’s charts are asked for when they come into sight, and move nothing', async ({ demo, page }) => {
  const called = calledOf(page);
  await openDashboard(page, demo.url, 'admin');
  await expect(panel(page, 'Recent Activity (Last 7 Days)')).toBeVisible();
  const isFigure = (path: string) => path.startsWith('/api/figures/') || /charts|admin-figures/.test(path);
  expect(called.filter(isFigure)).toEqual([]);
  const tops = () =>
    Promise.all(
      ['How people stand', 'How long things wait', 'Week by week'].map(async (name) => {
        const box = await panel(page, name).boundingBox();
        const scrolled = await page.evaluate(() => scrollY);
        return Math.round((box?.y ?? 0) + scrolled);
      }),
    );
  const before = await tops();
  for (const name of ['How people stand', 'How long things wait', 'Week by week']) {
    await panel(page, name).scrollIntoViewIfNeeded();
    await expect(asTable(panel(page, name))).toBeVisible();
  }
  expect(await tops()).toEqual(before);
  expect(called.filter(isFigure)).toContain(readCohortStandings.path);
});

test('by keyboard alone: a chart becomes a table, and a figure opens the rows that it counts', async ({
  demo,
  page,
}) => {
  await openDashboard(page, demo.url, 'admin');
  const standings = panel(page, 'How people stand');
  await standings.scrollIntoViewIfNeeded();
  await asTable(standings).focus();
  await page.keyboard.press('Enter');
  const figure = standings.getByRole('link', { name: /On track \d+$/ }).first();
  const count = Number(await figure.textContent());
  expect(count).toBeGreaterThan(0);
  await figure.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Cohort Progress' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Standing' })).toHaveValue('On track');
  await expect(page.getByText(new RegExp(`^${count} of ${count} participants? shown$`))).toBeVisible();
});

test('what waits opens the list with that age, which can be taken back', async ({ demo, page }) => {
  await openDashboard(page, demo.url, 'admin');
  const waiting = panel(page, 'How long things wait');
  await waiting.scrollIntoViewIfNeeded();
  await asTable(waiting).click();
  const figure = waiting.getByRole('link', { name: /^Work to review/ }).first();
  const count = Number(await figure.textContent());
  await figure.click();
  const filter = page.getByRole('button', { name: /^Waiting .*: show all$/ });
  await expect(filter).toBeVisible();
  await expect(page.getByRole('region', { name: /submissions/i }).getByRole('row')).toHaveCount(count + 1);
  await filter.click();
  await expect(filter).toBeHidden();
});

test('figures that cannot be read say so, are no zeros, and can be read again', async ({ demo, page }) => {
  await page.route(`**${readWaitingAges.path}`, (route) => route.fulfill({ status: 500, body: 'broken' }));
  await openDashboard(page, demo.url, 'admin');
  const waiting = panel(page, 'How long things wait');
  await waiting.scrollIntoViewIfNeeded();
  await expect(waiting.getByRole('alert')).toContainText('What waits could not be loaded');
  await expect(waiting.locator('figure, table')).toHaveCount(0);
  await tryAgain(page, `**${readWaitingAges.path}`, { button: waiting.getByRole('button', { name: 'Try again' }) });
  await expect(asTable(waiting)).toBeVisible();
});

test('axe finds nothing in the charts, nor in their tables', async ({ demo, page }) => {
  await openDashboard(page, demo.url, 'admin');
  // A phone folds them unless they are open.
  await page.goto(`${demo.url}/dashboard?open=standings.waiting.weeks`);
  for (const name of ['How people stand', 'How long things wait', 'Week by week']) {
    await panel(page, name).scrollIntoViewIfNeeded();
    await expect(asTable(panel(page, name))).toBeVisible();
  }
  await expectAccessibleEverywhere(page);
  const left = page.getByRole('button', { name: /^Show as table/ });
  while ((await left.count()) > 0) await left.first().click();
  await expectAccessibleEverywhere(page);
});

test('a coach goes through the weeks by arrow keys, reads each in words, and opens the person', async ({
  demo,
  page,
}) => {
  await openDashboard(page, demo.url, 'coach');
  const weeks = panel(page, 'Weeks at a glance');
  await weeks.scrollIntoViewIfNeeded();
  const cells = weeks.getByRole('grid').getByRole('button');
  await cells.first().focus();
  await expect(weeks.getByText(/, week 1: /)).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(weeks.getByText(/, week 2: /)).toBeVisible();
  const before = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await page.keyboard.press('ArrowDown');
  const after = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(after).not.toBe(before);
  await page.keyboard.press('Home');
  await expect(weeks.getByText(/, week 1: .*(Attendance|Pay)/)).toBeVisible();
  await expectAccessibleEverywhere(page);
  const person = weeks.getByRole('rowheader').getByRole('link').first();
  const name = (await person.textContent()) ?? '';
  await person.click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
});

test('on a phone the weeks of a coach open at the current one, and each mark has the color of its own state', async ({
  demo,
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openDashboard(page, demo.url, 'coach');
  const weeks = panel(page, 'Weeks at a glance');
  await weeks.scrollIntoViewIfNeeded();
  const current = weeks.getByRole('row').nth(1).getByRole('button').last();
  await expect(current).toBeAttached();
  const [cell, grid] = await Promise.all([current.boundingBox(), weeks.boundingBox()]);
  expect((cell?.x ?? 0) + (cell?.width ?? 0)).toBeLessThanOrEqual((grid?.x ?? 0) + (grid?.width ?? 0));
  const met = weeks.locator('button[data-tone="danger"] [data-tone="success"]').first();
  await expect(met).toHaveText('✓');
  const colorsOf = (mark: Element) => [mark, mark.parentElement ?? mark].map((part) => getComputedStyle(part).color);
  expect(new Set(await met.evaluate(colorsOf)).size).toBe(2);
});

test('a participant sees own weeks of attendance and pay, and each figure leads to its week', async ({
  demo,
  page,
}) => {
  await signIn(page, demo.url, 'participant@demo.example');
  await page.goto(`${demo.url}/my-stipends`);
  const pay = panel(page, 'Pay by week');
  await pay.scrollIntoViewIfNeeded();
  await asTable(pay).click();
  const figure = pay.getByRole('link').first();
  const week = /^Week \d+/.exec((await figure.getAttribute('aria-label')) ?? '')?.[0] ?? 'none';
  await figure.click();
  await expect(page.getByRole('heading', { level: 2, name: new RegExp(`^${week},`) })).toBeInViewport();
  await expectAccessibleEverywhere(page);
});

test('a coach compares a cohort with the plan, and goes from a count to the people', async ({ demo, page }) => {
  await signIn(page, demo.url, 'coach@demo.example');
  await page.goto(`${demo.url}/cohort-progress`);
  const completion = panel(page, 'Completion by week');
  await completion.scrollIntoViewIfNeeded();
  await asTable(completion).click();
  await expect(completion.getByRole('columnheader', { name: 'Plan' })).toBeVisible();
  const link = completion.getByRole('link', { name: /^\d+ (person|people)$/ }).last();
  const count = Number.parseInt((await link.textContent()) ?? '', 10);
  await link.click();
  await expect(page.getByRole('combobox', { name: 'Standing' })).toHaveValue('On track');
  await expect(page.getByText(new RegExp(`^${count} of ${count} participants? shown$`))).toBeVisible();
});

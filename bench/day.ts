// Which requests a day of the demo program makes, played by its people in a browser: npm run bench -- day
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { readSession } from '#contract/accounts.ts';
import { listenLive } from '#contract/live.ts';
import { readMetrics } from '#contract/operations.ts';
import type { Role } from '#contract/roles.ts';
import { addressOf, openPage, signInAs } from '../e2e/demo-pages.ts';
import type { Instance } from '../e2e/instance.ts';
import { waitUntilSettled } from '../e2e/looks.ts';
import { startInOwnProcess } from '../e2e/own-process.ts';
import { demoPassword, signInByForm } from '../e2e/support.ts';
import { requireBrowser } from '../scripts/browser.ts';
import { buildWebWhenStale } from '../scripts/build-web.ts';
import { readOptions } from './asked.ts';
import { addDays, type Counts, countsSince, readCounts, sharesOf } from './day-counts.ts';
import { days, type Step } from './day-of.ts';
import { alignColumns } from './figures.ts';
import { describeRun } from './run-of.ts';

/** Other people's screens read again within this, after somebody has changed what they show. */
const afterStepInMs = 1_000;
const sessionsAnHour = 30;
/** They come from the browser's own store on every day but the first, or from the server that stands in front. */
const noEndpoints = ['file', 'page', readMetrics.name];
const roles = Object.keys(days) as Role[];

export async function measureDay(args: string[]): Promise<string | null> {
  readOptions(args, {});
  if (!buildWebWhenStale()) throw new Error('The browser app could not be built.');
  console.log(describeRun());
  const demo = await startInOwnProcess({ DEMO: '1' });
  const browser = await chromium.launch({ executablePath: await requireBrowser(), args: ['--no-sandbox'] });
  try {
    const played = new Map<Role, Counts>();
    for (const role of roles) played.set(role, await playDay(browser, demo, role));
    report(played);
    return null;
  } finally {
    await browser.close();
    await demo.stop();
  }
}

/** One person of each other role has the dashboard open meanwhile, and reads again what this day changes. */
async function playDay(browser: Browser, demo: Instance, role: Role): Promise<Counts> {
  const others = roles.filter((other) => other !== role);
  const watching = await Promise.all(others.map((other) => watchDashboard(browser, demo, other)));
  const context = await browser.newContext();
  const addresses = await findAddresses(browser, demo, role);
  let streams = 0;
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === listenLive.path) streams += 1;
  });
  const before = readCounts(await metricsOf(demo));
  for (const [number, steps] of days[role].visits.entries()) {
    const page = await context.newPage();
    if (number === 0) await signInByForm(page, demo.url, `${role}@demo.example`);
    for (const step of steps) await take(page, demo, role, step, addresses);
    await page.close();
  }
  await pause(afterStepInMs);
  const counts = countsSince(before, readCounts(await metricsOf(demo)));
  for (const other of [context, ...watching]) await other.close();
  // The server does not count a stream that the browser ends.
  counts.set(listenLive.name, streams);
  const { hoursInSight } = days[role];
  counts.set(readSession.name, (counts.get(readSession.name) ?? 0) + hoursInSight * sessionsAnHour);
  return counts;
}

async function take(page: Page, demo: Instance, role: Role, step: Step, addresses: Map<string, string>) {
  if (typeof step === 'string') await go(page, demo, addresses.get(step) ?? step);
  else if (!(await step.run(page))) console.log(`The demo's ${role} has nothing today for this step: ${step.does}.`);
  await waitUntilSettled(page);
  await pause(afterStepInMs);
}

/** A screen that is open stays as it is, and another part of it is opened as a link would. */
async function go(page: Page, demo: Instance, place: string): Promise<void> {
  const [present, next] = [new URL(page.url()), new URL(place, demo.url)];
  if (present.href === next.href) return;
  if (present.origin + present.pathname !== next.origin + next.pathname) return openPage(page, demo, place);
  await page.evaluate((href) => history.pushState(null, '', href), next.href);
}

async function watchDashboard(browser: Browser, demo: Instance, role: Role): Promise<BrowserContext> {
  const context = await browser.newContext();
  await signInAs(context, demo, role, demoPassword);
  await openPage(await context.newPage(), demo, '/dashboard');
  return context;
}

/** Asked for ahead, so that these requests do not count. */
async function findAddresses(browser: Browser, demo: Instance, role: Role): Promise<Map<string, string>> {
  const context = await browser.newContext();
  await signInAs(context, demo, role, demoPassword);
  const places = days[role].visits.flat().filter((step) => typeof step === 'string');
  const addresses = new Map<string, string>();
  for (const place of places) addresses.set(place, await addressOf(context.request, demo, place));
  await context.close();
  return addresses;
}

async function metricsOf({ url }: Instance): Promise<string> {
  return (await fetch(url + readMetrics.path)).text();
}

function report(played: Map<Role, Counts>): void {
  const own = [...played].map(([role, counts]) => ({
    role,
    people: days[role].people,
    counts: new Map([...counts].filter(([name]) => !noEndpoints.includes(name))),
  }));
  const shares = sharesOf(addDays(own));
  const sum = shares.reduce((all, { count }) => all + count, 0);
  const head = ['endpoint', ...own.map(({ role, people }) => `${people} × ${role}`), 'all', 'share'];
  const rows = shares.map(({ name, count, share }) => [
    name,
    ...own.map(({ counts }) => String(counts.get(name) ?? 0)),
    String(count),
    `${(100 * share).toFixed(1)} %`,
  ]);
  const one = own.map(({ counts }) => String([...counts.values()].reduce((all, count) => all + count, 0)));
  for (const line of alignColumns([head, ...rows, ['together', ...one, String(sum), '100 %']])) console.log(line);
  const files = [...played].map(
    ([role, counts]) => `${role} ${counts.get('file') ?? 0} and ${counts.get('page') ?? 0}`,
  );
  console.log(`Beside these, files and pages in a browser that was never here: ${files.join(', ')}.`);
}

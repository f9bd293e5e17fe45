// The first screens and the heaviest table on a slow phone and on a desk: npm run bench -- phone [--times 5]
import { type Browser, chromium, type Page } from '@playwright/test';
import { demoPassword } from '#server/sign-in/demo-accounts.ts';
import { buildCrowd } from '../e2e/crowd.ts';
import type { Instance } from '../e2e/instance.ts';
import { startInstanceWithDatabase } from '../e2e/own-database.ts';
import { startInOwnProcess } from '../e2e/own-process.ts';
import { requireBrowser } from '../scripts/browser.ts';
import { buildWebWhenStale } from '../scripts/build-web.ts';
import { readOptions, wholeNumber } from './asked.ts';
import { alignColumns, median } from './figures.ts';
import { contextOptions, equip, loadPage, type Machine, type PageLoad } from './page-load.ts';
import { describeRun } from './run-of.ts';

const machines: Machine[] = [
  {
    name: 'phone',
    width: 360,
    height: 740,
    isPhone: true,
    slowdown: 4,
    network: { bitsDown: 1_600_000, bitsUp: 750_000, latencyInMs: 150 },
  },
  { name: 'desk', width: 1280, height: 800, isPhone: false, slowdown: 1, network: null },
];

interface Screen {
  name: string;
  place: string;
  /** Null for somebody who is signed out. */
  email: string | null;
  instance: 'demo' | 'crowd';
  act: (page: Page) => Promise<void>;
}

const peopleOfTable = 2_000;
const adminOfCrowd = 'admin@people.example';
const pressBell = (page: Page) => page.getByRole('button', { name: /^Notifications/ }).click();
const screens: Screen[] = [
  {
    name: 'sign-in',
    place: '/login',
    email: null,
    instance: 'demo',
    act: (page) => page.getByLabel('Email', { exact: true }).press('a'),
  },
  ...['participant', 'coach', 'admin'].map(
    (role): Screen => ({
      name: `${role}'s dashboard`,
      place: '/dashboard',
      email: `${role}@demo.example`,
      instance: 'demo',
      act: pressBell,
    }),
  ),
  {
    name: `stipends of ${peopleOfTable} people`,
    place: '/admin/stipend-management?week=1',
    email: adminOfCrowd,
    instance: 'crowd',
    act: (page) => page.getByRole('button', { name: 'Show more' }).click(),
  },
];

export async function measurePhone(args: string[]): Promise<string | null> {
  const asked = readOptions(args, { times: { type: 'string', default: '5' } });
  const times = wholeNumber(asked.times);
  if (times === null) return 'Times are a whole number above zero.';
  if (!buildWebWhenStale()) throw new Error('The browser app could not be built.');
  console.log(describeRun());
  const crowd = await startInstanceWithDatabase(adminOfCrowd, { REQUIRE_ADMIN_SECOND_FACTOR: '0' }, startInOwnProcess);
  const demo = await startInOwnProcess({ DEMO: '1' });
  const browser = await chromium.launch({
    executablePath: await requireBrowser(),
    args: ['--no-sandbox', '--disable-quic'],
  });
  try {
    await buildCrowd(crowd, peopleOfTable);
    for (const machine of machines) await measureOn(machine, browser, { crowd, demo }, times);
    return null;
  } finally {
    await browser.close();
    await demo.stop();
    await crowd.stop();
  }
}

async function measureOn(
  machine: Machine,
  browser: Browser,
  instances: Record<Screen['instance'], Instance>,
  times: number,
): Promise<void> {
  const rows = [];
  for (const screen of screens) {
    const loads: Record<'cold' | 'warm', PageLoad[]> = { cold: [], warm: [] };
    for (let time = 0; time < times; time += 1) {
      const { cold, warm } = await loadTwice(machine, browser, instances[screen.instance], screen);
      loads.cold.push(cold);
      loads.warm.push(warm);
    }
    for (const kind of ['cold', 'warm'] as const) rows.push([`${screen.name}, ${kind}`, ...figuresOf(loads[kind])]);
  }
  const head = [describe(machine), 'requests', 'kB', 'largest paint, ms', 'long tasks', 'together, ms', 'a press, ms'];
  for (const line of alignColumns([head, ...rows])) console.log(line);
}

/** A browser that was never here, and the same one again with what it kept. */
async function loadTwice(machine: Machine, browser: Browser, { url }: Instance, { place, email, act }: Screen) {
  const context = await browser.newContext(contextOptions(machine));
  try {
    if (email) {
      const data = { email, password: demoPassword };
      const answer = await context.request.post(`${url}/api/auth/sign-in/email`, { data });
      if (!answer.ok()) throw new Error(`${email} could not sign in: ${await answer.text()}`);
    }
    const page = await context.newPage();
    const tools = await equip(page, machine);
    const cold = await loadPage(page, tools, `${url}${place}`, act);
    await page.goto('about:blank');
    return { cold, warm: await loadPage(page, tools, `${url}${place}`, act) };
  } finally {
    await context.close();
  }
}

function figuresOf(loads: PageLoad[]): string[] {
  const parts = ['requests', 'kilobytes', 'largestPaintInMs', 'longTasks', 'longTasksInMs', 'interactionInMs'] as const;
  return parts.map((part) => median(loads.map((load) => load[part])).toFixed(0));
}

function describe({ name, width, height, slowdown, network }: Machine): string {
  if (!network) return `${name}, ${width} × ${height}`;
  const { bitsDown, latencyInMs } = network;
  return `${name}, ${width} × ${height}, ${slowdown} times slower, ${bitsDown / 1e6} Mbit/s, ${latencyInMs} ms`;
}

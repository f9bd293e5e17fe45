// Photographs every screen for every visitor: npm run screenshots. With names of states only those: full, empty, failing.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type APIRequestContext, type Browser, type BrowserContext, chromium } from '@playwright/test';
import { argumentsOrEnd } from '#server/command.ts';
import { demoPassword } from '#server/sign-in/demo-accounts.ts';
import { everyPlace, openPage, pagesOf, signInAs, type Visitor, visitors } from '../e2e/demo-pages.ts';
import { failReads, placeOfNobody, startWithoutProgramme } from '../e2e/empty-and-failing.ts';
import type { Instance } from '../e2e/instance.ts';
import { looks, showWhole, takeLook, waitUntilSettled } from '../e2e/looks.ts';
import { startInOwnProcess } from '../e2e/own-process.ts';
import { requireBrowser } from './browser.ts';
import { buildWebWhenStale } from './build-web.ts';

const folder = 'screenshots';
const states = ['full', 'empty', 'failing'] as const;
type State = (typeof states)[number];

const usage = `Usage: npm run screenshots [-- ${states.join(' | ')} …]`;
const { positionals } = argumentsOrEnd(usage, { allowPositionals: true, options: {} });
const unknown = positionals.find((name) => !states.some((state) => state === name));
if (unknown !== undefined) {
  console.error(`There is no state called ${unknown}.\n${usage}`);
  process.exit(2);
}
process.chdir(path.join(import.meta.dirname, '..'));
if (!buildWebWhenStale()) process.exit(1);
const failures: string[] = [];
let taken = 0;
const browser = await chromium.launch({
  executablePath: await requireBrowser(),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-sync',
  ],
});
try {
  for (const state of states.filter((one) => positionals.length === 0 || positionals.includes(one))) {
    rmSync(path.join(folder, state), { recursive: true, force: true });
    const instance = await (state === 'empty' ? startWithoutProgramme() : startInOwnProcess({ DEMO: '1' }));
    await photographAll(browser, instance, state).finally(instance.stop);
  }
} finally {
  await browser.close();
}
console.log(`${taken} pictures in ${folder}/`);
for (const failure of failures) console.error(failure);
process.exitCode = failures.length === 0 && taken > 0 ? 0 : 1;

/** Photographs visitors who are refused, too. The address is then one that the admin sees. */
async function photographAll(browser: Browser, instance: Instance, state: State): Promise<void> {
  const admin = await browser.newContext();
  await signInAs(admin, instance, 'admin', demoPassword);
  for (const visitor of visitors) {
    const context = await browser.newContext();
    await signInAs(context, instance, visitor, demoPassword);
    // Who is refused, is refused in every state.
    for (const place of state === 'full' ? everyPlace : pagesOf[visitor]) {
      const finder = pagesOf[visitor].includes(place) ? context : admin;
      await photograph(context, { instance, state, visitor, place, finder: finder.request }).catch((error: Error) => {
        failures.push(`${place} as ${visitor}, ${state}: ${error.message}`);
      });
    }
    await context.close();
  }
  await admin.close();
}

interface Motif {
  instance: Instance;
  state: State;
  visitor: Visitor;
  place: string;
  finder: APIRequestContext;
}

async function photograph(context: BrowserContext, { instance, state, visitor, place, finder }: Motif): Promise<void> {
  const page = await context.newPage();
  try {
    if (state === 'failing') await failReads(page, { isAdmin: visitor === 'admin' });
    await openPage(page, instance, state === 'empty' ? placeOfNobody(place) : place, finder);
    for (const look of looks) {
      await takeLook(page, look);
      await waitUntilSettled(page);
      const target = path.join(folder, state, String(look.width), look.colorScheme, visitor);
      mkdirSync(target, { recursive: true });
      await showWhole(page);
      await page.screenshot({ path: path.join(target, `${nameOf(place)}.png`), fullPage: true });
      taken += 1;
    }
  } finally {
    await page.close();
  }
}

function nameOf(place: string): string {
  return place.replace(/[^a-z]+/g, '-').replace(/^-|-$/g, '');
}

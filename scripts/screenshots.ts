import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type APIRequestContext, type BrowserContext, chromium } from '@playwright/test';
import { argumentsOrEnd } from '#server/command.ts';
import { demoPassword } from '#server/sign-in/demo-accounts.ts';
import { everyPlace, openPage, pagesOf, signInAs, type Visitor, visitors } from '../e2e/demo-pages.ts';
import { looks, takeLook, waitUntilSettled } from '../e2e/looks.ts';
import { startInOwnProcess } from '../e2e/own-process.ts';
import { requireBrowser } from './browser.ts';
import { buildWebWhenStale } from './build-web.ts';

const folder = 'screenshots';

argumentsOrEnd('Usage: npm run screenshots', {});
process.chdir(path.join(import.meta.dirname, '..'));
if (!buildWebWhenStale()) process.exit(1);
rmSync(folder, { recursive: true, force: true });
const instance = await startInOwnProcess({ DEMO: '1' });
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
const failures: string[] = [];
let taken = 0;
try {
  const admin = await browser.newContext();
  await signInAs(admin, instance, 'admin', demoPassword);
  for (const visitor of visitors) {
    const context = await browser.newContext();
    await signInAs(context, instance, visitor, demoPassword);
    for (const place of everyPlace) {
      const finder = pagesOf[visitor].includes(place) ? context : admin;
      await photograph(context, visitor, place, finder.request).catch((error: Error) => {
        failures.push(`${place} as ${visitor}: ${error.message}`);
      });
    }
    await context.close();
  }
} finally {
  await browser.close();
  await instance.stop();
}
console.log(`${taken} pictures in ${folder}/`);
for (const failure of failures) console.error(failure);
process.exitCode = failures.length === 0 && taken > 0 ? 0 : 1;

/** Photographs visitors who are refused, too. The address is then one that the finder sees. */
async function photograph(
  context: BrowserContext,
  visitor: Visitor,
  place: string,
  finder: APIRequestContext,
): Promise<void> {
  const page = await context.newPage();
  try {
    await openPage(page, instance, place, finder);
    for (const look of looks) {
      await takeLook(page, look);
      await waitUntilSettled(page);
      const target = path.join(folder, String(look.width), look.colorScheme, visitor);
      mkdirSync(target, { recursive: true });
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

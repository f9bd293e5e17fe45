import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { requireBrowser } from './browser.ts';
import { buildWebWhenStale } from './build-web.ts';
import { addTally, type Tally, tallyBrowserTests, tallyChecks, tallyUnitTests } from './test-tally.ts';

type Suite = { name: string; args: string[]; report: string; tally: (report: string) => Tally };

const packages = path.join('node_modules');
const check: Suite = {
  name: 'check',
  args: ['scripts/check.ts'],
  report: 'test-results/check.json',
  tally: tallyChecks,
};
const units: Suite = {
  name: 'unit tests',
  args: [
    path.join(packages, 'vitest', 'vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    '--outputFile.json=test-results/unit.json',
  ],
  report: 'test-results/unit.json',
  tally: tallyUnitTests,
};
const browser: Suite = {
  name: 'browser tests',
  args: [path.join(packages, '@playwright', 'test', 'cli.js'), 'test'],
  report: 'test-results/e2e.json',
  tally: tallyBrowserTests,
};

process.chdir(path.join(import.meta.dirname, '..'));
mkdirSync('test-results', { recursive: true });
const hasBrowser = prepareBrowser();
const isBuilt = buildWebWhenStale();
// The checks take what the unit tests leave of the processor; the browser tests leave nothing.
const [checks, unitTests] = await Promise.all([run(check, 'at its end'), run(units, 'as it comes')]);
const tallies = [checks, unitTests, hasBrowser && isBuilt ? await run(browser, 'as it comes') : withoutBrowserTests()];
const total = tallies.reduce(addTally);
for (const failure of total.failures) console.log(`failed: ${failure}`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;

function prepareBrowser(): boolean {
  try {
    requireBrowser();
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  }
}

function withoutBrowserTests(): Tally {
  const failures = [hasBrowser ? 'browser tests: the browser app did not build' : 'browser tests: no browser'];
  return { passed: 0, failed: 1, skipped: 0, failures };
}

/** What suites that run side by side have to say must not be mixed: one of them is heard at its end. */
async function run({ name, args, report, tally }: Suite, heard: 'as it comes' | 'at its end'): Promise<Tally> {
  rmSync(report, { force: true });
  const isKept = heard === 'at its end';
  if (!isKept) console.log(`\n== ${name}`);
  const suite = spawn(process.execPath, args, { stdio: isKept ? ['inherit', 'pipe', 'pipe'] : 'inherit' });
  const said: Buffer[] = [];
  for (const stream of [suite.stdout, suite.stderr]) stream?.on('data', (words: Buffer) => said.push(words));
  const status = await new Promise<number | null>((resolve, reject) => {
    suite.once('error', reject);
    suite.once('close', resolve);
  });
  if (isKept) console.log(`\n== ${name}\n${Buffer.concat(said).toString().trimEnd()}`);
  const counted = existsSync(report) ? tally(report) : { passed: 0, failed: 0, skipped: 0, failures: [] };
  if (counted.failed > 0) return counted;
  if (status !== 0) return { ...counted, failed: 1, failures: [`${name}: broke off (exit code ${status})`] };
  if (counted.passed === 0) return { ...counted, failed: 1, failures: [`${name}: nothing was run`] };
  return counted;
}

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { requireBrowser } from './browser.ts';
import { buildWebWhenStale } from './build-web.ts';
import { addTally, type Tally, tallyBrowserTests, tallyChecks, tallyUnitTests } from './test-tally.ts';

type Suite = { name: string; args: string[]; report: string; tally: (report: string) => Tally };

const packages = path.join('node_modules');
const suites: Suite[] = [
  { name: 'check', args: ['scripts/check.ts'], report: 'test-results/check.json', tally: tallyChecks },
  {
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
  },
  {
    name: 'browser tests',
    args: [path.join(packages, '@playwright', 'test', 'cli.js'), 'test'],
    report: 'test-results/e2e.json',
    tally: tallyBrowserTests,
  },
];

process.chdir(path.join(import.meta.dirname, '..'));
mkdirSync('test-results', { recursive: true });
const hasBrowser = prepareBrowser();
const isBuilt = buildWebWhenStale();
const tallies = suites.map((suite) => {
  if (suite.name === 'browser tests' && !(hasBrowser && isBuilt)) return { passed: 0, failed: 1, skipped: 0 };
  return run(suite);
});
const total = tallies.reduce(addTally);
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

function run({ name, args, report, tally }: Suite): Tally {
  rmSync(report, { force: true });
  console.log(`\n== ${name}`);
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  const counted = existsSync(report) ? tally(report) : { passed: 0, failed: 0, skipped: 0 };
  if (status === 0 && counted.passed === 0) console.error(`The ${name} ran nothing.`);
  if (status !== 0 && counted.failed === 0) console.error(`The ${name} broke off (exit code ${status}).`);
  const isBroken = status !== 0 || counted.passed === 0;
  return { ...counted, failed: isBroken ? Math.max(counted.failed, 1) : counted.failed };
}

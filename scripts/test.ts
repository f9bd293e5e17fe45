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
  if (suite.name === 'browser tests' && !(hasBrowser && isBuilt)) {
    const failures = [hasBrowser ? 'browser tests: the browser app did not build' : 'browser tests: no browser'];
    return { passed: 0, failed: 1, skipped: 0, failures };
  }
  return run(suite);
});
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

function run({ name, args, report, tally }: Suite): Tally {
  rmSync(report, { force: true });
  console.log(`\n== ${name}`);
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  const counted = existsSync(report) ? tally(report) : { passed: 0, failed: 0, skipped: 0, failures: [] };
  if (counted.failed > 0) return counted;
  if (status !== 0) return { ...counted, failed: 1, failures: [`${name}: broke off (exit code ${status})`] };
  if (counted.passed === 0) return { ...counted, failed: 1, failures: [`${name}: nothing was run`] };
  return counted;
}

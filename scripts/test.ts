// Runs everything, or what a change reaches. The default revision is the last commit.
// npm run test:deep runs the tests of size in full.
import { type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { argumentsOrEnd, end } from '#server/command.ts';
import prepareBrowserTests from '../e2e/global-setup.ts';
import { requireBrowser } from './browser.ts';
import { buildWebWhenStale } from './build-web.ts';
import { readImportGraph } from './import-graph.ts';
import { changedSince, reachedSpecs } from './reached-specs.ts';
import { addTally, type Tally, tallyBrowserTests, tallyChecks, tallyUnitTests } from './test-tally.ts';

type Suite = {
  name: string;
  args: string[];
  report: string;
  tally: (report: string) => Tally;
  /** A partial run may select no test of this kind. */
  mayBeEmpty?: boolean;
};
/** Programs that run side by side must not mix their output. One of two prints at its end. */
type Heard = 'as it comes' | 'at its end';

/** Every test with a deep size imports this file. */
const depthSetting = 'test/support/depth.ts';

process.chdir(path.join(import.meta.dirname, '..'));
const usage = 'Usage: npm test [-- --changed [REVISION]], or npm run test:deep';
const { values: asked, positionals } = argumentsOrEnd(usage, {
  options: { changed: { type: 'boolean' }, deep: { type: 'boolean' } },
  allowPositionals: true,
});
if (positionals.length > (asked.changed ? 1 : 0)) end(usage);
/** The files that the selected tests must reach. Null selects all tests. */
const reaching = asked.deep ? [depthSetting] : asked.changed ? changedOrEnd(positionals[0] ?? 'HEAD') : null;
const specs = reaching && reachedSpecs(process.cwd(), readImportGraph(process.cwd()), reaching);
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
    ...(reaching ? ['related', '--run', '--passWithNoTests', ...reaching] : ['run']),
    '--reporter=default',
    '--reporter=json',
    '--outputFile.json=test-results/unit.json',
  ],
  report: 'test-results/unit.json',
  tally: (report) => tallyUnitTests(report, reaching ? [] : ['contract', 'server', 'web']),
  mayBeEmpty: reaching !== null,
};
const browser: Suite = {
  name: 'browser tests',
  args: [path.join(packages, '@playwright', 'test', 'cli.js'), 'test', ...(specs ?? [])],
  report: 'test-results/e2e.json',
  tally: tallyBrowserTests,
};

mkdirSync('test-results', { recursive: true });
if (asked.deep) process.env.TEST_DEPTH = 'deep';
if (specs) console.log(`Of the browser tests: ${specs.join(', ') || 'none'}`);
const isBuilt = specs?.length === 0 || buildWebWhenStale();
// All suites share one database server.
const endSetUp = await prepareBrowserTests();
const [unitTests, { checks, hasBrowser }] = await Promise.all([run(units, 'as it comes'), runBesideUnitTests()]);
const tallies = [checks, unitTests, await runBrowserTests(hasBrowser)];
const total = tallies.reduce(addTally);
for (const failure of total.failures) console.log(`failed: ${failure}`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
await endSetUp();

function changedOrEnd(revision: string): string[] {
  const known = spawnSync('git', ['rev-parse', '--quiet', '--verify', `${revision}^{commit}`], { stdio: 'ignore' });
  return known.status === 0 ? changedSince(revision) : end(`There is no version called ${revision} in the repository.`);
}

/** Runs one after the other on the processor time that the unit tests leave. The browser tests leave none. */
async function runBesideUnitTests(): Promise<{ checks: Tally; hasBrowser: boolean }> {
  if (specs?.length === 0) return { checks: await run(check, 'at its end'), hasBrowser: false };
  const hasBrowser = await prepareBrowser();
  if (hasBrowser && isBuilt) await fillDemo();
  return { checks: await run(check, 'at its end'), hasBrowser };
}

async function runBrowserTests(hasBrowser: boolean): Promise<Tally> {
  if (specs?.length === 0) return { passed: 0, failed: 0, skipped: 0, failures: [] };
  return hasBrowser && isBuilt ? run(browser, 'as it comes') : withoutBrowserTests(hasBrowser);
}

async function prepareBrowser(): Promise<boolean> {
  try {
    await requireBrowser();
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  }
}

/**
 * Prepares the demo for the browser tests. Otherwise the first of them does it. It also says what is wrong if this
 * fails.
 */
async function fillDemo(): Promise<void> {
  const { said, status } = await runToEnd(['e2e/fill-demo.ts'], 'at its end');
  if (status !== 0) console.error(`The demo programme could not be filled in ahead of the browser tests:\n${said}`);
}

function withoutBrowserTests(hasBrowser: boolean): Tally {
  const failures = [hasBrowser ? 'browser tests: the browser app did not build' : 'browser tests: no browser'];
  return { passed: 0, failed: 1, skipped: 0, failures };
}

async function run({ name, args, report, tally, mayBeEmpty = false }: Suite, heard: Heard): Promise<Tally> {
  rmSync(report, { force: true });
  if (heard === 'as it comes') console.log(`\n== ${name}`);
  const { said, status } = await runToEnd(args, heard);
  if (heard === 'at its end') console.log(`\n== ${name}\n${said}`);
  const counted = existsSync(report) ? tally(report) : { passed: 0, failed: 0, skipped: 0, failures: [] };
  if (counted.failed > 0) return counted;
  if (status !== 0) return { ...counted, failed: 1, failures: [`${name}: broke off (exit code ${status})`] };
  if (counted.passed === 0 && !mayBeEmpty) return { ...counted, failed: 1, failures: [`${name}: nothing was run`] };
  return counted;
}

async function runToEnd(args: string[], heard: Heard): Promise<{ said: string; status: number | null }> {
  const stdio: StdioOptions = heard === 'at its end' ? ['inherit', 'pipe', 'pipe'] : 'inherit';
  const program = spawn(process.execPath, args, { stdio });
  const said: Buffer[] = [];
  for (const stream of [program.stdout, program.stderr]) stream?.on('data', (words: Buffer) => said.push(words));
  const status = await new Promise<number | null>((resolve, reject) => {
    program.once('error', reject);
    program.once('close', resolve);
  });
  return { said: Buffer.concat(said).toString().trimEnd(), status };
}

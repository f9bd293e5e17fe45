import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CheckResult } from './check.ts';

/** `failures` names what failed, so that the end of a long output shows it. */
export type Tally = { passed: number; failed: number; skipped: number; failures: string[] };

type UnitReport = {
  numPassedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
};
type BrowserSuite = {
  suites?: BrowserSuite[];
  specs?: { title: string; file: string; line: number; tests: { status: string }[] }[];
};
type BrowserReport = {
  suites: BrowserSuite[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
};

export function addTally(one: Tally, other: Tally): Tally {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    failures: [...one.failures, ...other.failures],
  };
}

export function tallyChecks(report: string): Tally {
  const results = read<CheckResult[]>(report);
  const passed = results.filter((result) => result.isPassed).length;
  const failures = results.filter((result) => !result.isPassed).map((result) => `check: ${result.name}`);
  return { passed, failed: failures.length, skipped: 0, failures };
}

/** A file that fails before its first test counts as one failure. So does one of these trees without any test. */
export function tallyUnitTests(report: string, trees: string[]): Tally {
  const { numPassedTests, numPendingTests, numTodoTests, testResults } = read<UnitReport>(report);
  const failedTests = testResults.flatMap((file) =>
    file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => describe(file.name, fullName, failureMessages[0])),
  );
  const crashed = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  );
  const treesRun = new Set(testResults.map((file) => path.relative(process.cwd(), file.name).split(path.sep)[0]));
  const empty = trees.filter((tree) => !treesRun.has(tree));
  for (const tree of empty) console.error(`No test of ${tree}/ was run.`);
  return {
    passed: numPassedTests,
    failed: failedTests.length + crashed.length + empty.length,
    skipped: numPendingTests + numTodoTests,
    failures: [
      ...failedTests,
      ...crashed.map((file) => describe(file.name, 'did not start', file.message)),
      ...empty.map((tree) => `no test of ${tree}/ was run`),
    ],
  };
}

export function tallyBrowserTests(report: string): Tally {
  const { suites, stats, errors } = read<BrowserReport>(report);
  const failures = suites
    .flatMap(specsOf)
    .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'))
    .map(({ file, line, title }) => `e2e/${file}:${line} › ${title}`);
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    failures: [...failures, ...errors.map((error) => JSON.stringify(error))],
  };
}

function specsOf(suite: BrowserSuite): NonNullable<BrowserSuite['specs']> {
  return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
}

function describe(file: string, title: string, message = ''): string {
  const reason = message.split('\n').slice(0, 12).join('\n    ');
  return `${path.relative(process.cwd(), file)} › ${title}\n    ${reason}`;
}

function read<T>(report: string): T {
  return JSON.parse(readFileSync(report, 'utf8')) as T;
}

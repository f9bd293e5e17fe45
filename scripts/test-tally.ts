import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CheckResult } from './check.ts';

export type Tally = { passed: number; failed: number; skipped: number };

type UnitReport = {
  numPassedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[];
};
type BrowserReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
};

export function addTally(one: Tally, other: Tally): Tally {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  };
}

export function tallyChecks(report: string): Tally {
  const results = read<CheckResult[]>(report);
  const passed = results.filter((result) => result.isPassed).length;
  return { passed, failed: results.length - passed, skipped: 0 };
}

/** A file that fails before its first test, and a tree without any test, count as one failure each. */
export function tallyUnitTests(report: string): Tally {
  const { numPassedTests, numPendingTests, numTodoTests, testResults } = read<UnitReport>(report);
  const failedTests = testResults.flatMap((file) => file.assertionResults.filter(({ status }) => status === 'failed'));
  const crashed = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  );
  const treesRun = new Set(testResults.map((file) => path.relative(process.cwd(), file.name).split(path.sep)[0]));
  const empty = ['contract', 'server', 'web'].filter((tree) => !treesRun.has(tree));
  for (const tree of empty) console.error(`No test of ${tree}/ was run.`);
  return {
    passed: numPassedTests,
    failed: failedTests.length + crashed.length + empty.length,
    skipped: numPendingTests + numTodoTests,
  };
}

export function tallyBrowserTests(report: string): Tally {
  const { stats, errors } = read<BrowserReport>(report);
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped };
}

function read<T>(report: string): T {
  return JSON.parse(readFileSync(report, 'utf8')) as T;
}

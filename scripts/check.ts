import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { argumentsOrEnd } from '#server/command.ts';

export type CheckResult = { name: string; isPassed: boolean };

const packages = path.join(import.meta.dirname, '..', 'node_modules');
const checks: [name: string, command: string[]][] = [
  // Each tree is a project, and tsc keeps its results. Several checkers take twice the processor time for the same work.
  ['types', [path.join(packages, '.bin', 'tsc'), '--build', '--singleThreaded']],
  ['lint', [path.join(packages, '.bin', 'biome'), 'check', '--error-on-warnings']],
  ['database types', [process.execPath, 'scripts/generate-schema-types.ts', '--check']],
  ['additive migrations', [process.execPath, 'scripts/additive-migrations.ts']],
  ['boundaries', [process.execPath, 'scripts/boundaries.ts']],
  ['fixed values', [process.execPath, 'scripts/fixed-values.ts']],
  ['clock reads', [process.execPath, 'scripts/clock-reads.ts']],
  ['built files', [process.execPath, 'scripts/build-web.ts']],
  ['unused code', [process.execPath, 'scripts/unused-code.ts']],
];

argumentsOrEnd('Usage: npm run check', {});
process.chdir(path.join(import.meta.dirname, '..'));
// Run side by side, because most of them use one core. Each check's output comes out in one piece.
const results: CheckResult[] = await Promise.all(checks.map(check));
for (const { name, isPassed } of results) console.log(`check: ${name}: ${isPassed ? 'passed' : 'FAILED'}`);
mkdirSync('test-results', { recursive: true });
writeFileSync('test-results/check.json', JSON.stringify(results));
process.exitCode = results.every((result) => result.isPassed) ? 0 : 1;

function check([name, [program = '', ...args]]: [name: string, command: string[]]): Promise<CheckResult> {
  return new Promise((resolve) => {
    execFile(program, args, { maxBuffer: Number.POSITIVE_INFINITY }, (error, stdout, stderr) => {
      process.stdout.write(stdout);
      process.stderr.write(stderr);
      // A failing program has already printed its own message. Nothing else reports one that could not start.
      if (error && typeof error.code !== 'number') console.error(error.message);
      resolve({ name, isPassed: error === null });
    });
  });
}

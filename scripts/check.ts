import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export type CheckResult = { name: string; isPassed: boolean };

const packages = path.join(import.meta.dirname, '..', 'node_modules');
const checks: [name: string, command: string[]][] = [
  ['types', [path.join(packages, '.bin', 'tsc'), '--noEmit']],
  ['lint', [path.join(packages, '.bin', 'biome'), 'check', '--error-on-warnings']],
  ['database types', [process.execPath, 'scripts/generate-schema-types.ts', '--check']],
  ['boundaries', [process.execPath, 'scripts/boundaries.ts']],
  ['unused code', [process.execPath, 'scripts/unused-code.ts']],
];

process.chdir(path.join(import.meta.dirname, '..'));
const results: CheckResult[] = checks.map(([name, [program = '', ...args]]) => {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (error) console.error(error.message);
  return { name, isPassed: status === 0 };
});
for (const { name, isPassed } of results) console.log(`check: ${name}: ${isPassed ? 'passed' : 'FAILED'}`);
mkdirSync('test-results', { recursive: true });
writeFileSync('test-results/check.json', JSON.stringify(results));
process.exitCode = results.every((result) => result.isPassed) ? 0 : 1;

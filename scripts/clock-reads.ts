// Refuses a read of the clock in server/ that does not ask platform/clock.ts.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findClockReads } from './clock-read-rules.ts';

process.chdir(path.join(import.meta.dirname, '..'));
const home = 'server/platform/clock.ts';

const problems = globSync('server/**/*.ts')
  .filter((file) => !file.endsWith('.test.ts') && file !== home)
  .flatMap((file) => findClockReads(readFileSync(file, 'utf8')).map((read) => `${file}:${read}`));
for (const problem of problems) console.error(`${problem}: ask now() or machineTime() of ${home}.`);
console.log(`clock reads: ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

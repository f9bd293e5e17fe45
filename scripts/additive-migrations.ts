import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findTakenAway } from './taken-away.ts';

/** Nothing was released before these, so no earlier version ran beside them. */
const beforeFirstRelease = /^000[1-9]-|^0010-/;
const folder = path.join(import.meta.dirname, '..', 'server', 'db', 'migrations');

const problems = readdirSync(folder)
  .filter((name) => name.endsWith('.sql') && !beforeFirstRelease.test(name))
  .flatMap((name) => findTakenAway(readFileSync(path.join(folder, name), 'utf8')).map((what) => `${name}: ${what}`));
for (const problem of problems) console.error(problem);
console.log(`additive migrations: ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

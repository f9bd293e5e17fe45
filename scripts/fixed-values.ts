import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { specifiedCalendar, specifiedRules } from '../contract/default-programme.ts';
import { houseZone } from '../contract/house-zone.ts';
import { moduleNames } from '../contract/specified-modules.ts';
import { findFixedValues } from './fixed-value-rules.ts';

process.chdir(path.join(import.meta.dirname, '..'));
const { weeks } = specifiedCalendar;
const asked = specifiedRules.criteria.flatMap((criterion) => ('limit' in criterion ? [criterion.limit] : []));
// A hundred per cent is the whole of anything.
const limits = asked.filter((limit) => limit !== 100);
const specified = { weeks, limits, cents: specifiedRules.amounts.perPeriodCents, zone: houseZone, moduleNames };
/** The specified program, the demo that shows it, and what zones of the United States are called. */
const homes = /^(contract\/(default-programme|house-zone|specified-modules|zones)\.ts|server\/db\/demo\/.*)$/;

const problems = globSync('{contract,server,web}/**/*.{ts,tsx}')
  .filter((file) => !/\.test\.|\.gen\.ts$/.test(file) && !homes.test(file))
  .flatMap((file) => findFixedValues(readFileSync(file, 'utf8'), specified).map((what) => `${file}: ${what}`));
for (const problem of problems) console.error(`${problem} belongs to a program, so it comes from there.`);
console.log(`fixed values: ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

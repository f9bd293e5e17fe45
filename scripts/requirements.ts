// Says which rows of docs/requirements.tsv a test names, by the id in its title: test('BULK-04 refuses …', …).
// Titles of test(…) and it(…) count, in all their forms. Titles of describe(…) and comments do not.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { argumentsOrEnd, end } from '#server/command.ts';

type Row = { id: string; area: string; who: string; requirement: string };

const usage = 'Usage: npm run requirements [-- --area AREA] [--missing] [--min PERCENT]';
const { values: options } = argumentsOrEnd(usage, {
  options: { area: { type: 'string' }, missing: { type: 'boolean' }, min: { type: 'string', default: '0' } },
});
const testTitle =
  /\b(?:test|it)(?:\.(?:concurrent|sequential|serial|slow|each|for)\b(?:\([\s\S]*?\))?)*\s*\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*?)\1/g;
const rowId = /\b[A-Z]+[01]?-\d+\b/g;

process.chdir(path.join(import.meta.dirname, '..'));
const allRows = readRows();
if (!(Number(options.min) >= 0)) end('--min is a share in percent, as 95.');
const rows = allRows.filter((row) => !options.area || row.area === options.area);
if (rows.length === 0) end(`There is no area called ${options.area}.`);
const named = findNamedRows();
let covered = 0;
for (const [area, members] of Map.groupBy(rows, (row) => row.area)) {
  const missing = members.filter((row) => !named.has(row.id));
  covered += members.length - missing.length;
  console.log(`${area.padEnd(7)} ${String(members.length - missing.length).padStart(3)}/${members.length}`);
  if (options.missing) for (const row of missing) console.log(`  ${row.id} (${row.who}) ${row.requirement}`);
}
const known = new Set(allRows.map((row) => row.id));
for (const [id, file] of named) if (!known.has(id)) console.log(`unknown id in a title: ${id} (${file})`);
const percent = (100 * covered) / rows.length;
console.log(`ledger: ${covered}/${rows.length} rows named by a test (${percent.toFixed(1)} %)`);
process.exitCode = percent + 1e-9 < Number(options.min) ? 1 : 0;

function readRows(): Row[] {
  const lines = readFileSync('docs/requirements.tsv', 'utf8').split('\n').slice(1).filter(Boolean);
  return lines.map((line) => {
    const [id = '', area = '', who = '', requirement = ''] = line.split('\t');
    return { id, area, who, requirement };
  });
}

function findNamedRows(): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of globSync('{contract,server,web,test,e2e,bench,scripts}/**/*.{test,spec}.{ts,tsx}')) {
    for (const match of readFileSync(file, 'utf8').matchAll(testTitle)) {
      for (const id of match[2]?.match(rowId) ?? []) if (!found.has(id)) found.set(id, file);
    }
  }
  return found;
}

import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const report = readFileSync('docs/accessibility.md', 'utf8');
const verdicts = ['Supports', 'Partially supports', 'Does not support', 'Not applicable'];
const rowsOf = (level: string) =>
  [
    ...(report.split(`\n## Level ${level}\n`)[1]?.split('\n## ')[0] ?? '').matchAll(
      /^\| (\d\.\d+\.\d+) [^|]+ \| ([^|]+) \| (.+) \|$/gm,
    ),
  ].map(([, id = '', verdict = '', words = '']) => ({ id, verdict, words }));
const levels = { A: rowsOf('A'), AA: rowsOf('AA') };
const rows = [...levels.A, ...levels.AA];

test('the report has each criterion of WCAG 2.2 once, with a verdict, and says what falls short', () => {
  expect([levels.A.length, levels.AA.length]).toEqual([31, 24]);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(55);
  expect(rows.filter(({ verdict }) => !verdicts.includes(verdict))).toEqual([]);
  const isFull = (verdict: string) => verdict === 'Supports' || verdict === 'Not applicable';
  expect(rows.filter(({ verdict, words }) => isFull(verdict) === words.includes('**Falls short:**'))).toEqual([]);
});

test.each(['A', 'AA'] as const)('the figures of level %s add up', (level) => {
  const counted = verdicts.map((verdict) => levels[level].filter((row) => row.verdict === verdict).length);
  expect(report).toContain(`| ${level} | ${counted.join(' | ')} | ${levels[level].length} |`);
});

test('the report names the version of axe that runs', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(report).toContain(`axe-core ${devDependencies['axe-core']} in`);
});

test('every file and every test that the report names is there', () => {
  const files = [...report.matchAll(/`((?:web|server|e2e|test|contract|scripts|docs)\/[\w./-]+)`/g)].map(
    ([, file = '']) => file,
  );
  expect(files.length).toBeGreaterThan(40);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  const named = [
    ...report.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)`: ((?:(?:'[^']+'|"[^"]+")(?:; (?=['"]))?)+)/g),
  ].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/'([^']+)'|"([^"]+)"/g)].map(([, one, other]) => ({ file, title: one ?? other ?? '' })),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(({ file, title }) => !readFileSync(file, 'utf8').includes(title))).toEqual([]);
});

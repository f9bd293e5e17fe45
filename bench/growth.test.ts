import { expect, test } from 'vitest';
import { fitGrowth, sayGrowth } from './growth-fit.ts';
import { drawGrowth } from './growth-picture.ts';
import { readPrintedTable } from './printed-table.ts';

const sizes = [100, 1000, 10_000];
const grown = (power: number) => sizes.map((people) => ({ people, cost: 0.02 * people ** power }));

test.each([0, 0.25, 1, -0.5])('a cost that grows as the people to the power %d has that slope', (power) => {
  const growth = fitGrowth(grown(power));
  expect(growth?.slope).toBeCloseTo(power, 10);
  expect(growth?.costAt(50_000)).toBeCloseTo(0.02 * 50_000 ** power, 8);
});

test('what scatters is fitted by a line through the middle', () => {
  const growth = fitGrowth([
    { people: 10, cost: 2 },
    { people: 10, cost: 8 },
    { people: 1000, cost: 40 },
  ]);
  expect(growth?.slope).toBeCloseTo(0.5, 10);
  expect(growth?.costAt(10)).toBeCloseTo(4, 10);
});

test('one size has no slope, and what cost nothing is left out', () => {
  expect(fitGrowth([{ people: 100, cost: 3 }])).toBeNull();
  expect(
    fitGrowth([
      { people: 100, cost: 3 },
      { people: 1000, cost: 0 },
    ]),
  ).toBeNull();
});

test('a slope is said in words', () => {
  expect(sayGrowth({ slope: 0.5, costAt: () => 0 })).toBe('slope 0.50: 3.16 times the cost for ten times the people');
  expect(sayGrowth({ slope: -0.001, costAt: () => 0 })).toMatch(/^slope 0\.00: 1\.00 times/);
});

test('the picture has a point for each size, a line, a slope, and says all of it in words', () => {
  const picture = drawGrowth('What it costs', [
    { name: 'People & list', costs: grown(0.5) },
    { name: 'Session', costs: [{ people: 100, cost: 1 }] },
  ]);
  expect(picture.match(/<circle /g)).toHaveLength(4);
  expect(picture.match(/<line class="line"/g)).toHaveLength(1);
  expect(picture).toContain('slope 0.50 (× 3.2 for × 10 people)</text>');
  expect(picture).toContain('one size alone has no slope</text>');
  expect(picture).toContain('>People &amp; list</text>');
  expect(picture).toContain('aria-labelledby="title description"');
  expect(picture).toContain('<title id="title">What it costs</title>');
  expect(picture).toContain('2.0 ms at 10,000 people, slope 0.50');
  expect(picture).toContain('prefers-color-scheme: dark');
  expect(picture).not.toContain('NaN');
});

test('costs lie inside their plot, the dearer the higher', () => {
  const picture = drawGrowth('What it costs', [{ name: 'Session', costs: grown(0.5) }]);
  const circles = [...picture.matchAll(/cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)]);
  const [[x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = [], [x3 = 0, y3 = 0] = []] = circles;
  expect([x1 < x2, x2 < x3, y1 > y2, y2 > y3]).toEqual([true, true, true, true]);
  expect(x2 - x1).toBeCloseTo(x3 - x2, 0);
  expect(Math.min(...circles.flat())).toBeGreaterThan(40);
});

test('what the table printed is read again, and nothing beside it', () => {
  const printed = `be57a26e, 2 × AMD EPYC, Node v24.21.0
error: The database may lose what it has confirmed.
1,000 people                      server, ms  database, ms  times empty  blocks
readSession                             0.89          0.55          3.7      38
listSubmissions, coach                  2.10          4.00         10.7      38
not measured: listenLive: a stream or a file
100,000 people                    server, ms  database, ms  times empty  blocks
readSession                            12.00         20.50          4.0      40
What grows with the people:
Session  slope 0.10: 1.20 times the cost for ten times the people
`;
  expect([...readPrintedTable(printed)]).toEqual([
    [
      1000,
      [
        { name: 'readSession', serverInMs: 0.89, databaseInMs: 0.55 },
        { name: 'listSubmissions, coach', serverInMs: 2.1, databaseInMs: 4 },
      ],
    ],
    [100_000, [{ name: 'readSession', serverInMs: 12, databaseInMs: 20.5 }]],
  ]);
});

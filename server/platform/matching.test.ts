import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { countOf } from './matching.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const counted = async (rows: number) => {
  const found = sql<{ n: number }>`select ${countOf(sql`(select from generate_series(1, ${rows}::int))`)} as n`;
  return (await found.execute(server.db)).rows[0]?.n;
};

test('matches are counted exactly up to 1,000, and above that only as more', async () => {
  expect(await counted(0)).toBe(0);
  expect(await counted(999)).toBe(999);
  expect(await counted(1000)).toBe(1000);
  expect(await counted(1001)).toBe(1001);
  expect(await counted(50_000)).toBe(1001);
});

test('counting ends after 1,001 rows, however many match', async () => {
  const plan = await sql<{ 'QUERY PLAN': { Plan: PlanNode }[] }>`
    explain (analyze, format json) select ${countOf(sql`(select from generate_series(1, 200000) as n (n) where n > 0)`)}`.execute(
    server.db,
  );
  const top = plan.rows[0]?.['QUERY PLAN'][0]?.Plan;
  const limit = find(top, (node) => node['Node Type'] === 'Limit');
  expect(limit?.['Actual Rows']).toBe(1001);
});

interface PlanNode {
  'Node Type': string;
  'Actual Rows': number;
  Plans?: PlanNode[];
}

function find(node: PlanNode | undefined, isMeant: (node: PlanNode) => boolean): PlanNode | undefined {
  if (!node || isMeant(node)) return node;
  for (const below of node.Plans ?? []) {
    const found = find(below, isMeant);
    if (found) return found;
  }
  return undefined;
}

import { globSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { writeCursor } from './cursors.ts';
import { byId, byInstant, byNumber, byText, cutPage, descending, exactly, pagesBy } from './pages.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.leave());

const name = sql`list.name`;
const points = sql`list.points`;
const at = sql`list.at`;
const id = sql`list.id`;

interface Row {
  id: string;
  name: string;
  points: number;
  at: string;
}
/** Seven rows with ties in every column. Two of them differ by only a microsecond. */
const list = sql`(values
  ('Ada', 3, '2026-01-01T00:00:00.000001Z'::timestamptz, '00000000-0000-7000-8000-000000000001'::uuid),
  ('Ada', 3, '2026-01-01T00:00:00.000002Z', '00000000-0000-7000-8000-000000000002'),
  ('ada', 3, '2026-01-01T00:00:00.000002Z', '00000000-0000-7000-8000-000000000003'),
  ('Bo', 1, '2026-01-02T00:00:00Z', '00000000-0000-7000-8000-000000000004'),
  ('Bo', 5, '2026-01-03T00:00:00Z', '00000000-0000-7000-8000-000000000005'),
  ('Cy', 5, '2026-01-03T00:00:00Z', '00000000-0000-7000-8000-000000000006'),
  ('Cy', 0, '2025-12-31T00:00:00Z', '00000000-0000-7000-8000-000000000007')) list (name, points, at, id)`;

test.each([
  ['one direction', [byText(name), byId(id)], ({ name, id }: Row) => [name, id]],
  ['the other direction', [descending(byInstant(at)), descending(byId(id))], ({ at, id }: Row) => [at, id]],
  [
    'directions that turn',
    [descending(byNumber(points)), byText(name), byId(id)],
    (row: Row) => [row.points, row.name, row.id],
  ],
  [
    'directions that turn twice',
    [byNumber(points), descending(byInstant(at)), byId(id)],
    (row: Row) => [row.points, row.at, row.id],
  ],
] as const)(
  'page after page holds each row once, in the order of the whole list: %s',
  async (_what, parts, placeOf) => {
    const pages = pagesBy(2, [...parts]);
    const whole = await sql<{ id: string }>`select id from ${list} order by ${pages.inOrder}`.execute(database.db);
    const seen: string[] = [];
    let cursor: string | undefined;
    let turns = 0;
    do {
      const found = await sql<Row>`select id, name, points, ${exactly(at)} as at from ${list}
      where ${pages.comesAfter(cursor)} order by ${pages.inOrder} limit ${pages.most}`.execute(database.db);
      const page = pages.cut(found.rows, (row) => [...placeOf(row)]);
      seen.push(...page.rows.map((row) => row.id));
      cursor = page.nextCursor ?? undefined;
      turns += 1;
    } while (cursor);
    expect(seen).toEqual(whole.rows.map((row) => row.id));
    expect(turns).toBe(4);
  },
);

test('a page that is full has a next one only where a row more was found', () => {
  expect(cutPage(2, ['a', 'b'], String)).toEqual({ rows: ['a', 'b'], nextCursor: null });
  expect(cutPage(2, ['a', 'b', 'c'], String)).toEqual({ rows: ['a', 'b'], nextCursor: 'b' });
  expect(cutPage(2, [], String)).toEqual({ rows: [], nextCursor: null });
});

test('a cursor of another order, or of none, is refused', () => {
  const newest = pagesBy(2, [byText(name), byId(id)], 'newest');
  const row = '00000000-0000-7000-8000-000000000001';
  const { nextCursor } = newest.cut(['a', 'b', 'c'], () => ['Ada', row]);
  expect(newest.placeIn(nextCursor ?? '')).toEqual(['Ada', row]);
  const others = [nextCursor, writeCursor(['newest', 'Ada', row, 1]), writeCursor(['Ada', row]), 'made-up'];
  const oldest = pagesBy(2, [byText(name), byId(id)], 'oldest');
  for (const cursor of others) {
    expect(() => oldest.comesAfter(cursor ?? ''), cursor ?? '').toThrow('This page no longer exists.');
  }
});

/** User Management's pages are also turned backwards, and a conversation opens in its middle. */
const ownPages = [
  'server/features/messages/thread-queries.ts',
  'server/features/users/user-list-queries.ts',
  'server/features/users/user-pages.ts',
  'server/platform/cursors.ts',
  'server/platform/pages.ts',
];
const cutByHand =
  /\b(?:readCursor|writeCursor)\b|\bslice\((?:Math\.max\(0, |0, (?:count|size|pageSize|\w+APage)\))|nextCursor: [^,\n]*\?/;

test('no list has a cursor or cuts a page by its own code', () => {
  const files = globSync('server/**/*.ts').filter((file) => !file.includes('.test.'));
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => cutByHand.test(readFileSync(file, 'utf8'))).toSorted()).toEqual(ownPages);
});

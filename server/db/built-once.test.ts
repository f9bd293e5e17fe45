import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { now, presentInstant } from '#server/platform/clock.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { builtOnce } from './built-once.ts';

interface Reading {
  id: number;
  place: string;
}

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`create table readings (id integer primary key, place text, day date, at timestamptz)`.execute(database.db);
  await sql`insert into readings select n, case when n > 2 then 'Place ' || n end, '2026-01-01'::date + n,
    '2026-01-01T00:00Z'::timestamptz + make_interval(days => n) from generate_series(1, 5) n`.execute(database.db);
});
afterAll(() => database.leave());

test('a statement that is built once answers as each time built, for values of every kind', async () => {
  let builds = 0;
  const found = builtOnce((_, { id, day, at }: { id: number; day: string; at: Date }) => {
    builds += 1;
    return sql<Reading>`select id, place from readings where (id = ${id} or day = ${day} or at = ${at}) and id < ${id} + 2
      order by id`;
  });
  const ask = (id: number, day: string, at: string) => found(database.db, { id, day, at: new Date(at) });
  const idsOf = (rows: Reading[]) => rows.map(({ id }) => id);
  expect(idsOf(await ask(3, '2026-01-05', '2026-01-02T00:00Z'))).toEqual([1, 3, 4]);
  expect(idsOf(await ask(4, '2026-01-02', '2026-01-06T00:00Z'))).toEqual([1, 4, 5]);
  expect(idsOf(await ask(5, '2026-01-05', '2026-01-05T00:00Z'))).toEqual([4, 5]);
  expect(idsOf(await ask(1, '2026-01-01', '2026-01-01T00:00Z'))).toEqual([1]);
  // The second build is compared with the first.
  expect(builds).toBe(2);
});

test('a value that is null has a statement of its own', async () => {
  const found = builtOnce((_, { place }: { place: string | null }) =>
    place === null
      ? sql<Reading>`select id from readings where place is null order by id`
      : sql<Reading>`select id from readings where place = ${place} order by id`,
  );
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await found(database.db, { place: null })).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await found(database.db, { place: 'Place 4' })).toEqual([{ id: 4 }]);
  }
});

test('a statement that depends on a value in another way is refused at its second run', async () => {
  const found = builtOnce((_, { id }: { id: number }) =>
    id > 2 ? sql`select from readings where id = ${id}` : sql`select place from readings where id = ${id}`,
  );
  await found(database.db, { id: 1 });
  await expect(found(database.db, { id: 3 })).rejects.toThrow('depends on a value');
});

test('an array of words is none of its values', async () => {
  const found = builtOnce(
    (_, { id }: { id: number }) =>
      sql<Reading>`select id from readings where id = ${id} and coalesce(place, 'none') <> all(${['none', 'gone']})`,
  );
  for (const id of [3, 4, 5]) expect(await found(database.db, { id })).toEqual([{ id }]);
  expect(await found(database.db, { id: 1 })).toEqual([]);
});

test('an array is a value', async () => {
  const found = builtOnce(
    (_, { ids, other }: { ids: number[]; other: number[] }) =>
      sql<Reading>`select id from readings where id = any(${ids}::integer[]) or id = any(${other}::integer[]) order by id`,
  );
  const ask = async (ids: number[], more: number[]) =>
    (await found(database.db, { ids, other: more })).map(({ id }) => id);
  expect(await ask([], [])).toEqual([]);
  expect(await ask([1, 5], [2])).toEqual([1, 2, 5]);
  expect(await ask([], [4])).toEqual([4]);
});

test('a value that comes from elsewhere is refused at once, except for the present instant', async () => {
  for (const other of ['2026-01-04', 4, new Date('2026-01-04T00:00Z')]) {
    const found = builtOnce(
      (_, { id }: { id: number }) => sql`select from readings where id = ${id} and ${other} is null`,
    );
    await expect(found(database.db, { id: 1 })).rejects.toThrow('has a value of its own');
  }
  const atRun = builtOnce(
    (_, { id }: { id: number }) =>
      sql<{ at: Date }>`select ${presentInstant}::timestamptz as at from readings where id = ${id}`,
  );
  for (let id = 1; id < 4; id += 1) {
    const before = now().getTime();
    const [row] = await atRun(database.db, { id });
    expect(row?.at.getTime()).toBeGreaterThanOrEqual(before);
    expect(row?.at.getTime()).toBeLessThanOrEqual(now().getTime());
  }
});

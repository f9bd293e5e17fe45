import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Db, type OpenDatabase, openDatabase } from '#server/db/database.ts';
import { mostHeldStatements } from '#server/db/named-statements.ts';
import { foldedAfterThePlan, hasPatterns, isFoundByWords, patternsOf } from '#server/platform/search-pattern.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';

let database: TestDatabase;
let open: OpenDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`create table readings (id integer primary key, place text not null)`.execute(database.db);
  await sql`insert into readings select n, 'Substation ' || n from generate_series(1, 100) n`.execute(database.db);
});
afterAll(() => database.leave());
beforeEach(() => {
  open = openDatabase(database.connectionString, { max: 1 });
});
afterEach(() => open.close());

interface Prepared {
  statement: string;
  uses: number;
}

/** What the only connection holds. The bare driver asks, so that the question itself gets no name. */
async function heldStatements(mark: string): Promise<Prepared[]> {
  const held = await open.pool.query<Prepared>(
    `select statement, (generic_plans + custom_plans)::integer as uses from pg_prepared_statements
     where strpos(statement, $1) > 0`,
    [mark],
  );
  return held.rows;
}

const readPlace = async (db: Db, id: number) =>
  (await sql<{ place: string }>`select place from readings where id = ${id}`.execute(db)).rows[0]?.place;
const readAll = (db: Db, id: number) => sql<object>`select * from readings where id = ${id}`.execute(db);
const pidOf = async (db: Db) => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;

test('a connection parses a statement once, whatever its values are', async () => {
  for (let id = 1; id <= 20; id += 1) expect(await readPlace(open.db, id)).toBe(`Substation ${id}`);
  await inTransaction(open.db, (db) => readPlace(db, 21));
  await readPlace(open.patientDb, 22);
  expect(await heldStatements('place from readings')).toEqual([
    { statement: 'select place from readings where id = $1', uses: 22 },
  ]);
});

test('how many rows are wanted is known when a statement is planned, however it is written', async () => {
  await sql`select id as some from readings order by id limit ${51}`.execute(open.db);
  await sql`select id as some from (select id from readings limit ${52}::integer) found where id > ${5}`.execute(
    open.db,
  );
  await open.db.selectFrom('cohorts').select('id as some').limit(53).execute();
  expect((await heldStatements('some')).map(({ statement }) => statement).sort()).toEqual([
    'select "id" as "some" from "cohorts" limit 53',
    'select id as some from (select id from readings limit 52::integer) found where id > $1',
    'select id as some from readings order by id limit 51',
  ]);
});

test('behind a pooler that knows no named statements nothing is named', async () => {
  const unnamed = openDatabase(database.connectionString, { max: 1, namesStatements: false });
  await readPlace(unnamed.db, 1);
  const held = await unnamed.pool.query('select from pg_prepared_statements');
  expect(held.rowCount).toBe(0);
  await unnamed.close();
});

test('a search is planned for its words, so it is not named', async () => {
  const { db } = open;
  await sql`select id from readings where place ilike ${'%station 9%'}`.execute(db);
  await sql`select id from readings where lower(place) like folded_words(${'%station 9%'})`.execute(db);
  expect(await heldStatements('id from readings')).toEqual([]);
  await sql`select id from readings where place like 'Sub%' and id = ${9}`.execute(db);
  expect(await heldStatements('id from readings')).toHaveLength(1);
  await sql`select id from readings where ${isFoundByWords('station 9', sql`lower(place)`)}`.execute(db);
  expect(await heldStatements('lower(place)')).toEqual([]);
  const onceForAll = hasPatterns(patternsOf('station 9'), sql`lower(place)`, foldedAfterThePlan);
  await sql`select id from readings where ${onceForAll}`.execute(db);
  expect(await heldStatements('lower(place)')).toHaveLength(1);
});

test('what begins and ends a transaction is not named', async () => {
  await inTransaction(open.db, (db) => readPlace(db, 1));
  const held = await open.pool.query<Prepared>('select statement from pg_prepared_statements');
  expect(held.rows).toEqual([{ statement: 'select place from readings where id = $1' }]);
});

test('a statement whose columns change under the process is answered, alone and in a transaction', async () => {
  for (let id = 1; id <= 6; id += 1) await readAll(open.db, id);
  await sql`alter table readings add column unit text`.execute(database.db);
  expect((await readAll(open.db, 1)).rows).toEqual([{ id: 1, place: 'Substation 1', unit: null }]);

  await readAll(open.db, 1);
  await sql`alter table readings drop column unit`.execute(database.db);
  let runs = 0;
  const written = await inTransaction(open.db, async (db) => {
    runs += 1;
    await sql`update readings set place = place || '!' where id = 2`.execute(db);
    return readAll(db, 2);
  });
  expect(written.rows).toEqual([{ id: 2, place: 'Substation 2!' }]);
  expect(runs).toBe(2);
});

test('a statement that a connection no longer holds is answered, alone and in a transaction', async () => {
  await readPlace(open.db, 3);
  await open.pool.query('deallocate all');
  expect(await readPlace(open.db, 3)).toBe('Substation 3');
  await open.pool.query('deallocate all');
  expect(await inTransaction(open.db, (db) => readPlace(db, 4))).toBe('Substation 4');
});

test('a new connection takes the place of a lost one, and parses anew', async () => {
  const pid = await pidOf(open.db);
  await readPlace(open.db, 5);
  await sql`select pg_terminate_backend(${pid})`.execute(database.db);
  await expect.poll(() => readPlace(open.db, 5).catch(() => 'lost')).toBe('Substation 5');
  expect(await pidOf(open.db)).not.toBe(pid);
  expect(await heldStatements('place from readings')).toHaveLength(1);
});

test('a connection that holds too many statements is replaced', async () => {
  const pid = await pidOf(open.db);
  for (let count = 0; count < mostHeldStatements + 100; count += 1)
    await sql`select ${sql.lit(count)} as count`.execute(open.db);
  expect(await pidOf(open.db)).not.toBe(pid);
  const held = await heldStatements('as count');
  expect(held.length).toBeGreaterThan(0);
  expect(held.length).toBeLessThanOrEqual(mostHeldStatements);
});

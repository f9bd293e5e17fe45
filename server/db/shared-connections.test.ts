import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Db, type OpenDatabase, openDatabase } from '#server/db/database.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';

let database: TestDatabase;
let open: OpenDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.leave());
beforeEach(() => {
  open = openDatabase(database.connectionString, { max: 4, answerLimitInMs: 1_000 });
});
afterEach(() => open.close());

const connectionOf = async (db: Db) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;
const several = <Result>(count: number, read: () => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, read));

test('what is read in one turn shares a connection and leaves in one write', async () => {
  await several(3, () => connectionOf(open.db));
  const client = await open.pool.connect();
  const writes = vi.spyOn(client.connection.stream, 'uncork');
  client.release();
  let sent = 0;
  writes.mockImplementation(function (this: { writableCorked: number }) {
    Object.getPrototypeOf(this).uncork.call(this);
    if (this.writableCorked === 0) sent += 1;
  });
  const places = await several(3, () => connectionOf(open.db));
  expect(new Set(places).size).toBe(1);
  expect([open.pool.totalCount, sent]).toEqual([1, 1]);
});

test('a transaction has a connection that nobody shares', async () => {
  await connectionOf(open.db);
  const [inside, ...beside] = await Promise.all([
    inTransaction(open.db, async (db) => [await connectionOf(db), await connectionOf(db)]),
    connectionOf(open.db),
    connectionOf(open.db),
  ]);
  expect(new Set(inside).size).toBe(1);
  expect(new Set(beside).size).toBe(1);
  expect(inside).not.toContain(beside[0]);
});

test('more than a screen reads go to several connections', async () => {
  const places = await several(17, () => connectionOf(open.db));
  expect(Object.values(Object.groupBy(places, String)).map((all) => all?.length)).toEqual([8, 8, 1]);
});

test('a statement that fails leaves the others of its turn alone', async () => {
  const results = await Promise.allSettled([
    connectionOf(open.db),
    sql`select 1 / 0`.execute(open.db),
    connectionOf(open.db),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('one that has no answer in time ends those of its turn, and the next turn has another connection', async () => {
  const results = await Promise.allSettled([sql`select pg_sleep(600)`.execute(open.db), connectionOf(open.db)]);
  const reason = expect.objectContaining({ code: 'unavailable' });
  expect(results).toEqual(Array(2).fill({ status: 'rejected', reason }));
  expect(await connectionOf(open.db)).toBeTypeOf('number');
});

import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Db, type OpenDatabase, openDatabase } from '#server/db/database.ts';
import { withLog } from '#server/platform/current-work.ts';
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

/** Counts the writes of the pool's one connection. */
async function countWrites(): Promise<() => number> {
  const client = await open.pool.connect();
  const writes = vi.spyOn(client.connection.stream, 'uncork');
  client.release();
  let sent = 0;
  writes.mockImplementation(function (this: { writableCorked: number }) {
    Object.getPrototypeOf(this).uncork.call(this);
    if (this.writableCorked === 0) sent += 1;
  });
  return () => sent;
}

test('what is read in one turn shares a connection and leaves in one write', async () => {
  await several(3, () => connectionOf(open.db));
  const sent = await countWrites();
  const places = await several(3, () => connectionOf(open.db));
  expect(new Set(places).size).toBe(1);
  expect([open.pool.totalCount, sent()]).toEqual([1, 1]);
});

const lockOf = (name: string) => sql`select pg_advisory_xact_lock(hashtext(${name}))`;
const news = sql`select pg_notify('nobody', 'hears this')`;

test('a lock leaves with the next statement of its transaction, and news with the commit', async () => {
  const sent = await countWrites();
  const locks = await inTransaction(open.db, async (db) => {
    await lockOf('one').execute(db);
    const { rows } = await sql<{ count: number }>`
      select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`.execute(db);
    await news.execute(db);
    return rows[0]?.count;
  });
  // The transaction began with a write of its own.
  expect([locks, sent()]).toEqual([1, 3]);
});

test('beside a transaction nothing waits for a next statement', async () => {
  const { rows } = await lockOf('one').execute(open.db);
  expect(rows).toHaveLength(1);
});

test('a transaction whose lock is refused fails with that refusal, and nothing of it is kept', async () => {
  await sql`create table kept (name text)`.execute(open.db);
  const warn = vi.fn();
  await inTransaction(open.db, async (holder) => {
    await lockOf('two').execute(holder);
    await connectionOf(holder);
    const refused = withLog({ warn }, () =>
      inTransaction(open.db, async (db) => {
        await sql`set local lock_timeout = 50`.execute(db);
        await sql`insert into kept values ('before')`.execute(db);
        await lockOf('two').execute(db);
        await sql`insert into kept values ('after')`.execute(db);
      }),
    );
    await expect(refused).rejects.toMatchObject({ code: '55P03' });
  });
  expect((await sql`select from kept`.execute(open.db)).rows).toHaveLength(0);
  expect(warn).not.toHaveBeenCalled();
});

test('news that is refused refuses the commit it leaves with', async () => {
  await sql`create table told (name text)`.execute(open.db);
  const refused = inTransaction(open.db, async (db) => {
    await sql`insert into told values ('before')`.execute(db);
    await sql`select pg_notify('nobody', repeat('x', 9000))`.execute(db);
  });
  await expect(refused).rejects.toThrow('payload string too long');
  expect((await sql`select from told`.execute(open.db)).rows).toHaveLength(0);
});

test('a commit never leaves with a lock, so what was refused for waiting too long is not kept later', async () => {
  await sql`create table waited (name text)`.execute(open.db);
  await inTransaction(open.db, async (holder) => {
    await lockOf('four').execute(holder);
    await connectionOf(holder);
    const refused = inTransaction(open.db, async (db) => {
      await sql`insert into waited values ('before')`.execute(db);
      await lockOf('four').execute(db);
    });
    await expect(refused).rejects.toMatchObject({ code: 'unavailable' });
  });
  // This waits until the one that was refused is gone.
  await inTransaction(open.db, async (db) => {
    await lockOf('four').execute(db);
    await connectionOf(db);
  });
  expect((await sql`select from waited`.execute(open.db)).rows).toHaveLength(0);
});

test('what the driver cannot write fails the act, and nothing of it is kept', async () => {
  await sql`create table unwritten (name text)`.execute(open.db);
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const failed = inTransaction(open.db, async (db) => {
    await sql`insert into unwritten values ('before')`.execute(db);
    await sql`select pg_notify('nobody', ${circular}::text)`.execute(db);
  });
  await expect(failed).rejects.toThrow('circular');
  expect((await sql`select from unwritten`.execute(open.db)).rows).toHaveLength(0);
});

test('after a transaction its connection keeps nothing back', async () => {
  const locked = await open.db.connection().execute(async (db) => {
    await db.transaction().execute((transaction) => connectionOf(transaction));
    return lockOf('five').execute(db);
  });
  expect(locked.rows).toHaveLength(1);
});

test('what is given up waits for no lock that it has not asked for yet', async () => {
  await inTransaction(open.db, async (holder) => {
    await lockOf('three').execute(holder);
    await connectionOf(holder);
    const givenUp = inTransaction(open.db, async (db) => {
      await lockOf('three').execute(db);
      throw new Error('Changed my mind.');
    });
    await expect(givenUp).rejects.toThrow('Changed my mind.');
  });
  expect(await several(2, () => connectionOf(open.db))).toHaveLength(2);
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

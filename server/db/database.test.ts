import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { connectionBeside, openDatabase, withConnection } from '#server/db/database.ts';
import { createTestDatabase } from '#test/support/database.ts';

test('PostgreSQL compiles no statement of ours', async () => {
  const database = await createTestDatabase();
  const { db, close } = openDatabase(database.connectionString, { max: 2 });
  const settings = () => sql<{ jit: string }>`select current_setting('jit') as jit`.execute(db);
  const found = await Promise.all([settings(), settings()]);
  expect(found.flatMap(({ rows }) => rows)).toEqual([{ jit: 'off' }, { jit: 'off' }]);
  await close();
  await database.leave();
});

test('after a quiet minute a few connections are open still, with the plans of their statements', async () => {
  const database = await createTestDatabase();
  const { db, pool, close } = openDatabase(database.connectionString, { max: 6 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const held = await Promise.all(Array.from({ length: 6 }, () => pool.connect()));
    for (const client of held) client.release();
    expect(pool.totalCount).toBe(6);
    vi.advanceTimersByTime(59_000);
    expect(pool.totalCount).toBe(6);
    vi.advanceTimersByTime(2_000);
    expect(pool.totalCount).toBe(4);
    vi.advanceTimersByTime(3_600_000);
    expect(pool.totalCount).toBe(4);
  } finally {
    vi.useRealTimers();
  }
  expect((await sql`select 1`.execute(db)).rows).toHaveLength(1);
  await close();
  await database.leave();
});

test('what stays on one connection goes around a pooler', async () => {
  const [pooled, direct] = ['postgres://u:p@pooler.example/hub', 'postgres://u:p@db.example/hub'];
  const opened = [openDatabase(pooled, { directAddress: direct }), openDatabase(direct)];
  expect(opened.map(({ pool }) => connectionBeside(pool, 'live').host)).toEqual(['db.example', 'db.example']);
  for (const { close } of opened) await close();
});

test('an address that demands TLS connects to no database without it', async () => {
  const database = await createTestDatabase();
  const demanding = new URL(database.connectionString);
  demanding.searchParams.set('sslmode', 'verify-full');
  const { db, close } = openDatabase(demanding.href, { max: 1 });
  await expect(sql`select 1`.execute(db)).rejects.toMatchObject({
    cause: { message: 'The server does not support SSL connections' },
  });
  await close();
  await database.leave();
});

test('a hundred of ten thousand rows are looked up. The others are not read', async () => {
  const database = await createTestDatabase();
  const { db, close } = openDatabase(database.connectionString, { max: 1 });
  await sql`
    create temporary table person as
    select time_ordered_id() as id, 'Member ' || n as name, repeat('x', 120) as note from generate_series(1, 10000) n`.execute(
    db,
  );
  await sql`create unique index on person (id)`.execute(db);
  await sql`create temporary table own as select id from person order by md5(name) limit 100`.execute(db);
  await sql`analyze person, own`.execute(db);
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select name from own join person using (id)`.execute(db.withoutPlugins());
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('on person');
  expect(plan).not.toContain('Seq Scan on person');
  await close();
  await database.leave();
});

test('instants in jsonb look alike, whatever zone the database has', async () => {
  const database = await createTestDatabase();
  await withConnection(database.connectionString, async (client) => {
    const { rows } = await client.query('select quote_ident(current_database()) as name');
    await client.query(`alter database ${rows[0].name} set timezone = 'America/Denver'`);
  });
  const { db, close } = openDatabase(database.connectionString, { max: 1 });
  const { rows } = await sql<{ at: string }>`select to_jsonb('2025-10-20T15:00:00Z'::timestamptz) as at`.execute(db);
  expect(rows).toEqual([{ at: '2025-10-20T15:00:00+00:00' }]);
  await close();
  await database.leave();
});

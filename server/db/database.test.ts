import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase, withConnection } from '#server/db/database.ts';
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

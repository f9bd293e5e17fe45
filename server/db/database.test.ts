import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '#server/db/database.ts';
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

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#server/db/database.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { changed } from './telling.ts';
import { inTransaction } from './transactions.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

test('of two acts that wait for each other crosswise the one that is ended runs again, and both are done', async () => {
  const [left, right] = [await buildParticipant(server.db), await buildParticipant(server.db)];
  let runs = 0;
  let arrived = 0;
  let letBothGo = () => {};
  const bothHaveTheFirst = new Promise<void>((resolve) => {
    letBothGo = resolve;
  });
  const lengthenNames = (ids: string[]) => async (db: Db) => {
    runs += 1;
    for (const [index, id] of ids.entries()) {
      await sql`update profiles set last_name = last_name || '!' where id = ${id}`.execute(db);
      if (index > 0) continue;
      arrived += 1;
      if (arrived === 2) letBothGo();
      await bothHaveTheFirst;
    }
    await changed(db, 'people', ids);
  };
  await Promise.all([
    inTransaction(server.db, lengthenNames([left.id, right.id])),
    inTransaction(server.db, lengthenNames([right.id, left.id])),
  ]);
  // The act that the database ended may meet the other one a second time.
  expect(runs).toBeGreaterThan(2);
  const names = await server.db
    .selectFrom('profiles')
    .select('lastName')
    .where('id', 'in', [left.id, right.id])
    .execute();
  expect(names.every(({ lastName }) => lastName.endsWith('!!') && !lastName.endsWith('!!!'))).toBe(true);
});

test('what fails for another reason is not run again', async () => {
  let runs = 0;
  const fails = inTransaction(server.db, async (db) => {
    runs += 1;
    await sql`select 1 / 0`.execute(db);
  });
  await expect(fails).rejects.toThrow('division by zero');
  expect(runs).toBe(1);
});

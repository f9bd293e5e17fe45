import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Db } from '#server/db/database.ts';

/**
 * Vacuums and analyzes until PostgreSQL takes all rows of these tables for settled, so that it finds them in indexes
 * alone. A test's database commits without waiting for the log, and a vacuum takes no row for settled that is not in the
 * log yet. It settles no row either that a transaction under way may not see, such as PostgreSQL's own analysis of a table.
 */
export async function settleRows(db: Db, tables: string[]): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`set local synchronous_commit = on`.execute(transaction);
    await sql`select pg_current_xact_id()`.execute(transaction);
  });
  await vi.waitFor(async () => {
    await sql`vacuum analyze`.execute(db);
    const { rows } = await sql<{ table: string }>`
      select relname as table from pg_class where relname = any(${tables}) and relallvisible < relpages`.execute(db);
    expect(rows).toEqual([]);
  });
}

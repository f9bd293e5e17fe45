import { sql } from 'kysely';
import { vi } from 'vitest';
import type { Db } from '#server/db/database.ts';

/** Statements that wait for what another transaction holds. */
export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Resolves when a statement waits for what another transaction holds. */
export async function somebodyWaits(db: Db): Promise<void> {
  await vi.waitUntil(async () => (await countWaiting(db)) > 0, { interval: 20 });
}

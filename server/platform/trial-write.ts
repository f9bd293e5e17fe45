import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/**
 * Writes to see whether the database takes it: one with a full disk still reads. Returns the moment that stands there.
 * Several processes write at once, and it never goes back.
 */
export async function writeForTrial(db: Db): Promise<string> {
  const { rows } = await sql<{ checkedAt: string }>`
    insert into readiness_checks (checked_at) values (now())
    on conflict (is_only_row) do update set checked_at = greatest(readiness_checks.checked_at, excluded.checked_at)
    returning checked_at::text`.execute(db);
  return rows[0]?.checkedAt ?? '';
}

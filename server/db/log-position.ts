import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** A place in the log that a primary writes and its replicas replay. */
export interface LogPosition {
  /** It changes when another server becomes the primary. Places of two timelines cannot be compared. */
  timeline: string;
  place: string;
}

/** A replica behind a server that is no replica has nothing to replay, and answers from a history of its own. */
export class NoReplica extends Error {}

const longestPauseInMs = 16;

/**
 * What was committed before this statement began lies before this place of the log. Without `synchronous_commit`, a commit
 * is seen before it is flushed. Null on a server that has ceased to be the primary.
 */
export const presentPosition = sql<string | null>`(
  case when pg_is_in_recovery() then null
  else left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) || ' ' ||
    case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end
  end)`;

export function parsePosition(text: string): LogPosition {
  const [timeline = '', place = ''] = text.split(' ');
  return { timeline, place };
}

/**
 * Waits on a replica until it has replayed the log up to the place. False if it has not in time. The connection's next
 * statement sees all that the place promises.
 */
export async function hasReplayed(replica: Db, place: string, limitInMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + limitInMs;
  for (let pauseInMs = 1; ; pauseInMs = Math.min(2 * pauseInMs, longestPauseInMs)) {
    const { rows } = await sql<{ isReplica: boolean; isThere: boolean }>`
      select pg_is_in_recovery() as is_replica, coalesce(pg_last_wal_replay_lsn() >= ${place}::pg_lsn, false) as is_there`.execute(
      replica,
    );
    if (!rows[0]?.isReplica) throw new NoReplica('The server at DATABASE_REPLICA_URL follows no other one.');
    if (rows[0].isThere) return true;
    if (performance.now() + pauseInMs > giveUpAt) return false;
    await pause(pauseInMs);
  }
}

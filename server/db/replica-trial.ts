import { sql } from 'kysely';
import { type Db, openDatabase } from '#server/db/database.ts';
import { hasReplayed, NoReplica, parsePosition, presentPosition } from '#server/db/log-position.ts';
import { writeForTrial } from '#server/platform/trial-write.ts';

/**
 * Why a replica cannot be used: it does not answer, it is too far behind, it went another way than the primary (as after a
 * failover that left it behind), or it is no replica.
 */
export type Unfit = 'away' | 'behind' | 'other' | 'no-replica';

/** Together with the primary's limit it stays below the ten seconds that a person waits. */
export const replicaAnswerLimitInMs = 1_800;

type Trial = { timeline: string } | { unfit: Unfit; cause?: unknown };

/** Writes on the primary, and looks whether the replica has it in time. Throws if the primary takes no write. */
export async function tryReplica(primary: Db, replica: Db, limitInMs: number): Promise<Trial> {
  const writtenAt = await writeForTrial(primary);
  const { rows } = await sql<{ position: string | null }>`select ${presentPosition} as position`.execute(primary);
  const position = rows[0]?.position;
  if (!position) throw new Error('The primary has ceased to be one.');
  const { timeline, place } = parsePosition(position);
  try {
    return await replica.connection().execute(async (connection): Promise<Trial> => {
      if (!(await hasReplayed(connection, place, limitInMs))) return { unfit: 'behind' };
      const seen = await sql`
        select from readiness_checks where checked_at >= ${writtenAt}::timestamptz`.execute(connection);
      return seen.rows.length > 0 ? { timeline } : { unfit: 'other' };
    });
  } catch (cause) {
    return { unfit: cause instanceof NoReplica ? 'no-replica' : 'away', cause };
  }
}

/** The same for somebody who has no connection to the replica yet. */
export async function tryReplicaAt(address: string, primary: Db, limitInMs: number): Promise<Trial> {
  const { db, close } = openDatabase(address, { max: 1, answerLimitInMs: replicaAnswerLimitInMs });
  return tryReplica(primary, db, limitInMs).finally(close);
}

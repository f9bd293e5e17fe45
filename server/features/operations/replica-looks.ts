import { longestWaitForReplicaInMs } from '#server/db/replica.ts';
import { tryReplicaAt, type Unfit } from '#server/db/replica-trial.ts';
import { type Answer, fault, type Inspected, warning } from './inspected.ts';

const words: Record<Unfit, [problem: string, remedy: string]> = {
  away: ['does not answer', 'Correct DATABASE_REPLICA_URL, or start the replica.'],
  behind: [
    `is more than ${longestWaitForReplicaInMs} ms behind`,
    'See in pg_stat_replication of the primary what it waits for.',
  ],
  other: [
    'does not have what the primary has written',
    'Copy it from the primary again: it follows another one, or another database is named.',
  ],
  'no-replica': ['follows no other database', 'Set DATABASE_REPLICA_URL to a database that follows the primary.'],
};

/** Writes a mark on the primary and looks for it on the replica, as every web process does every other second. */
export async function lookAtReplica({ config, db }: Inspected): Promise<Answer> {
  const { databaseReplicaUrl } = config;
  if (databaseReplicaUrl === null) return null;
  const trial = await tryReplicaAt(databaseReplicaUrl, db, longestWaitForReplicaInMs);
  if (!('unfit' in trial)) return null;
  const [problem, remedy] = words[trial.unfit];
  const say = trial.unfit === 'behind' ? warning : fault;
  return say(`The replica ${problem}, so lists are read at the primary.`, remedy);
}

import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from '#server/db/database.ts';

/** Of all processes, the one that holds this makes a backup. */
const backupKey = 7_238_452;
/** Those who remove a stored file share this. A backup holds it alone. */
const removalKey = 7_238_453;

export interface BackupLock {
  /** Throws if the lock was lost since. */
  requireHeld(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Waits until no file is being removed, and lets nobody remove one until it is released. Returns null if another backup
 * holds it. The transaction has no snapshot, so it keeps no vacuum waiting.
 */
export async function lockForBackup(connectionString: string): Promise<BackupLock | null> {
  const client = new pg.Client({ connectionString, application_name: 'switchyard backup lock', keepAlive: true });
  // The next statement fails with the same error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(
      "begin; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0; set local statement_timeout = '10min'",
    );
    const { rows } = await client.query<{ isFree: boolean }>('select pg_try_advisory_xact_lock($1) as "isFree"', [
      backupKey,
    ]);
    if (!rows[0]?.isFree) {
      await client.end();
      return null;
    }
    await client.query('select pg_advisory_xact_lock($1)', [removalKey]);
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    requireHeld: async () => {
      await client.query('select 1').catch((cause: unknown) => {
        throw new Error('The connection that held the lock for the backup was lost.', { cause });
      });
    },
    release: () => client.end(),
  };
}

/**
 * Returns false while a backup runs, which may still have to copy the file. Else no backup begins before the caller's
 * transaction has ended.
 */
export async function mayRemoveFiles(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock_shared(${sql.lit(removalKey)}) as is_free`.execute(db);
  return rows[0]?.isFree ?? false;
}

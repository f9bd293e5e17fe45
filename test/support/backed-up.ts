import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type pg from 'pg';
import type { PlaceAccess } from '#server/features/backups/backup-place.ts';
import { checkBackup } from '#server/features/backups/backup-reading.ts';
import { runBackup } from '#server/features/backups/backup-runs.ts';
import { backupSourceOf } from '#server/features/backups/backup-source.ts';
import { openPlace } from '#server/features/backups/open-place.ts';
import { restoreIntoServer } from '#server/features/backups/restore-target.ts';
import { type BackupKey, readBackupKey } from '#server/features/backups/sealing.ts';
import { verifyLedgerOf } from '#server/features/payments/ledger.ts';
import type { Storage } from '#server/platform/storage-shape.ts';
import { type TestApp, testConfig } from './app.ts';

export interface BackupMade {
  to: string;
  access: PlaceAccess;
  name: string;
  key: BackupKey | null;
}

/** Backs up a test's instance. Without an address, into a folder of its own. */
export async function backUp(
  { app, db, connectionString }: TestApp,
  { to, access = null, key = null }: { to?: string; access?: PlaceAccess; key?: BackupKey | null } = {},
) {
  const address = to ?? (await mkdtemp(path.join(tmpdir(), 'switchyard-backup-')));
  const source = await backupSourceOf(app.config, connectionString, app.storage);
  const run = await runBackup(db, source, { place: await openPlace(address, access), key, isScheduled: false });
  return { ...run, to: address, access, key };
}

export async function readBackup({ to, access, name, key }: BackupMade) {
  return checkBackup(await openPlace(to, access), name, key);
}

/** Restores into an empty database and a data folder, as the command does. */
export async function restoreTo(backup: BackupMade, databaseUrl: string, dataDir: string): Promise<string[]> {
  const config = testConfig({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir });
  return restoreIntoServer(await readBackup(backup), config, verifyLedgerOf);
}

export async function keyPair() {
  const { makeBackupKey } = await import('#server/features/backups/sealing.ts');
  const secretHalf = await makeBackupKey();
  return { secretHalf, publicHalf: await readBackupKey(secretHalf.sealsFor) };
}

/** The number of rows of every table, and one hash of them all. What a backup leaves out is left out. */
export async function rowsOf(pool: pg.Pool): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'auth', 'pgboss') and (schemaname, tablename) not in (('public', 'backups'), ('pgboss', 'version'), ('pgboss', 'warning'))
      and tablename not like 'queue\\_stats%' order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ sum: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(r::text, '|' order by r::text)), '') as sum from ${name} r`,
    );
    found[name] = rows[0]?.sum ?? '';
  }
  return found;
}

export async function contentOf(storage: Storage, stored: string): Promise<string | null> {
  const found = await storage.read(stored);
  return found ? text(found.stream) : null;
}

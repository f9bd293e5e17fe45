import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { lockForBackup } from '#server/platform/backup-lock.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { type BackupSource, makeBackup, sizeOfBackup } from './backup-making.ts';
import type { Manifest } from './backup-manifest.ts';
import type { BackupPlace } from './backup-place.ts';
import type { BackupKey } from './sealing.ts';

export interface BackupWish {
  place: BackupPlace;
  key: BackupKey | null;
  isScheduled: boolean;
}

export interface BackupRun {
  name: string;
  manifest: Manifest;
  sizeInBytes: number;
}

const longestError = 500;

/** Makes a backup and keeps its result on record. Of all processes, one does so at a time. */
export async function runBackup(db: Db, source: BackupSource, wish: BackupWish): Promise<BackupRun> {
  const lock = await lockForBackup(source.connectionString);
  if (!lock) throw new AppError('conflict', 'Another backup is under way. Wait until it has ended.');
  try {
    await endCutOffBackups(db, wish.place);
    return await runUnderLock(db, wish, (name) => makeBackup(source, { place: wish.place, key: wish.key, name }, lock));
  } finally {
    await lock.release();
  }
}

async function runUnderLock(
  db: Db,
  { place, isScheduled }: BackupWish,
  make: (name: string) => Promise<Manifest>,
): Promise<BackupRun> {
  const name = newBackupName(now());
  await db.insertInto('backups').values({ name, place: place.shown, isScheduled }).execute();
  try {
    const manifest = await make(name);
    const sizeInBytes = sizeOfBackup(manifest);
    await endBackup(db, name, {
      outcome: 'done',
      sizeBytes: sizeInBytes,
      missingFiles: manifest.files.missing,
    });
    return { name, manifest, sizeInBytes };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    await endBackup(db, name, { outcome: 'failed', error: cause.slice(0, longestError) || 'unknown' });
    // A place that is away keeps its unfinished part. Nobody takes that for a backup.
    await place.remove(name).catch(() => undefined);
    throw error;
  }
}

/** Under the lock, nobody else works on those that have not ended: their process has. */
async function endCutOffBackups(db: Db, place: BackupPlace): Promise<void> {
  const cutOff = await db.selectFrom('backups').select(['name', 'place']).where('endedAt', 'is', null).execute();
  for (const { name, place: itsPlace } of cutOff) {
    if (itsPlace === place.shown) await place.remove(name);
    await endBackup(db, name, { outcome: 'failed', error: 'The process that made it ended.' });
  }
}

async function endBackup(
  db: Db,
  name: string,
  result: { outcome: string; sizeBytes?: number; missingFiles?: number; error?: string },
): Promise<void> {
  const endedAt = sql<Date>`now()`;
  await db
    .updateTable('backups')
    .set({ ...result, endedAt })
    .where('name', '=', name)
    .execute();
}

function newBackupName(at: Date): string {
  const moment = at.toISOString().slice(0, 19).replaceAll(':', '');
  return `switchyard-${moment}Z-${randomBytes(3).toString('hex')}`;
}

import { sql } from 'kysely';
import { z } from 'zod';
import type { Config } from '#server/config.ts';
import { type Db, directAddressOf } from '#server/db/database.ts';
import type { App } from '#server/platform/app-parts.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { defineJob, type Job } from '#server/platform/jobs.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { tellThatBackupFailed, tellThatBackupIsOld } from './backup-notices.ts';
import type { BackupPlace } from './backup-place.ts';
import { findLastBackup, findLastScheduled, findOutlived, isTooOld } from './backup-queries.ts';
import { runBackup } from './backup-runs.ts';
import { isBackupDue } from './backup-schedule.ts';
import { backupSourceOf } from './backup-source.ts';
import { openPlace } from './open-place.ts';
import { readBackupKey } from './sealing.ts';

const backUpWhenDueJob = defineJob({
  name: 'back-up-when-due',
  schema: z.object({}),
  cron: '*/5 * * * *',
  runsAtStart: true,
  // What failed is tried again by the schedule.
  retryLimit: 0,
  expireInSeconds: 23 * 3600,
  run: (app) => backUpWhenDue(app),
});

export const backupJobs: Job[] = [backUpWhenDueJob];

/** Does what the settings say about backups, if it is time. */
export async function backUpWhenDue(app: App): Promise<void> {
  const { db, config } = app;
  const { to, ...settings } = config.backup;
  if (!to) return;
  if (isBackupDue(await findLastScheduled(db), now(), settings)) return backUp(app, to, settings);
  const { lastDoneAt = null } = (await findLastBackup(db)) ?? {};
  if (lastDoneAt && isTooOld(lastDoneAt, now(), settings)) {
    await inTransaction(db, (transaction) => tellThatBackupIsOld(transaction, lastDoneAt));
  }
}

async function backUp({ db, config, pool, storage, http }: App, to: string, settings: Omit<Config['backup'], 'to'>) {
  try {
    const place = await openPlace(to, settings.s3);
    const key = settings.key ? await readBackupKey(settings.key) : null;
    const source = await backupSourceOf(config, directAddressOf(pool), storage);
    const { name, sizeInBytes } = await runBackup(db, source, { place, key, isScheduled: true });
    http.log.info({ name, sizeInBytes }, 'a backup was made');
    await removeOutlived(db, place, settings.keep);
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return;
    http.log.error({ err: error }, 'a backup failed');
    const reason = error instanceof Error ? asSentence(error.message) : 'unknown.';
    const { lastDoneAt = null } = (await findLastBackup(db)) ?? {};
    await inTransaction(db, (transaction) => tellThatBackupFailed(transaction, reason, lastDoneAt));
  }
}

/** Removes whole backups of the schedule itself. What somebody made by hand or another instance made stays. */
async function removeOutlived(db: Db, place: BackupPlace, keep: number): Promise<void> {
  for (const name of await findOutlived(db, place.shown, keep)) {
    await place.remove(name);
    await db.updateTable('backups').set({ removedAt: sql<Date>`now()` }).where('name', '=', name).execute();
  }
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

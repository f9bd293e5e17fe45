import { z } from 'zod';
import { mayRemoveFiles } from '#server/platform/backup-lock.ts';
import { machineTime } from '#server/platform/clock.ts';
import { defineJob, enqueue, type Job } from '#server/platform/jobs.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { removeFilesOfPerson } from './files-of-person.ts';
import { removeFilesOfPersonQueue, removeStoredFileQueue } from './stored-file-queue.ts';
import { removeUnusedUploads } from './unused-uploads.ts';
import { forgetCountedUploads } from './upload-limits.ts';
import { removeAbandonedUploads } from './uploads.ts';

const laterInMs = 10 * 60_000;

/**
 * A backup copies every file that its rows name. So while one runs, a file is removed later. No row names it any more, so
 * nothing else would remove it: this is tried for a week of a storage that is away.
 */
export const removeStoredFileJob = defineJob({
  ...removeStoredFileQueue,
  retryLimit: 8 + 7 * 24,
  run: (app, file) =>
    inTransaction(app.db, async (db) => {
      if (await mayRemoveFiles(db)) return app.storage.remove(file.path);
      await enqueue(db, removeStoredFileQueue, file, { startAfter: new Date(machineTime().getTime() + laterInMs) });
    }),
});

export const removeFilesOfPersonJob = defineJob({
  ...removeFilesOfPersonQueue,
  run: (app, { personId }) => inTransaction(app.db, (db) => removeFilesOfPerson(db, personId)),
});

export const removeAbandonedUploadsJob = defineJob({
  name: 'remove-abandoned-uploads',
  schema: z.object({}),
  cron: '17 * * * *',
  run: (app) =>
    inTransaction(app.db, async (db) => {
      await removeAbandonedUploads(db, 200);
      await forgetCountedUploads(db);
    }),
});

export const removeUnusedUploadsJob = defineJob({
  name: 'remove-unused-uploads',
  schema: z.object({}),
  cron: '47 * * * *',
  run: (app) => inTransaction(app.db, (db) => removeUnusedUploads(db, 200)),
});

export const fileJobs: Job[] = [
  removeStoredFileJob,
  removeFilesOfPersonJob,
  removeAbandonedUploadsJob,
  removeUnusedUploadsJob,
];

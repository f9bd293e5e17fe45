import { z } from 'zod';
import { defineJob, type Job } from '#server/platform/jobs.ts';
import { removeAbandonedUploads } from './uploads.ts';

/** Enqueued by whoever deletes the row of a file, so that the bytes go only when that is committed. */
export const removeStoredFileJob = defineJob({
  name: 'remove-stored-file',
  schema: z.object({ path: z.string().min(1) }),
  run: async (app, { path }) => app.storage.remove(path),
});

export const removeAbandonedUploadsJob = defineJob({
  name: 'remove-abandoned-uploads',
  schema: z.object({}),
  cron: '17 * * * *',
  run: async (app) => removeAbandonedUploads(app.db, app.storage, 200),
});

export const fileJobs: Job[] = [removeStoredFileJob, removeAbandonedUploadsJob];

import { z } from 'zod';
import { defineJob, enqueue, type Job } from '#server/platform/jobs.ts';
import { giveUpImport, importNextChunk } from './import-chunks.ts';
import { runImportQueue } from './import-queue.ts';

const runImport = defineJob({
  ...runImportQueue,
  retryLimit: 4,
  retryDelay: 2,
  expireInSeconds: 120,
  run: async (app, { importId }, attempt) => {
    const next = () => app.db.transaction().execute((db) => importNextChunk(db, importId, app.config.publicUrl));
    try {
      while (await next());
    } catch (error) {
      if (attempt.isLast) await app.db.transaction().execute((db) => giveUpImport(db, importId));
      throw error;
    }
  },
});

/** An upload whose process was killed goes on within a minute of the next start, whatever became of its job. */
const resumeImports = defineJob({
  name: 'resume-imports',
  schema: z.object({}),
  cron: '* * * * *',
  run: async (app) => {
    const running = await app.db
      .selectFrom('bulkImports')
      .select('id as importId')
      .where('status', '=', 'processing')
      .execute();
    await enqueue(app.db, runImportQueue, running);
  },
});

export const importJobs: Job[] = [runImport, resumeImports];

import { z } from 'zod';
import { defineJob, type Job } from '#server/platform/jobs.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { giveUpImport, importNextChunk, resumeRunningImports } from './import-chunks.ts';
import { runImportQueue } from './import-queue.ts';

const runImport = defineJob({
  ...runImportQueue,
  retryLimit: 4,
  retryDelay: 2,
  expireInSeconds: 120,
  run: async (app, { importId }, attempt) => {
    const next = () => inTransaction(app.db, (db) => importNextChunk(db, importId, app));
    try {
      while (await next());
    } catch (error) {
      if (attempt.isLast) await inTransaction(app.db, (db) => giveUpImport(db, importId));
      throw error;
    }
  },
});

/**
 * If the process of an upload was killed, the upload goes on with the next start. If another process runs, it goes on
 * within a minute.
 */
const resumeImports = defineJob({
  name: 'resume-imports',
  schema: z.object({}),
  cron: '* * * * *',
  runsAtStart: true,
  run: (app) => resumeRunningImports(app.db),
});

export const importJobs: Job[] = [runImport, resumeImports];

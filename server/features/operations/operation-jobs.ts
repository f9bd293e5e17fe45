import { z } from 'zod';
import { defineJob, type Job } from '#server/platform/jobs.ts';
import { readInspected } from './inspected.ts';
import { keepInspection } from './inspection-queries.ts';
import { takeLooks } from './looks.ts';

/** Takes the costly looks every night, for the status page. */
const inspectJob = defineJob({
  name: 'inspect-installation',
  schema: z.object({}),
  cron: '40 4 * * *',
  retryLimit: 1,
  expireInSeconds: 3600,
  run: async (app) => {
    const inspected = await readInspected(app);
    await keepInspection(app.db, await takeLooks(inspected, ({ isCostly }) => isCostly === true));
  },
});

export const operationJobs: Job[] = [inspectJob];

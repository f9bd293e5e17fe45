import { z } from 'zod';
import { now } from '#server/platform/clock.ts';
import { defineJob, type Job } from '#server/platform/jobs.ts';
import { removeOverdue } from '#server/platform/retention.ts';
import { readInspected } from './inspected.ts';
import { keepInspection } from './inspection-queries.ts';
import { takeLooks } from './looks.ts';
import { retentionRules } from './retention-rules.ts';
import { sealAnewJob } from './sealed-by-instance.ts';

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

const retentionJob = defineJob({
  name: 'remove-overdue',
  schema: z.object({}),
  cron: '10 4 * * *',
  retryLimit: 1,
  expireInSeconds: 3600,
  run: async ({ db, config }) => {
    await removeOverdue(db, retentionRules, config.retainedDays, now());
  },
});

export const operationJobs: Job[] = [inspectJob, retentionJob, sealAnewJob];

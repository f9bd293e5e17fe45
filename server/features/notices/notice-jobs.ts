import { z } from 'zod';
import type { App } from '#server/platform/app-parts.ts';
import { now } from '#server/platform/clock.ts';
import { defineJob, defineQueue, type Job } from '#server/platform/jobs.ts';
import { decideNoticesQueue } from '#server/platform/notices.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { decideBatch } from './due-events.ts';
import { recordReminders } from './reminders.ts';

const decideNoticesJob = defineJob({ ...decideNoticesQueue, run: (app) => decideDueNotices(app) });

const remindJob = defineJob({
  ...defineQueue('remind', z.object({})),
  cron: '*/5 * * * *',
  run: async (app) => {
    await recordReminders(app.db, now());
    await decideDueNotices(app);
  },
});

export const noticeJobs: Job[] = [decideNoticesJob, remindJob];

/** Each batch has its own transaction, so a failed batch is tried again alone. */
export async function decideDueNotices({ db, config }: Pick<App, 'db' | 'config'>): Promise<void> {
  while (await inTransaction(db, (transaction) => decideBatch(transaction, config)));
}

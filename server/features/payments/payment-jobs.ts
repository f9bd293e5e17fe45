import { z } from 'zod';
import { defineJob, type Job } from '#server/platform/jobs.ts';
import { sendHandoverQueue } from './handover-queue.ts';
import { giveUpHandover, tryHandover } from './handover-tries.ts';
import { verifyLedger } from './ledger.ts';
import { recordVerification } from './ledger-verification.ts';

/** Tries a batch again until the receiver accepts it. The delay grows from a minute to six hours. */
const sendHandoverJob = defineJob({
  ...sendHandoverQueue,
  retryLimit: 20,
  retryDelay: 60,
  retryDelayMax: 6 * 3600,
  run: async (app, { handoverId }, attempt) => {
    const tried = await tryHandover(app, handoverId);
    if (tried.status !== 'failed' && tried.status !== 'busy') return;
    if (attempt.isLast) await giveUpHandover(app.db, handoverId);
    throw new Error(tried.error);
  },
});

/** Verifies the whole ledger every night. */
const verifyLedgerJob = defineJob({
  name: 'verify-ledger',
  schema: z.object({}),
  cron: '20 4 * * *',
  retryLimit: 1,
  expireInSeconds: 3600,
  run: async ({ db }) => recordVerification(db, await verifyLedger(db)),
});

export const paymentJobs: Job[] = [sendHandoverJob, verifyLedgerJob];

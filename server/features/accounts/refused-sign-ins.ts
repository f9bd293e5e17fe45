import { z } from 'zod';
import type { Db } from '#server/db/database.ts';
import { requestAccountMail } from '#server/features/accounts/account-mails.ts';
import { defineJob, defineQueue, enqueue } from '#server/platform/jobs.ts';
import { countTry } from '#server/platform/rate-limit.ts';

const confirmationMails = { max: 3, windowSeconds: 3600 };

const refusedSignInQueue = defineQueue('refused-sign-in', z.object({ unconfirmedEmail: z.string().nullable() }));

/**
 * A right password of an account that waits for its confirmation gets a fresh mail. Every refusal enqueues the same
 * job, so that nobody learns by the time it takes whether a registration of theirs made an account.
 */
export function noteRefusedSignIn(db: Db, unconfirmedEmail: string | null): Promise<void> {
  return enqueue(db, refusedSignInQueue, { unconfirmedEmail });
}

export const refusedSignInJob = defineJob({
  ...refusedSignInQueue,
  run: async ({ db }, { unconfirmedEmail: email }) => {
    if (email === null) return;
    const wait = await countTry(db, `confirmation-after-sign-in:${email}`, confirmationMails);
    if (wait === null) await requestAccountMail(db, 'confirmation', email);
  },
});

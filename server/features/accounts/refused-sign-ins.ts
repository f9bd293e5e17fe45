import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#server/db/database.ts';
import { requestAccountMail } from '#server/features/accounts/account-mails.ts';
import { newId } from '#server/platform/ids.ts';
import { defineJob, defineQueue, enqueue } from '#server/platform/jobs.ts';
import { countTry } from '#server/platform/rate-limit.ts';

const confirmationMails = { max: 3, windowSeconds: 3600 };

const refusedSignInQueue = defineQueue(
  'refused-sign-in',
  z.object({
    id: z.uuid(),
    /** Whose password it was not; null where the address has no account. What was typed is not kept. */
    userId: z.uuid().nullable(),
    ipAddress: z.string(),
    userAgent: z.string().nullable(),
    unconfirmedEmail: z.string().nullable(),
  }),
);

interface RefusedSignIn {
  userId: string | null;
  unconfirmedEmail: string | null;
}

/**
 * Puts a refusal on record. A right password of an account that waits for its confirmation gets a fresh mail. Every
 * refusal enqueues the same job, so that nobody learns by the time it takes whether an address has an account.
 */
export function noteRefusedSignIn(db: Db, request: FastifyRequest, refused: RefusedSignIn): Promise<void> {
  const userAgent = request.headers['user-agent'] ?? null;
  return enqueue(db, refusedSignInQueue, { id: newId(), ipAddress: request.ip, userAgent, ...refused });
}

export const refusedSignInJob = defineJob({
  ...refusedSignInQueue,
  run: async ({ db }, { id, userId, ipAddress, userAgent, unconfirmedEmail: email }) => {
    await sql`
      insert into auth.sign_in_record (id, user_id, kind, way, ip_address, user_agent)
      select ${id}, ${userId}::uuid, 'refusal', 'password', ${ipAddress}, ${userAgent}
      where ${userId}::uuid is null or exists (select from auth."user" where id = ${userId}::uuid)
      on conflict (id) do nothing`.execute(db);
    if (email === null) return;
    const wait = await countTry(db, `confirmation-after-sign-in:${email}`, confirmationMails);
    if (wait === null) await requestAccountMail(db, 'confirmation', email);
  },
});

import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import { requestAccountMail } from '#server/features/accounts/account-mails.ts';
import type { App } from '#server/platform/app-parts.ts';
import { newId } from '#server/platform/ids.ts';
import { defineJob, defineQueue, enqueue } from '#server/platform/jobs.ts';
import { countTry } from '#server/platform/rate-limit.ts';
import { openAddress, SealedAddress, sealAddress } from '#server/platform/sealed-addresses.ts';

const confirmationMails = { max: 3, windowSeconds: 3600 };

const refusedSignInQueue = defineQueue(
  'refused-sign-in',
  z.object({
    id: z.uuid(),
    /** Whose password it was not; null where the address has no account. What was typed is not kept. */
    userId: z.uuid().nullable(),
    ipAddress: z.string(),
    userAgent: z.string().nullable(),
    unconfirmedEmail: SealedAddress.nullable(),
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
export function noteRefusedSignIn(
  { db, secret }: Pick<App, 'db' | 'secret'>,
  request: FastifyRequest,
  { userId, unconfirmedEmail: email }: RefusedSignIn,
): Promise<void> {
  return enqueue(db, refusedSignInQueue, {
    id: newId(),
    userId,
    ipAddress: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
    unconfirmedEmail: email === null ? null : sealAddress(secret, email),
  });
}

export const refusedSignInJob = defineJob({
  ...refusedSignInQueue,
  run: async ({ db, secret }, { id, userId, ipAddress, userAgent, unconfirmedEmail }) => {
    await sql`
      insert into auth.sign_in_record (id, user_id, kind, way, ip_address, user_agent)
      select ${id}, ${userId}::uuid, 'refusal', 'password', ${ipAddress}, ${userAgent}
      where ${userId}::uuid is null or exists (select from auth."user" where id = ${userId}::uuid)
      on conflict (id) do nothing`.execute(db);
    if (unconfirmedEmail === null) return;
    const email = openAddress(secret, unconfirmedEmail);
    const wait = await countTry(db, `confirmation-after-sign-in:${email}`, confirmationMails);
    if (wait === null) await requestAccountMail(db, secret, 'confirmation', email);
  },
});

import { sql } from 'kysely';
import { requestAccountMail } from '#server/features/accounts/account-mails.ts';
import { defineJob } from '#server/platform/jobs.ts';
import { countTry } from '#server/platform/rate-limit.ts';
import { openAddress } from '#server/sign-in/sealed-addresses.ts';
import { refusedTryQueue } from '#server/sign-in/tries.ts';

const confirmationMails = { max: 3, windowSeconds: 3600 };

/**
 * Puts a refusal on record. If the password was right but the account waits for its confirmation, sends a fresh mail.
 */
export const refusedSignInJob = defineJob({
  ...refusedTryQueue,
  run: async ({ db, secrets }, { id, kind, way, userId, email, ipAddress, userAgent, unconfirmedEmail }) => {
    const address = email === null ? null : openAddress(secrets, email);
    const person =
      userId === null
        ? sql`(select (select id from auth."user" where email = ${address}) as id)`
        : sql`(select id from auth."user" where id = ${userId})`;
    await sql`
      insert into auth.sign_in_record (id, user_id, kind, way, ip_address, user_agent)
      select ${id}, person.id, ${kind}, ${way}, ${ipAddress}, ${userAgent} from ${person} person
      on conflict (id) do nothing`.execute(db);
    if (unconfirmedEmail === null) return;
    const waiting = openAddress(secrets, unconfirmedEmail);
    const wait = await countTry(db, `confirmation-after-sign-in:${waiting}`, confirmationMails);
    if (wait === null) await requestAccountMail(db, secrets, 'confirmation', waiting);
  },
});

import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#server/db/database.ts';
import { accountMailJob } from '#server/features/accounts/account-mails.ts';
import { renewSigningKeysJob } from '#server/features/accounts/sessions/signing-keys.ts';
import { mailSignInJob } from '#server/features/accounts/ways-in/mail-sign-in.ts';
import { refusedSignInJob } from '#server/features/accounts/ways-in/refused-sign-ins.ts';
import { defineJob, type Job } from '#server/platform/jobs.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { clearUnconfirmedRegistrations } from '#server/sign-in/unconfirmed-registrations.ts';

const clearSignInRemains = defineJob({
  name: 'clear-sign-in-remains',
  schema: z.object({}),
  cron: '20 3 * * *',
  run: (app) => clearRemains(app.db),
});

const clearRegistrations = defineJob({
  name: 'clear-unconfirmed-registrations',
  schema: z.object({}),
  cron: '40 3 * * *',
  run: (app) => inTransaction(app.db, clearUnconfirmedRegistrations),
});

export const accountJobs: Job[] = [
  clearSignInRemains,
  clearRegistrations,
  renewSigningKeysJob,
  accountMailJob,
  mailSignInJob,
  refusedSignInJob,
];

/** Removes what has ended: sessions, links, codes, counters of tries, old records, and devices whose cookie is gone. */
async function clearRemains(db: Db): Promise<void> {
  await sql`delete from auth.session where expires_at < now()`.execute(db);
  await sql`
    delete from auth.device where last_used_at < now() - interval '400 days'
      and not exists (select from auth.session where session.device_id = device.id)`.execute(db);
  await sql`delete from auth.sign_in_record where at < now() - interval '90 days'`.execute(db);
  await sql`delete from auth.password_link where expires_at < now()`.execute(db);
  await sql`delete from auth.verification where expires_at < now()`.execute(db);
  await sql`delete from auth.mailed_code where expires_at < now()`.execute(db);
  // Requests that try now lock counters in an order of their own, so this does not wait for them.
  await sql`
    delete from auth.rate_limit where key in (
      select key from auth.rate_limit where window_ends_at < now() for update skip locked)`.execute(db);
}

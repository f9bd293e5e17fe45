import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { type AuditEntry, audit } from '#server/platform/audit.ts';
import { changed } from '#server/platform/telling.ts';
import { normalEmail } from '#server/sign-in/sign-ins.ts';

const keptDays = 7;

/**
 * True if somebody registered `sign_in`, a row of auth."user", perhaps with a stranger's address, and nobody has
 * confirmed it. A person who was invited is not meant.
 */
export const isUnconfirmedRegistration = sql<boolean>`(
  not sign_in.email_verified
  and exists (
    select from auth.account where user_id = sign_in.id and provider_id = 'credential' and password is not null
  )
  and not exists (select from invitations where user_id = sign_in.id)
)`;

/**
 * Makes room for people whom an admin enters, or who read the mailbox. Registrations with their addresses that nobody
 * confirmed go, password and all. It takes one statement if there is nothing to remove.
 */
export async function makeRoomFor(db: Db, actorId: string | null, addresses: string[]): Promise<void> {
  const emails = addresses.map(normalEmail);
  const found = await sql<{ id: string }>`
    select id from auth."user" sign_in where email = any(${emails}::text[]) and ${isUnconfirmedRegistration}
    order by id for update`.execute(db);
  await remove(db, actorId, found.rows, 'taken_over');
}

/**
 * Removes registrations that nobody confirmed for 7 days. A confirmation mail that was sent again still has its 24
 * hours.
 */
export async function clearUnconfirmedRegistrations(db: Db): Promise<void> {
  const found = await sql<{ id: string }>`
    select id from auth."user" sign_in
    where created_at < now() - make_interval(days => ${keptDays}) and ${isUnconfirmedRegistration}
      and not exists (
        select from deliveries
        where recipient_id = sign_in.id and kind = 'confirm_email' and created_at > now() - interval '24 hours'
      )
    order by id for update`.execute(db);
  await remove(db, null, found.rows, 'never_confirmed');
}

/** These refer to everybody and go with them. An account to which anything else refers stays. */
const goesAlong = ['deliveries', 'last_sign_ins', 'notices'];

async function remove(db: Db, actorId: string | null, people: { id: string }[], reason: string): Promise<void> {
  if (people.length === 0) return;
  const ids = people.map(({ id }) => id);
  // This waits for a transaction that writes something that refers to them. What it wrote goes along, or keeps them.
  await sql`select from profiles where id = any(${ids}::uuid[]) order by id for update`.execute(db);
  const references = await sql<{ table: string; column: string }>`
    select conrelid::regclass::text as table, quote_ident(attname) as column
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where contype = 'f' and confrelid = 'profiles'::regclass`.execute(db);
  const unreferred = references.rows
    .filter(({ table }) => !goesAlong.includes(table))
    .map(({ table, column }) => sql`not exists (select from ${sql.raw(table)} where ${sql.raw(column)} = sign_in.id)`);
  const removed = await sql<{ id: string }>`
    with gone as (
      select id from auth."user" sign_in
      where id = any(${ids}::uuid[]) and ${sql.join(unreferred, sql` and `)}
    ), mails as (
      update deliveries set recipient_id = null from gone where recipient_id = gone.id
    ), told as (
      delete from notices using gone where user_id = gone.id
    ), profile as (
      delete from profiles using gone where profiles.id = gone.id
    ), registration as (
      delete from auth."user" using gone where "user".id = gone.id
    )
    select id from gone`.execute(db);
  const entries = removed.rows.map(
    ({ id }): AuditEntry => ({
      action: 'registration.remove',
      subjectType: 'user',
      subjectId: id,
      reason,
    }),
  );
  await changed(db, 'people', []);
  await audit(db, actorId, entries);
}

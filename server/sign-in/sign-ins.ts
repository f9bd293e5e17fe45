import { sql } from 'kysely';
import type { Role, TrackType } from '#contract/roles.ts';
import type { Db } from '#server/db/database.ts';
import { AppError } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { sessionsEnded } from '#server/platform/live.ts';
import { hashPassword } from '#server/sign-in/password-hash.ts';

export interface NewSignIn {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  role: Role;
  trackType: TrackType | null;
  phone?: string | null;
  /** The role that a person asks for. An admin decides on it. */
  requestedRole?: 'coach' | 'admin' | null;
  /** The person who made the account for somebody else. A password that they chose has to be changed. */
  madeBy?: string | null;
  /** Made by hashPassword. Without it, a mailed link sets the first password. */
  passwordHash?: string | null;
  /** Without it, the person signs in only after opening a mailed link. */
  isEmailConfirmed?: boolean;
}

/**
 * Makes sign-ins with their profiles. It takes one statement for any number. It does not change people whose email has
 * an account already, and returns their given ids.
 */
export async function createSignIns(db: Db, people: NewSignIn[]): Promise<{ refusedIds: string[] }> {
  if (people.length === 0) return { refusedIds: [] };
  const given = people.map((person) => ({ ...person, email: normalEmail(person.email) }));
  const refused = await sql<{ id: string }>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given
        (id uuid, email text, "firstName" text, "lastName" text, role text, "trackType" text, "requestedRole" text,
          "passwordHash" text, "isEmailConfirmed" boolean, phone text, "madeBy" uuid)
    ), made as (
      insert into auth."user" (id, name, email, email_verified, first_name, last_name, requested_role, track_type)
      select id, trim("firstName" || ' ' || "lastName"), email, coalesce("isEmailConfirmed", false), "firstName",
        "lastName", "requestedRole", "trackType"
      from given
      where not exists (select from profiles where profiles.email = given.email::citext)
      -- The order prevents a deadlock: of two sets with the same people, one waits for the other.
      order by email
      on conflict (email) do nothing
      returning id
    ), profile as (
      insert into profiles (id, email, first_name, last_name, role, requested_role, track_type, phone)
      select id, email, "firstName", "lastName", role, nullif("requestedRole", role), "trackType", phone
      from given join made using (id)
    ), credential as (
      insert into auth.account (user_id, account_id, provider_id, password, must_be_changed)
      select id, id::text, 'credential', "passwordHash", "madeBy" is not null
      from given join made using (id) where "passwordHash" is not null
    ), granted as (
      insert into admin_grants (person_id, granted_by)
      select id, "madeBy" from given join made using (id) where role = 'admin' and "madeBy" is not null
    )
    select id from given where id not in (select id from made)`.execute(db);
  return { refusedIds: refused.rows.map((row) => row.id) };
}

/** Makes one person who can sign in at once, and returns the id. Throws 'duplicate' if the email has an account. */
export async function createSignInWithPassword(
  db: Db,
  person: Omit<NewSignIn, 'id' | 'passwordHash' | 'isEmailConfirmed'> & { id?: string; password: string },
): Promise<string> {
  const { password, id = newId(), ...rest } = person;
  const passwordHash = await hashPassword(password);
  const { refusedIds } = await createSignIns(db, [{ ...rest, id, passwordHash, isEmailConfirmed: true }]);
  if (refusedIds.length > 0)
    throw new AppError('duplicate', 'A user with this email address has already been registered');
  return id;
}

/** Takes away a person's way in: the sign-in, its sessions, links and second factors. The profile row stays. */
export async function removeSignIn(db: Db, userId: string): Promise<void> {
  await sql`
    with gone as (delete from auth."user" where id = ${userId})
    select ${sessionsEnded(userId)}`.execute(db);
}

export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}

import { sql } from 'kysely';
import type { User } from '#contract/user-management.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import type { Refusal } from '#server/platform/refusals.ts';

type Asking = Pick<Actor, 'id'>;
type Person = Pick<
  User,
  'id' | 'firstName' | 'lastName' | 'email' | 'role' | 'trackType' | 'version' | 'isEmailConfirmed'
>;
type Standing = Pick<User, 'id' | 'role' | 'isEmailConfirmed'> & { isInvited: boolean };

/**
 * USER-15: nobody locks themselves out. A person who registered without confirming gets no role, just as when they ask
 * for one, because nobody knows whether the address is theirs. An admin named the address of an invited person.
 */
export function roleRefusal(actor: Asking, person: Standing): string | null {
  if (actor.id === person.id) return 'You cannot change your own role. Another admin can.';
  if (person.role !== 'participant' || person.isEmailConfirmed || person.isInvited) return null;
  return 'This person has not confirmed their email address yet.';
}

/** USER-19 */
export function deletionRefusal(actor: Asking, personId: string): string | null {
  return actor.id === personId ? 'You cannot delete your own account. Another admin can.' : null;
}

export function possibleActs(
  actor: Asking,
  { id, role, isEmailConfirmed, invitation }: Pick<User, 'id' | 'role' | 'isEmailConfirmed' | 'invitation'>,
) {
  return {
    changeRole: roleRefusal(actor, { id, role, isEmailConfirmed, isInvited: invitation !== null }) === null,
    delete: deletionRefusal(actor, id) === null,
    // USER-36
    enrol: role === 'participant',
    resendInvitation: invitationRefusal(invitation?.state) === null,
  };
}

export function invitationRefusal(state: 'sent' | 'expired' | 'accepted' | undefined): Refusal | null {
  if (state === undefined) {
    return {
      code: 'conflict',
      detail: 'This person was never invited: they registered themself.',
      inList: 'Registered themselves, without an invitation',
    };
  }
  if (state !== 'accepted') return null;
  return {
    code: 'conflict',
    detail: 'This person has accepted their invitation already.',
    inList: 'Accepted the invitation already',
  };
}

export function userGone() {
  return notFound('This account no longer exists. Another admin may have deleted it.');
}

/** Locks a person until the transaction ends. If the person is an admin, it locks all admins, in one order. */
export async function lockPerson(db: Db, id: string) {
  const found = await sql<Person & { isInvited: boolean; requestedRole: string | null; deletedAt: Date | null }>`
    select id, first_name, last_name, email, role, track_type, requested_role, version, deleted_at,
      coalesce((select email_verified from auth."user" sign_in where sign_in.id = profiles.id), false)
        as is_email_confirmed,
      exists (select from invitations where user_id = profiles.id) as is_invited
    from profiles
    where id = ${id} or (role = 'admin' and deleted_at is null
      and exists (select from profiles as wanted where wanted.id = ${id} and wanted.role = 'admin'))
    order by id for update`.execute(db);
  const person = found.rows.find((row) => row.id === id);
  if (!person || person.deletedAt) throw userGone();
  return { ...person, otherAdmins: found.rows.filter((row) => row.role === 'admin' && row.id !== id).length };
}

/** If two admins remove each other at once, the second one is refused. */
export function requireAnotherAdmin({ role, otherAdmins }: { role: string; otherAdmins: number }): void {
  if (role !== 'admin' || otherAdmins > 0) return;
  throw new AppError('conflict', 'This is the last admin. Make somebody else an admin first.');
}

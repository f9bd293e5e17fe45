import type { Role, TrackType } from '#contract/roles.ts';
import type { Db } from '#server/db/database.ts';
import { newId } from '#server/platform/ids.ts';

interface PersonFacts {
  email?: string;
  firstName?: string;
  lastName?: string;
  role?: Role;
  trackType?: TrackType | null;
}

export type BuiltPerson = Awaited<ReturnType<typeof buildPerson>>;

/** A person who can sign in, with a confirmed address and no password. */
export async function buildPerson(db: Db, facts: PersonFacts = {}) {
  const id = newId();
  const { role = 'participant', firstName = 'Robin', lastName = 'Reyes' } = facts;
  const email = facts.email ?? `${role}-${id}@people.example`;
  const trackType = facts.trackType === undefined && role === 'participant' ? 'fellowship' : (facts.trackType ?? null);
  await db
    .insertInto('auth.user')
    .values({ id, name: `${firstName} ${lastName}`, email, emailVerified: true, firstName, lastName, trackType })
    .execute();
  return db
    .insertInto('profiles')
    .values({ id, email, firstName, lastName, role, trackType })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function buildParticipant(db: Db, facts: Omit<PersonFacts, 'role'> = {}) {
  return buildPerson(db, { ...facts, role: 'participant' });
}

export function buildCoach(db: Db, facts: Omit<PersonFacts, 'role'> = {}) {
  return buildPerson(db, { firstName: 'Casey', lastName: 'Cole', ...facts, role: 'coach' });
}

export function buildAdmin(db: Db, facts: Omit<PersonFacts, 'role'> = {}) {
  return buildPerson(db, { firstName: 'Ada', lastName: 'Admin', ...facts, role: 'admin' });
}

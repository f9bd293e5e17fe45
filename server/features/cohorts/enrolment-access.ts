import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { fullNameOf, type Refusal } from '#server/platform/refusals.ts';
import { type lockCohorts, openStatuses } from './cohort-queries.ts';
import type { Standing } from './enrolment-queries.ts';

export interface Person {
  id: string;
  firstName: string;
  lastName: string;
  role: string;
  trackType: string | null;
}

export type Cohort = Awaited<ReturnType<typeof lockCohorts>>[number];

/** The ids are text here, because a typed one may be no id at all. */
export function peopleToEnrol(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('profiles')
    .select(['id', 'firstName', 'lastName', 'role', 'trackType'])
    .where((row) => row.cast<string>('id', 'text'), '=', sql<string>`any(${ids}::text[])`)
    .where('deletedAt', 'is', null)
    .orderBy('id');
}

/**
 * Locks people at once, in one order. An act that cancels a session meanwhile holds the session and refers to the two
 * people, which waits for no lock of this kind.
 */
export function lockPeopleToEnrol(db: Db, ids: readonly string[]): Promise<Person[]> {
  return peopleToEnrol(db, ids).forNoKeyUpdate().execute();
}

/** USER-27 */
export function requireOpenCohort(cohort: Cohort | undefined): Cohort {
  if (!cohort) throw notFound('This cohort no longer exists. Please choose another one.');
  if (openStatuses.includes(cohort.status)) return cohort;
  throw new AppError('conflict', `${cohort.name} is ${cohort.status}: only active and planning cohorts take people.`);
}

export function roleRefusal(person: Person): Refusal | null {
  if (person.role === 'participant') return null;
  const article = person.role === 'admin' ? 'an' : 'a';
  return {
    code: 'conflict',
    detail: `${fullNameOf(person)} is ${article} ${person.role}; only participants can be registered.`,
    inList: `Not a participant, but ${article} ${person.role}`,
  };
}

/** `taken` counts the places that are taken by now, also by this act. */
export function placeRefusal(
  person: Person,
  { membership }: Pick<Standing, 'membership'>,
  cohort: Cohort,
  taken: number,
): Refusal | null {
  if (membership !== null && membership !== 'withdrawn') {
    return {
      code: 'duplicate',
      detail: `${fullNameOf(person)} is already registered in ${cohort.name}.`,
      inList: `Already in ${cohort.name}`,
    };
  }
  if (taken < cohort.capacity) return null;
  return {
    code: 'conflict',
    detail: `${cohort.name} is full: all ${cohort.capacity.toLocaleString('en-US')} places are taken.`,
    inList: `No place left in ${cohort.name}`,
  };
}

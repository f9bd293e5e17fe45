import { type RawBuilder, sql } from 'kysely';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import type { BookedSessionsChoice, enrolInCohort as contract } from '#contract/enrolments.ts';
import type { TrackType } from '#contract/roles.ts';
import type { Db } from '#server/db/database.ts';
import type { BookingLimits } from '#server/features/coaching/booking-queries.ts';
import {
  notingSettledSessions,
  type SettledSession,
  settlingBookedSessions,
} from '#server/features/coaching/coach-replacement-derivation.ts';
import { tellOfCoachReplacementQueue } from '#server/features/coaching/coach-replacement-queue.ts';
import type { Actor } from '#server/platform/actor.ts';
import { type AuditEntry, auditing } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { lockCohorts, openStatuses } from './cohort-queries.ts';
import { memberChangedQueue } from './cohort-queue.ts';
import { tellOfEnrolment } from './enrolment-notices.ts';
import { findStanding, replacementOf } from './enrolment-queries.ts';

const fellowship: TrackType = 'fellowship';

interface Person {
  id: string;
  firstName: string;
  lastName: string;
  role: string;
  trackType: string | null;
}

type Cohort = Awaited<ReturnType<typeof lockCohorts>>[number];

/**
 * Registers a participant in the fellowship cohort of the settings, or else in the active one that starts last
 * (ADMIN-13 to ADMIN-19).
 */
export async function enrolInFellowship(db: Db, actor: Actor, userId: string, configuredCohortId: string | null) {
  const { person } = await lockPeople(db, userId, null);
  const cohortId = configuredCohortId ?? (await latestActiveCohortId(db));
  const [cohort] = cohortId ? await lockCohorts(db, [cohortId]) : [];
  if (!cohort) throw notFound('The fellowship cohort was not found.');
  requireOpen(cohort);
  if (cohort.programType !== fellowship) {
    throw new AppError('conflict', `${cohort.name} is not a fellowship cohort.`);
  }
  await enrol(db, actor, person, cohort, { coach: null, trackType: fellowship, booked: null });
  return { firstName: person.firstName, lastName: person.lastName, cohortName: cohort.name };
}

/** USER-26 to USER-36. A person without a track type gets that of the cohort. */
export async function enrolInCohort(
  db: Db,
  actor: Actor,
  { userId, cohortId, coachId = null, bookedSessions = 'keep' }: InputOf<typeof contract>['body'],
  limits: BookingLimits,
): Promise<ReplyOf<typeof contract>> {
  const { person, coach } = await lockPeople(db, userId, coachId);
  const [cohort] = await lockCohorts(db, [cohortId]);
  if (!cohort) throw notFound('This cohort no longer exists. Please choose another one.');
  requireOpen(cohort);
  if (coachId && coach?.role !== 'coach') {
    throw new AppError('conflict', 'This person is no longer a coach. Please choose another one.');
  }
  const trackType = person.trackType ?? cohort.programType;
  const settled = await enrol(db, actor, person, cohort, {
    coach,
    trackType,
    booked: { choice: bookedSessions, limits },
  });
  const moved = settled.filter(({ isMoved }) => isMoved).length;
  return {
    firstName: person.firstName,
    lastName: person.lastName,
    cohortName: cohort.name,
    coachName: coach && nameOf(coach),
    sessions: { moved, cancelled: settled.length - moved },
  };
}

/** USER-27 */
function requireOpen({ name, status }: Cohort): void {
  if (openStatuses.includes(status)) return;
  throw new AppError('conflict', `${name} is ${status}: only active and planning cohorts take people.`);
}

interface Terms {
  coach: Person | null;
  /** The person has this track type from now on. */
  trackType: string;
  /** Says what becomes of sessions with a coach who is replaced. */
  booked: { choice: BookedSessionsChoice; limits: BookingLimits } | null;
}

/** Returns the sessions that moved or were cancelled because another coach takes over. */
async function enrol(
  db: Db,
  actor: Actor,
  person: Person,
  cohort: Cohort,
  { coach, trackType, booked }: Terms,
): Promise<SettledSession[]> {
  const standing = await findStanding(db, person.id, cohort.id);
  const { membership, courseId, coach: earlierCoach } = standing;
  if (membership !== null && membership !== 'withdrawn') {
    throw new AppError('duplicate', `${nameOf(person)} is already registered in ${cohort.name}.`);
  }
  if (cohort.currentEnrollment >= cohort.capacity) {
    throw new AppError(
      'conflict',
      `${cohort.name} is full: all ${cohort.capacity.toLocaleString('en-US')} places are taken.`,
    );
  }
  if (coach && !courseId) {
    throw new AppError('conflict', `${cohort.name} has no course, so we cannot assign a coach.`);
  }
  const newCoach = coach?.id === earlierCoach?.id ? null : coach;
  const replacement =
    coach && booked
      ? replacementOf(standing, {
          participantId: person.id,
          newCoachId: coach.id,
          at: now(),
          limits: booked.limits,
        })
      : null;
  const noted: AuditEntry = {
    action: 'cohort.enrol',
    subjectType: 'user',
    subjectId: person.id,
    before: {
      trackType: person.trackType,
      membership,
      ...(newCoach && earlierCoach ? { coachId: earlierCoach.id } : {}),
    },
    after: { trackType, membership: 'active', cohortId: cohort.id, ...(newCoach ? { coachId: newCoach.id } : {}) },
  };
  const place = { personId: person.id, cohortId: cohort.id, courseId, coachId: coach?.id ?? null, trackType };
  const settled = await putInto(db, place, [
    sql`noted as (${auditing(actor.id, [noted])})`,
    sql`settled as (${settlingBookedSessions(replacement, booked?.choice ?? 'keep')})`,
    sql`noted_sessions as (${notingSettledSessions(actor.id, replacement)})`,
  ]);
  await enqueue(db, memberChangedQueue, { participantId: person.id });
  if (replacement && settled.length > 0) {
    const [moved = [], cancelled = []] = [true, false].map((isMoved) =>
      settled.filter((session) => session.isMoved === isMoved).map(({ id }) => id),
    );
    const { participantId, formerCoachId, newCoachId } = replacement;
    await enqueue(db, tellOfCoachReplacementQueue, {
      participantId,
      formerCoachId,
      newCoachId,
      movedIds: moved,
      cancelledIds: cancelled,
    });
  }
  await tellOfEnrolment(db, person, cohort, newCoach && { coach: newCoach, earlierCoach });
  return settled;
}

/**
 * Locks both at once, in one order. An act that cancels a session meanwhile holds the session and refers to the two
 * people, which waits for no lock of this kind. The id is text here, because the typed one may be no id at all.
 */
async function lockPeople(db: Db, userId: string, coachId: string | null) {
  const id = userId.toLowerCase();
  const found = await db
    .selectFrom('profiles')
    .select(['id', 'firstName', 'lastName', 'role', 'trackType'])
    .where(
      (row) => row.cast<string>('id', 'text'),
      '=',
      sql<string>`any(${[id, ...(coachId ? [coachId] : [])]}::text[])`,
    )
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const person = found.find((row) => row.id === id);
  if (!person) throw notFound(`The user ${userId} was not found in profiles.`);
  if (person.role !== 'participant') {
    const article = person.role === 'admin' ? 'an' : 'a';
    throw new AppError(
      'conflict',
      `${nameOf(person)} is ${article} ${person.role}; only participants can be registered.`,
    );
  }
  return { person, coach: found.find((row) => row.id === coachId) ?? null };
}

async function latestActiveCohortId(db: Db): Promise<string | undefined> {
  const cohort = await db
    .selectFrom('cohorts')
    .select('id')
    .where('programType', '=', fellowship)
    .where('status', '=', 'active')
    .orderBy('startDate', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return cohort?.id;
}

interface Place {
  personId: string;
  cohortId: string;
  courseId: string | null;
  coachId: string | null;
  trackType: string;
}

/** USER-29, USER-32. A withdrawn person comes back in the existing row, without their former coach. */
async function putInto(
  db: Db,
  { personId, cohortId, courseId, coachId, trackType }: Place,
  consequences: RawBuilder<unknown>[],
): Promise<SettledSession[]> {
  const { rows } = await sql<SettledSession>`
    with tracked as (
      update profiles set track_type = ${trackType} where id = ${personId} and track_type is distinct from ${trackType}
    )${courseId === null ? sql`` : sql`, ${courseTaken(personId, courseId, coachId)}`}, member as (
      insert into cohort_participants (participant_id, cohort_id) values (${personId}, ${cohortId})
      on conflict (participant_id, cohort_id) do update set status = 'active', ended_at = null
    ), ${sql.join(consequences)}
    select id, is_moved from settled`.execute(db);
  return rows;
}

function courseTaken(personId: string, courseId: string, coachId: string | null): RawBuilder<unknown> {
  return sql`
    course as (
      insert into user_courses as taken (user_id, course_id, coach_id) values (${personId}, ${courseId}, ${coachId})
      on conflict (user_id, course_id) do update
        set status = 'enrolled',
          coach_id = coalesce(excluded.coach_id, case when taken.status = 'enrolled' then taken.coach_id end)
    )`;
}

function nameOf({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`;
}

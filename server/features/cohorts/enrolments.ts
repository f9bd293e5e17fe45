import { sql } from 'kysely';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import type {
  BookedSessionsChoice,
  enrolInCohort as contract,
  enrolPeople as setContract,
} from '#contract/enrolments.ts';
import type { RefusedPerson } from '#contract/people-sets.ts';
import type { TrackType } from '#contract/roles.ts';
import type { Db } from '#server/db/database.ts';
import type { BookingLimits } from '#server/features/coaching/booking-queries.ts';
import type { SettledSession } from '#server/features/coaching/coach-replacement-derivation.ts';
import { tellOfCoachReplacementQueue } from '#server/features/coaching/coach-replacement-queue.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { fullNameOf, partPeople, throwRefusal } from '#server/platform/refusals.ts';
import { takePlaces } from './cohort-places.ts';
import { cohortsToEnrolIn, lockCohorts } from './cohort-queries.ts';
import {
  type Cohort,
  lockPeopleToEnrol,
  type Person,
  peopleToEnrol,
  placeRefusal,
  requireOpenCohort,
  roleRefusal,
} from './enrolment-access.ts';
import { tellOfEnrolments } from './enrolment-notices.ts';
import { findStanding, findStandings, replacementOf, type Standing } from './enrolment-queries.ts';

const fellowship: TrackType = 'fellowship';

/**
 * Registers a participant in the fellowship cohort of the settings, or else in the active one that starts last
 * (ADMIN-13 to ADMIN-19).
 */
export async function enrolInFellowship(db: Db, actor: Actor, userId: string, configuredCohortId: string | null) {
  const { person } = await lockPeople(db, userId, null);
  const cohortId = configuredCohortId ?? (await latestActiveCohortId(db));
  const [found] = cohortId ? await lockCohorts(db, [cohortId]) : [];
  if (!found) throw notFound('The fellowship cohort was not found.');
  const cohort = requireOpenCohort(found);
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
  const cohort = requireOpenCohort((await lockCohorts(db, [cohortId]))[0]);
  if (coachId && coach?.role !== 'coach') {
    throw new AppError('conflict', 'This person is no longer a coach. Please choose another one.');
  }
  const settled = await enrol(db, actor, person, cohort, {
    coach,
    trackType: trackTypeIn(cohort, person),
    booked: { choice: bookedSessions, limits },
  });
  const moved = settled.filter(({ isMoved }) => isMoved).length;
  return {
    firstName: person.firstName,
    lastName: person.lastName,
    cohortName: cohort.name,
    coachName: coach && fullNameOf(coach),
    sessions: { moved, cancelled: settled.length - moved },
  };
}

/** Enrolls those of them who can be, each as if alone. The places go to them in the order of the ids. */
export async function enrolPeople(
  db: Db,
  actor: Actor,
  { userIds, cohortId }: InputOf<typeof setContract>['body'],
): Promise<ReplyOf<typeof setContract>> {
  const people = await lockPeopleToEnrol(db, userIds);
  const cohort = requireOpenCohort((await lockCohorts(db, [cohortId]))[0]);
  const { open, refused, standings } = await judge(db, userIds, people, cohort);
  const takers = open.map((person) => ({
    person,
    standing: standings.get(person.id) ?? noStanding,
    trackType: trackTypeIn(cohort, person),
    coachId: null,
    coachChange: null,
  }));
  const courseId = takers[0]?.standing.courseId ?? null;
  await takePlaces(db, actor, { cohort, courseId }, takers);
  await tellOfEnrolments(db, open, cohort, null);
  return { enrolled: open.length, cohortName: cohort.name, refused };
}

/** Says what `enrolPeople` would do now. */
export async function previewEnrolments(db: Db, { userIds, cohortId }: InputOf<typeof setContract>['body']) {
  const cohort = requireOpenCohort((await cohortsToEnrolIn(db, [cohortId]).execute())[0]);
  const { open, refused } = await judge(db, userIds, await peopleToEnrol(db, userIds).execute(), cohort);
  return { ready: open.map(({ id }) => id), refused, cohortName: cohort.name };
}

const noStanding: Standing = { membership: null, courseId: null, coach: null, isCoachElsewhere: false };

async function judge(
  db: Db,
  ids: string[],
  people: Person[],
  cohort: Cohort,
): Promise<{ open: Person[]; refused: RefusedPerson[]; standings: Map<string, Standing> }> {
  const standings = await findStandings(db, ids, cohort.id);
  let taken = cohort.currentEnrollment;
  const judged = partPeople(ids, people, (person) => {
    const refusal = roleRefusal(person) ?? placeRefusal(person, standings.get(person.id) ?? noStanding, cohort, taken);
    if (!refusal) taken += 1;
    return refusal;
  });
  return { ...judged, standings };
}

function trackTypeIn(cohort: Cohort, { trackType }: Person): string {
  return trackType ?? cohort.programType;
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
  const { courseId, coach: earlierCoach } = standing;
  throwRefusal(placeRefusal(person, standing, cohort, cohort.currentEnrollment));
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
  const taker = {
    person,
    standing,
    trackType,
    coachId: coach?.id ?? null,
    coachChange: newCoach && { coachId: newCoach.id, earlierCoachId: earlierCoach?.id ?? null },
  };
  const settled = await takePlaces(db, actor, { cohort, courseId }, [taker], [replacement, booked?.choice ?? 'keep']);
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
  await tellOfEnrolments(db, [person], cohort, newCoach && { coach: newCoach, earlierCoach });
  return settled;
}

async function lockPeople(db: Db, userId: string, coachId: string | null) {
  const id = userId.toLowerCase();
  const found = await lockPeopleToEnrol(db, [id, ...(coachId ? [coachId] : [])]);
  const person = found.find((row) => row.id === id);
  if (!person) throw notFound(`The user ${userId} was not found in profiles.`);
  throwRefusal(roleRefusal(person));
  return { person, coach: found.find((row) => row.id === coachId) ?? null };
}

async function latestActiveCohortId(db: Db): Promise<string | undefined> {
  const cohort = await db
    .selectFrom('cohorts')
    .select('id')
    .where('programType', '=', fellowship)
    .where('status', '=', sql.lit('active'))
    .orderBy('startDate', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return cohort?.id;
}

import { readParticipantDashboard } from '#contract/home.ts';
import type { TrackType } from '#contract/roles.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { tellBrowsers } from '#server/platform/live.ts';
import { findProgramCourses, lockCohorts } from './cohort-queries.ts';

const program: TrackType = 'fellowship';

interface Person {
  id: string;
  firstName: string;
  lastName: string;
  role: string;
  trackType: string | null;
}

/**
 * Registers a participant in the fellowship cohort of the settings, or else in the active one that starts last
 * (ADMIN-13 to ADMIN-19).
 */
export async function enrolInFellowship(db: Db, actor: Actor, userId: string, configuredCohortId: string | null) {
  const person = await lockParticipant(db, userId);
  const cohort = await lockTargetCohort(db, configuredCohortId);
  const name = `${person.firstName} ${person.lastName}`;

  const before = await findMembership(db, person.id, cohort.id);
  if (before && before.status !== 'withdrawn') {
    throw new AppError('duplicate', `${name} is already registered in ${cohort.name}.`);
  }
  if (cohort.currentEnrollment >= cohort.capacity) {
    throw new AppError('conflict', `${cohort.name} is full: all ${cohort.capacity} places are taken.`);
  }
  await putInto(db, person, cohort.id);
  await audit(db, actor.id, {
    action: 'cohort.enrol',
    subjectType: 'profile',
    subjectId: person.id,
    before: { trackType: person.trackType, membership: before?.status ?? null },
    after: { trackType: program, membership: 'active', cohortId: cohort.id },
  });
  await tellBrowsers(db, [person.id], { endpoints: [readParticipantDashboard] });
  return { firstName: person.firstName, lastName: person.lastName, cohortName: cohort.name };
}

async function lockParticipant(db: Db, userId: string): Promise<Person> {
  const person = await db
    .selectFrom('profiles')
    .select(['id', 'firstName', 'lastName', 'role', 'trackType'])
    // As text: what was typed may be no id at all.
    .where((row) => row.cast<string>('id', 'text'), '=', userId.toLowerCase())
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!person) throw notFound(`The user ${userId} was not found in profiles.`);
  if (person.role !== 'participant') {
    throw new AppError(
      'conflict',
      `${person.firstName} ${person.lastName} is ${person.role === 'admin' ? 'an' : 'a'} ${person.role}; only participants can be registered.`,
    );
  }
  return person;
}

async function lockTargetCohort(db: Db, configuredCohortId: string | null) {
  const cohortId = configuredCohortId ?? (await latestActiveCohortId(db));
  const [cohort] = cohortId ? await lockCohorts(db, [cohortId]) : [];
  if (!cohort) throw notFound('The fellowship cohort was not found.');
  return cohort;
}

async function latestActiveCohortId(db: Db): Promise<string | undefined> {
  const cohort = await db
    .selectFrom('cohorts')
    .select('id')
    .where('programType', '=', program)
    .where('status', '=', 'active')
    .orderBy('startDate', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return cohort?.id;
}

function findMembership(db: Db, participantId: string, cohortId: string) {
  return db
    .selectFrom('cohortParticipants')
    .select('status')
    .where('participantId', '=', participantId)
    .where('cohortId', '=', cohortId)
    .executeTakeFirst();
}

async function putInto(db: Db, person: Person, cohortId: string): Promise<void> {
  await db
    .with('tracked', (query) => query.updateTable('profiles').set({ trackType: program }).where('id', '=', person.id))
    .insertInto('cohortParticipants')
    .values({ participantId: person.id, cohortId, status: 'active' })
    .onConflict((conflict) =>
      conflict.columns(['participantId', 'cohortId']).doUpdateSet({ status: 'active', endedAt: null }),
    )
    .execute();
  const course = (await findProgramCourses(db)).find(({ programType }) => programType === program);
  if (!course) return;
  await db
    .insertInto('userCourses')
    .values({ userId: person.id, courseId: course.id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

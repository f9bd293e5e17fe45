import { sql } from 'kysely';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { calendarOf } from '#server/features/programmes/calendar-queries.ts';

/** People may be brought into cohorts of these statuses (BULK-20, USER-27). */
export const openStatuses = ['active', 'planning'];

/**
 * The order of cohorts among which a person chooses: running ones, coming ones, ended ones, and in each the latest start
 * first. The list of all cohorts has the specified order instead (ADMIN-21).
 */
export const runningFirst = sql`case cohorts.status when 'active' then 0 when 'planning' then 1 else 2 end,
  cohorts.start_date desc, cohorts.id desc`;

/** Returns cohorts that people may be brought into (BULK-20, BULK-21). */
export function findImportableCohorts(db: Db) {
  return db
    .selectFrom('cohorts')
    .select(['id', 'name', 'programType', 'status', 'capacity', 'currentEnrollment'])
    .where('status', 'in', openStatuses)
    .orderBy(runningFirst)
    .execute();
}

/**
 * Returns the cohort that a participant is in now. If several memberships are active, the latest start wins (FELL-08).
 */
export async function findActiveCohort(db: Db, participantId: string) {
  const [cohort] = await activeCohort(db, { participantId });
  return cohort;
}

const activeCohort = builtOnce((db, { participantId }: { participantId: string }) =>
  db
    .selectFrom('cohortParticipants')
    .innerJoin('cohorts', 'cohorts.id', 'cohortParticipants.cohortId')
    .select([
      'cohorts.id',
      'cohorts.name',
      'cohorts.description',
      'cohorts.startDate',
      'cohorts.endDate',
      'cohorts.capacity',
      'cohorts.currentEnrollment',
      'cohorts.status',
      'cohorts.programType',
      'cohorts.curriculumVersion',
      'cohorts.unlockedWeeks',
      calendarOf().as('calendar'),
    ])
    .where('cohortParticipants.participantId', '=', participantId)
    .where('cohortParticipants.status', '=', sql.lit('active'))
    .orderBy('cohorts.startDate', 'desc')
    .orderBy('cohorts.id', 'desc')
    .limit(1),
);

/**
 * Locks cohorts, in one order, until the transaction ends. So nobody else takes a place in them meanwhile. An act that
 * puts people into a cohort locks it first.
 */
export function lockCohorts(db: Db, cohortIds: string[]) {
  return cohortsToEnrolIn(db, cohortIds).forUpdate().execute();
}

/** The query for the same facts without a lock, for what is only said. */
export function cohortsToEnrolIn(db: Db, cohortIds: string[]) {
  return db
    .selectFrom('cohorts')
    .select(['id', 'name', 'programType', 'status', 'capacity', 'currentEnrollment'])
    .where('id', '=', sql<string>`any(${cohortIds}::uuid[])`)
    .orderBy('id');
}

/** Returns the course that stands for each programme. If there are several, it is the oldest that is not archived. */
export function findProgramCourses(db: Db) {
  return db
    .selectFrom('courses')
    .distinctOn('trackType')
    .select(['id', 'trackType as programType'])
    .where('archivedAt', 'is', null)
    .orderBy('trackType')
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

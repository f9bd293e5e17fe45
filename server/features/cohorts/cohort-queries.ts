import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** In which people may be brought into a cohort (BULK-20, USER-27). */
export const openStatuses = ['active', 'planning'];

/** Cohorts that people may be brought into (BULK-20, BULK-21), newest first. */
export function findImportableCohorts(db: Db) {
  return db
    .selectFrom('cohorts')
    .select(['id', 'name', 'programType', 'status', 'capacity', 'currentEnrollment'])
    .where('status', 'in', openStatuses)
    .orderBy('startDate', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** The cohort that a participant is in now; of several active memberships the latest start wins (FELL-08). */
export function findActiveCohort(db: Db, participantId: string) {
  return db
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
    ])
    .where('cohortParticipants.participantId', '=', participantId)
    .where('cohortParticipants.status', '=', 'active')
    .orderBy('cohorts.startDate', 'desc')
    .orderBy('cohorts.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Locks cohorts, in one order, until the transaction ends: nobody else takes a place in them meanwhile. Whoever puts
 * people into a cohort locks it first.
 */
export function lockCohorts(db: Db, cohortIds: string[]) {
  return db
    .selectFrom('cohorts')
    .select(['id', 'name', 'programType', 'status', 'capacity', 'currentEnrollment'])
    .where('id', '=', sql<string>`any(${cohortIds}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** The course that stands for each programme; the oldest that is not archived where there are several. */
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

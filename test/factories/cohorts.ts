import { type Insertable, sql } from 'kysely';
import { addDays } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import type { CohortsTable } from '#server/db/schema.gen.ts';
import { newId } from '#server/platform/ids.ts';

export function buildCohort(db: Db, facts: Partial<Insertable<CohortsTable>> = {}) {
  const startDate = facts.startDate ?? '2025-09-08';
  return db
    .insertInto('cohorts')
    .values({
      name: `Cohort ${newId()}`,
      startDate,
      endDate: addDays(startDate, 16 * 7 - 3),
      programType: 'fellowship',
      status: 'active',
      ...facts,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Makes the person an active member from the cohort's start on. With a coach, also enrolls them in a course under that
 * coach.
 */
export async function enrol(db: Db, facts: { cohortId: string; participantId: string; coachId?: string }) {
  const { cohortId, participantId, coachId } = facts;
  await db
    .insertInto('cohortParticipants')
    .values((eb) => ({
      cohortId,
      participantId,
      enrolledAt: eb
        .selectFrom('cohorts')
        .select(sql<Date>`least(now(), start_date::timestamptz)`.as('at'))
        .where('id', '=', cohortId),
    }))
    .execute();
  if (coachId) await assignCoach(db, { participantId, coachId });
}

export async function assignCoach(db: Db, facts: { participantId: string; coachId: string }) {
  const course = await buildCourse(db);
  await db
    .insertInto('userCourses')
    .values({ userId: facts.participantId, courseId: course.id, coachId: facts.coachId })
    .execute();
  return course;
}

export function buildCourse(db: Db, facts: { title?: string } = {}) {
  return db
    .insertInto('courses')
    .values({ title: 'Grid Fundamentals', trackType: 'fellowship', ...facts })
    .returningAll()
    .executeTakeFirstOrThrow();
}

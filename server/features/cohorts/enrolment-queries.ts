import { sql } from 'kysely';
import type { EnrolmentTarget } from '#contract/enrolments.ts';
import type { Db } from '#server/db/database.ts';
import { openStatuses } from './cohort-queries.ts';

/** USER-27 */
export function findEnrolmentTargets(db: Db): Promise<EnrolmentTarget[]> {
  return db
    .selectFrom('cohorts')
    .select(['id', 'name', 'programType', 'capacity', 'currentEnrollment'])
    .select(sql<EnrolmentTarget['status']>`status`.as('status'))
    .where('status', 'in', openStatuses)
    .orderBy('startDate', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export interface Standing {
  /** Of the membership in the cohort; null without one. */
  membership: string | null;
  /** The oldest course on offer of the cohort's programme. */
  courseId: string | null;
  /** Who coaches the person in that course now. */
  coach: { id: string; firstName: string; lastName: string } | null;
}

/** How a person stands to a cohort that they are to be enrolled in. */
export async function findStanding(db: Db, personId: string, cohortId: string): Promise<Standing> {
  const found = await sql<Standing>`
    with course as (
      select courses.id from courses join cohorts on cohorts.program_type = courses.track_type
      where cohorts.id = ${cohortId} and courses.archived_at is null order by courses.created_at, courses.id limit 1
    )
    select
      (select status from cohort_participants where participant_id = ${personId} and cohort_id = ${cohortId})
        as membership,
      (select id from course) as course_id,
      (select json_build_object('id', coach.id, 'firstName', coach.first_name, 'lastName', coach.last_name)
        from user_courses taken join course on course.id = taken.course_id join profiles coach on coach.id = taken.coach_id
        where taken.user_id = ${personId} and taken.status = 'enrolled') as coach`.execute(db);
  return found.rows[0] ?? { membership: null, courseId: null, coach: null };
}

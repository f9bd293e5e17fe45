import { sql } from 'kysely';
import type { Role } from '#contract/roles.ts';
import type { Db } from '#server/db/database.ts';
import { isToComeFor } from '#server/features/coaching/person-sessions-queries.ts';

export interface EndedEnrolments {
  /** These participants are without this coach from now on. */
  participantIds: string[];
  /** These coaches had the person as a participant. */
  coachIds: string[];
  hasUpcomingSessions: boolean;
}

/**
 * Derives a person's enrolments from their role: only a participant is a member of cohorts and courses, and only a
 * coach has participants. A null role stands for a deleted person. It takes one statement. The caller has already
 * locked the person.
 */
export async function deriveEnrolments(db: Db, personId: string, role: Role | null): Promise<EndedEnrolments> {
  const found = await sql<EndedEnrolments>`
    with left_courses as (
      update user_courses set status = 'withdrawn'
      where user_id = ${personId} and status = 'enrolled' and ${role !== 'participant'}
      returning coach_id
    ), left_cohorts as (
      update cohort_participants set status = 'withdrawn', ended_at = now()
      where participant_id = ${personId} and status = 'active' and ${role !== 'participant'}
    ), left_participants as (
      update user_courses set coach_id = null
      where coach_id = ${personId} and status = 'enrolled' and ${role !== 'coach'}
      returning user_id
    )
    select array(select distinct user_id from left_participants) as participant_ids,
      array(select distinct coach_id from left_courses where coach_id is not null) as coach_ids,
      exists (select from coaching_sessions where ${isToComeFor(personId)}) as has_upcoming_sessions`.execute(db);
  return found.rows[0] ?? { participantIds: [], coachIds: [], hasUpcomingSessions: false };
}

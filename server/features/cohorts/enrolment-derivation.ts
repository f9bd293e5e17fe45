import { sql } from 'kysely';
import type { Role } from '#contract/roles.ts';
import type { Db } from '#server/db/database.ts';
import { isToComeFor } from '#server/features/coaching/person-sessions-queries.ts';

export interface EndedEnrolments {
  /** Participants who are without this coach from now on. */
  participantIds: string[];
  /** Who coached the person. */
  coachIds: string[];
  hasUpcomingSessions: boolean;
}

/**
 * What follows from a person's role for enrolments: only a participant is a member of cohorts and courses, only a coach
 * has participants. Null stands for somebody who was deleted. In one statement; the person is locked already.
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

import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import {
  notingSettledSessions,
  type SettledSession,
  settlingBookedSessions,
} from '#server/features/coaching/coach-replacement-derivation.ts';
import type { Actor } from '#server/platform/actor.ts';
import { type AuditEntry, auditing } from '#server/platform/audit.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { memberChangedQueue } from './cohort-queue.ts';
import type { Cohort, Person } from './enrolment-access.ts';
import type { Standing } from './enrolment-queries.ts';

/** A person who takes a place, with what they had before. */
export interface Taker {
  person: Person;
  standing: Pick<Standing, 'membership'>;
  /** The person has this track type from now on. */
  trackType: string;
  /** The coach in the cohort's course. Null leaves the present one. */
  coachId: string | null;
  /** Set if the person has another coach from now on. */
  coachChange: { coachId: string; earlierCoachId: string | null } | null;
}

/** What becomes of sessions that are booked with a coach who is replaced. */
export type Settling = [...Parameters<typeof settlingBookedSessions>];

/**
 * USER-29, USER-32. Puts people into a cohort and its course. A withdrawn person comes back in the existing row, without
 * their former coach. Any number takes two statements. The caller has locked the people and the cohort.
 */
export async function takePlaces(
  db: Db,
  actor: Actor,
  { cohort, courseId }: { cohort: Cohort; courseId: string | null },
  takers: Taker[],
  [replacement, choice]: Settling = [null, 'keep'],
): Promise<SettledSession[]> {
  if (takers.length === 0) return [];
  const given = takers.map(({ person, trackType, coachId }) => ({ personId: person.id, trackType, coachId }));
  const { rows } = await sql<SettledSession>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as given ("personId" uuid, "trackType" text, "coachId" uuid)
    ), tracked as (
      update profiles set track_type = "trackType" from given
      where id = "personId" and track_type is distinct from "trackType"
    )${courseId === null ? sql`` : sql`, course as (${takingCourse(courseId)})`}, member as (
      insert into cohort_participants (participant_id, cohort_id) select "personId", ${cohort.id} from given
      on conflict (participant_id, cohort_id) do update set status = 'active', ended_at = null
    ), noted as (${auditing(actor.id, takers.map(toEntry(cohort)))}),
    settled as (${settlingBookedSessions(replacement, choice)}),
    noted_sessions as (${notingSettledSessions(actor.id, replacement)})
    select id, is_moved from settled`.execute(db);
  await enqueue(
    db,
    memberChangedQueue,
    given.map(({ personId }) => ({ participantId: personId })),
  );
  return rows;
}

function takingCourse(courseId: string): RawBuilder<unknown> {
  return sql`
    insert into user_courses as taken (user_id, course_id, coach_id) select "personId", ${courseId}, "coachId" from given
    on conflict (user_id, course_id) do update
      set status = 'enrolled',
        coach_id = coalesce(excluded.coach_id, case when taken.status = 'enrolled' then taken.coach_id end)`;
}

const toEntry =
  (cohort: Cohort) =>
  ({ person, standing, trackType, coachChange }: Taker): AuditEntry => ({
    action: 'cohort.enrol',
    subjectType: 'user',
    subjectId: person.id,
    before: {
      trackType: person.trackType,
      membership: standing.membership,
      ...(coachChange?.earlierCoachId ? { coachId: coachChange.earlierCoachId } : {}),
    },
    after: {
      trackType,
      membership: 'active',
      cohortId: cohort.id,
      ...(coachChange ? { coachId: coachChange.coachId } : {}),
    },
  });

import { sql } from 'kysely';
import { dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { paysForWeek } from '#server/features/programmes/calendar-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import {
  decidedRefusal,
  type findVisibleActivity,
  futureRefusal,
  type loadCoachedParticipant,
  standingCohortId,
} from './learning-access.ts';

export type LearningParticipant = Pick<Awaited<ReturnType<typeof loadCoachedParticipant>>, 'id' | 'role' | 'trackType'>;
type Activity = NonNullable<Awaited<ReturnType<typeof findVisibleActivity>>>;

interface Wanted {
  activity: Activity;
  attended: boolean;
  /** The record keeps this. */
  reason: string;
  /** A participant who asked for exactly this reads it. */
  answer: string | null;
  /** The participant reads this in place of the button after the attendance was taken back. */
  takenBackBecause: string;
}

/** The outcome: whether the record changed, and the open request for it, which is answered at the same time. */
export interface Settled {
  hasChanged: boolean;
  answeredId: string | null;
}

/**
 * Makes the record of a participant's attendance what a coach or an admin says, unless a stipend that counts it is
 * decided. Throws `conflict` if nothing can be recorded.
 */
export async function setAttendance(
  db: Db,
  actor: Actor,
  participant: LearningParticipant,
  wanted: Wanted,
): Promise<Settled> {
  const { activity, attended } = wanted;
  const { cohortId, decided } = await lockStanding(db, participant.id, activity);
  if (!cohortId) throw new AppError('conflict', 'This participant has no active cohort, so nothing can be recorded.');
  const refusal = decidedRefusal(decided) ?? (attended ? futureRefusal(activity, dayAt(now(), activity.zone)) : null);
  if (refusal) throw refusal;
  return settle(db, actor, { ...wanted, participantId: participant.id, cohortId });
}

interface Standing {
  cohortId: string | null;
  /** A decided stipend that counts the attendance, or null if there is none. */
  decided: { weekNumber: number; paymentStatus: string } | null;
}

/**
 * Locks the memberships and the stipends that count the attendance. Those are of the activity's own week and, if the
 * activity has moved since, of the week that the record was made for.
 */
export async function lockStanding(db: Db, participantId: string, activity: Activity): Promise<Standing> {
  const { cohortId, weekNumber, recordedCohortId, recordedWeek } = activity;
  const { rows } = await sql<Standing>`
    with membership as (
      select cohort_id, status, ended_at from cohort_participants where participant_id = ${participantId}
      order by cohort_id for no key update
    ), standing as (
      select ${standingCohortId(sql`membership`, activity)} as id
    ), stipend as (
      select week_number, payment_status from stipend_eligibility
      where fellow_id = ${participantId} and (
        (cohort_id = coalesce(${cohortId}::uuid, (select id from standing))
          and ${paysForWeek('stipend_eligibility', sql`${weekNumber}`)})
        or (cohort_id = ${recordedCohortId}::uuid and ${paysForWeek('stipend_eligibility', sql`${recordedWeek}`)}))
      order by id for no key update
    )
    select (select id from standing) as "cohortId",
      (select json_build_object('weekNumber', week_number, 'paymentStatus', payment_status) from stipend
        where payment_status <> 'pending' limit 1) as decided`.execute(db);
  const [standing] = rows;
  if (!standing) throw new Error('A select without a table answered no row.');
  return standing;
}

/** Writes the record, its removal, the open request for it and the entry of the log, in one statement. */
async function settle(
  db: Db,
  actor: Actor,
  {
    activity,
    attended,
    reason,
    answer,
    takenBackBecause,
    participantId,
    cohortId,
  }: Wanted & { participantId: string; cohortId: string },
) {
  const request = sql`
    update attendance_corrections
    set status = 'accepted', answer = ${answer}, answered_by = ${actor.id}, answered_at = ${now()}
    where participant_id = ${participantId} and activity_id = ${activity.id} and status = 'open'
      and attended = ${attended}
    returning id`;
  const change = attended
    ? sql`
      changed as (
        insert into attendance_records (fellow_id, cohort_id, content_id, week_number, content_type, duration_minutes,
          accessed_at, recorded_by, reason)
        values (${participantId}, ${cohortId}, ${activity.id}, ${activity.weekNumber}, 'live_session',
          ${activity.durationMinutes ?? 60}, ${now()}, ${actor.id}, ${reason})
        on conflict (fellow_id, content_id) do nothing
        returning *
      ), removal as (
        delete from attendance_removals where participant_id = ${participantId} and activity_id = ${activity.id}
      )`
    : sql`
      changed as (
        delete from attendance_records where fellow_id = ${participantId} and content_id = ${activity.id} returning *
      ), removal as (
        insert into attendance_removals (participant_id, activity_id, removed_by, removed_at, reason)
        select fellow_id, content_id, ${actor.id}::uuid, ${now()}, ${takenBackBecause} from changed
        on conflict (participant_id, activity_id) do update
        set removed_by = excluded.removed_by, removed_at = excluded.removed_at, reason = excluded.reason
      )`;
  const facts = sql`json_build_object('fellowId', fellow_id, 'cohortId', cohort_id, 'contentId', content_id,
    'weekNumber', week_number, 'accessedAt', accessed_at)`;
  const { rows } = await sql<Settled>`
    with request as (${request}), ${change}, recorded as (
      insert into audit_log (actor_id, action, subject_type, subject_id, before, after, reason)
      select ${actor.id}, ${attended ? 'attendance.record' : 'attendance.remove'}, 'attendance', id,
        ${attended ? null : facts}, ${attended ? facts : null}, ${reason} from changed
    )
    select exists (select from changed) as has_changed, (select id from request) as answered_id`.execute(db);
  const [settled] = rows;
  if (!settled) throw new Error('A select without a table answered no row.');
  return settled;
}

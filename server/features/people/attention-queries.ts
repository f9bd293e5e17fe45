import { sql } from 'kysely';
import { houseZone } from '#contract/house-zone.ts';
import { assignmentsBelowAll, suitsTrack } from '#server/features/curriculum/curriculum-access.ts';

const silentDays = 7;
const missedSessionDays = 28;

const columnsOfTaught = sql`id, cohort_id, programme_id, reaches, session_date`;

/** The cohorts in which the people of `own`, a table of participants, are, with the day from which each is a member. */
export const ownMemberships = sql<{ participantId: string; cohortId: string }>`(
  select own.id as participant_id, calendar.id as cohort_id, calendar.programme_id,
         (membership.enrolled_at at time zone calendar.zone)::date as joined_day
  from own
  join cohort_participants membership on membership.participant_id = own.id and membership.status = 'active'
  join cohort_calendars calendar on calendar.id = membership.cohort_id)`;

/**
 * What these cohorts, of `joined`, are taught. It reads nothing of other cohorts: "offset 0" keeps PostgreSQL from
 * reading all of them to join these few.
 */
export const taughtActivities = sql<object>`(
  with theirs as materialized (select distinct cohort_id, programme_id from joined)
  select taught.* from theirs cross join lateral (
    select ${columnsOfTaught} from training_activities where cohort_id = theirs.cohort_id offset 0) taught
  union all
  select ${columnsOfTaught} from training_activities where cohort_id is null
    and programme_id in (select programme_id from theirs))`;

/** The assignments of these activities, `taught`, that were due before today. Each has the columns of its activity. */
export function dueAssignments(today: string) {
  return sql<object>`(
    select taught.*, below.id as assignment_id, below.due_date as due_on
    from taught join ${assignmentsBelowAll(sql`select id from taught`)} below on below.activity_id = taught.id
    where below.due_date < ${today})`;
}

/** True for work that the person is to hand in again. */
const isToRevise = sql<boolean>`content_submissions.status in ('needs_revision', 'rejected')`;

/**
 * What the person handed in. Like all that follows, it is for a query over `own`, a table of participants with `id` and
 * `track_type`. The questions below ask it as `handed_in`, and what the person attended as `attended`.
 */
export const handedIn = sql<{ submissions: number; graded: number; toRevise: number }>`(
  select count(*) as submissions, count(*) filter (where status <> 'submitted') as graded,
    count(*) filter (where ${isToRevise}) as to_revise, max(submitted_at) as handed_in_at,
    coalesce(array_agg(assignment_id), '{}') as assignment_ids
  from content_submissions where user_id = own.id)`;

export const attended = sql<object>`(
  select coalesce(array_agg(content_id), '{}') as activity_ids,
    max(accessed_at) filter (where recorded_by is null) as completed_at
  from attendance_records where fellow_id = own.id)`;

/** Counts activities that the person did not attend, whose day has passed since the person joined. */
export function missedActivities(today: string) {
  return sql<number>`(
    select count(distinct training_activities.id) from joined
    join taught training_activities on ${isTaughtIn(sql`training_activities.session_date`)}
    where joined.participant_id = own.id and training_activities.session_date < ${today}
      and training_activities.id <> all(attended.activity_ids))`;
}

/** Counts assignments that the person never handed in, whose day has passed since the person joined. */
export const overdueAssignments = sql<number>`(
  select count(distinct training_activities.assignment_id) from joined
  join due training_activities on ${isTaughtIn(sql`training_activities.due_on`)}
  where joined.participant_id = own.id and training_activities.assignment_id <> all(handed_in.assignment_ids))`;

/** Counts this coach's sessions of the last four weeks. */
export function missedSessions(coach: { id: string | null }, at: Date) {
  return sql<number>`(
    select count(*) from coaching_sessions
    where coaching_sessions.coach_id = ${coach.id} and coaching_sessions.participant_id = own.id
      and coaching_sessions.status = 'no_show'
      and scheduled_at >= ${at}::timestamptz - make_interval(days => ${sql.lit(missedSessionDays)}))`;
}

/** True if the person handed in, completed, wrote or booked nothing for a week, and has not just begun. */
export function isSilent(at: Date) {
  return sql<boolean>`coalesce(greatest(
      own.start_date::timestamp at time zone ${houseZone},
      handed_in.handed_in_at,
      attended.completed_at,
      (select max(sent_at) from coach_messages where coach_messages.sender_id = own.id),
      (select max(created_at) from coaching_sessions where coaching_sessions.participant_id = own.id)
    ) < ${at}::timestamptz - make_interval(days => ${sql.lit(silentDays)}), false)`;
}

/** True for an activity of this cohort and of the person's track, on a day on which the person was a member. */
function isTaughtIn(day: ReturnType<typeof sql>) {
  return sql`(training_activities.cohort_id = joined.cohort_id
      or training_activities.cohort_id is null and training_activities.programme_id = joined.programme_id)
    and ${day} >= joined.joined_day and ${suitsTrack(sql.ref('own.trackType'))}`;
}

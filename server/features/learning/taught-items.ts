import { type RawBuilder, sql } from 'kysely';
import { suitsTrack } from '#server/features/curriculum/curriculum-access.ts';
import { presentInstant } from '#server/platform/clock.ts';

/** A condition on `membership` for these participants in one cohort. */
export function membershipsOf(participantIds: string[], cohortId: string): RawBuilder<unknown> {
  return sql`membership.participant_id = any(${participantIds}::uuid[]) and membership.cohort_id = ${cohortId}`;
}

/**
 * The beginning of a statement over members. `members` are the memberships that the condition means. `items` are the
 * required activities and required assignments that each is taught, with the module's title and a `done_at` once
 * attended or accepted. `modules` are those of the member's curriculum and chosen track.
 */
export function membersWithItems(memberships: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    members as (
      select membership.participant_id, membership.cohort_id, cohorts.programme_id, cohorts.curriculum_version, cohorts.start_date,
             cohorts.end_date, profiles.track_type, selection.specialization_track_id
      from cohort_participants membership
      join cohorts on cohorts.id = membership.cohort_id
      join profiles on profiles.id = membership.participant_id
      left join track_selections selection
        on selection.participant_id = membership.participant_id and selection.cohort_id = membership.cohort_id
      where ${memberships}
    ), taught as (
      select members.participant_id, members.cohort_id, training_activities.id as activity_id,
             training_activities.module_name, training_activities.is_required
      from members
      join training_activities on training_activities.cohort_id = members.cohort_id
      where ${suitsTrack(sql.ref('members.trackType'))}
      union all
      select members.participant_id, members.cohort_id, training_activities.id,
             training_activities.module_name, training_activities.is_required
      from members
      join training_activities on training_activities.cohort_id is null
        and training_activities.programme_id = members.programme_id
      where ${suitsTrack(sql.ref('members.trackType'))}
    ), items as (
      select taught.participant_id, taught.cohort_id, taught.module_name,
             attendance.accessed_at as done_at, attendance.accessed_at as acted_at
      from taught
      left join attendance_records attendance
        on attendance.fellow_id = taught.participant_id and attendance.content_id = taught.activity_id
      where taught.is_required
      union all
      select taught.participant_id, taught.cohort_id, taught.module_name,
             case when submission.status in ('accepted', 'approved', 'reviewed', 'graded') then submission.reviewed_at end,
             submission.submitted_at
      from taught
      join content_items on content_items.training_activity_id = taught.activity_id
      join content_assignments assignment on assignment.content_item_id = content_items.id
      left join content_submissions submission
        on submission.assignment_id = assignment.id and submission.user_id = taught.participant_id
      where assignment.is_required and assignment.archived_at is null
    ), modules as (
      select members.participant_id, members.cohort_id, module.id as module_id, module.title, module.module_type,
             module.order_index
      from members
      join course_modules module on module.curriculum_version = members.curriculum_version
        and module.archived_at is null
        and (module.module_type = 'core' or module.specialization_track_id = members.specialization_track_id)
    )`;
}

/**
 * The days of `cohort` that a percentage stands for, minus the days that have passed today. Negative means behind the
 * calendar.
 */
export function daysAheadOf(cohort: string, percentage: RawBuilder<unknown>): RawBuilder<number> {
  const start = sql.ref(`${cohort}.startDate`);
  const days = sql`(${sql.ref(`${cohort}.endDate`)} - ${start} + 1)`;
  const today = sql`(select (${presentInstant}::timestamptz at time zone zone)::date from programmes
    where programmes.id = ${sql.ref(`${cohort}.programmeId`)})`;
  const passed = sql`greatest(0, least(${today} - ${start}, ${days}))`;
  return sql<number>`(round(${days} * ${percentage} / 100) - ${passed})::integer`;
}

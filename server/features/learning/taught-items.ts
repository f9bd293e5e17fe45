import { type RawBuilder, sql } from 'kysely';
import { suitsTrack } from '#server/features/curriculum/curriculum-access.ts';
import { todayIn } from '#server/features/programmes/calendar-queries.ts';

/** A condition on `membership` for these participants in one cohort. */
export function membershipsOf(participantIds: string[], cohortId: string): RawBuilder<unknown> {
  return sql`membership.participant_id = any(${participantIds}::uuid[]) and membership.cohort_id = ${cohortId}`;
}

/**
 * The beginning of a statement over members. `members` are the memberships that the condition means. `items` are the
 * required activities and required assignments that each is taught, with the module's title and a `done_at` once
 * attended or accepted. `modules` are those of the member's curriculum and chosen track.
 * What a cohort is taught is read once, and what a member did in one look at an index. Grouping puts the two together.
 * PostgreSQL expects a few rows here, and would join them by looking up each item of each member.
 */
export function membersWithItems(memberships: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    members as (
      select membership.participant_id, membership.cohort_id, cohorts.programme_id, cohorts.curriculum_version, cohorts.start_date,
             cohorts.end_date, programmes.zone, profiles.track_type, selection.specialization_track_id
      from cohort_participants membership
      join cohorts on cohorts.id = membership.cohort_id
      join programmes on programmes.id = cohorts.programme_id
      join profiles on profiles.id = membership.participant_id
      left join track_selections selection
        on selection.participant_id = membership.participant_id and selection.cohort_id = membership.cohort_id
      where ${memberships}
    ), activities as materialized (
      select ${columnsOfActivity} from training_activities
      where cohort_id = any(array(select distinct cohort_id from members))
      union all
      select ${columnsOfActivity} from training_activities
      where cohort_id is null and programme_id = any(array(select distinct programme_id from members))
    ), contents as materialized (
      select id, training_activity_id from content_items
      where training_activity_id = any(array(select id from activities))
    ), required as materialized (
      select * from activities where is_required
      union all
      select assignment.id, activities.cohort_id, activities.programme_id, activities.module_name, activities.reaches,
             assignment.is_required
      from content_assignments assignment
      join contents on contents.id = assignment.content_item_id
      join activities on activities.id = contents.training_activity_id
      where assignment.content_item_id = any(array(select id from contents))
        and assignment.is_required and assignment.archived_at is null
    ), asked_or_done as (
      ${askedOf(sql<boolean>`required.cohort_id = members.cohort_id`)}
      union all
      ${askedOf(sql<boolean>`required.cohort_id is null and required.programme_id = members.programme_id`)}
      union all
      select members.participant_id, members.cohort_id, attendance.content_id, null, false, attendance.accessed_at,
             attendance.accessed_at
      from members join attendance_records attendance on attendance.fellow_id = members.participant_id
      union all
      select members.participant_id, members.cohort_id, submission.assignment_id, null, false,
             case when submission.status in ('accepted', 'approved', 'reviewed', 'graded') then submission.reviewed_at end,
             submission.submitted_at
      from members join content_submissions submission on submission.user_id = members.participant_id
    ), items as (
      select participant_id, cohort_id, max(module_name) as module_name, max(done_at) as done_at, max(acted_at) as acted_at
      from asked_or_done group by participant_id, cohort_id, id having bool_or(is_asked)
    ), modules as (
      select members.participant_id, members.cohort_id, module.id as module_id, module.title, module.module_type,
             module.order_index
      from members
      join course_modules module on module.curriculum_version = members.curriculum_version
        and module.archived_at is null
        and (module.module_type = 'core' or module.specialization_track_id = members.specialization_track_id)
    )`;
}

const columnsOfActivity = sql`id, cohort_id, programme_id, module_name, reaches, is_required`;

function askedOf(isTaught: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`
      select members.participant_id, members.cohort_id, required.id, required.module_name, true as is_asked,
             null::timestamptz as done_at, null::timestamptz as acted_at
      from members join required on ${isTaught} and ${suitsTrack(sql.ref('members.trackType'), 'required')}`;
}

/**
 * The days of `cohort` that a percentage stands for, minus the days that have passed today in the zone of its programme.
 * Negative means behind the calendar.
 */
export function daysAheadOf(
  cohort: string,
  zone: RawBuilder<string>,
  percentage: RawBuilder<unknown>,
): RawBuilder<number> {
  const start = sql.ref(`${cohort}.startDate`);
  const days = sql`(${sql.ref(`${cohort}.endDate`)} - ${start} + 1)`;
  const passed = sql`greatest(0, least(${todayIn(zone)} - ${start}, ${days}))`;
  return sql<number>`(round(${days} * ${percentage} / 100) - ${passed})::integer`;
}

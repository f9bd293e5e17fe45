import { sql } from 'kysely';
import { easternDay, programmeZone } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { suitsTrack } from '#server/features/curriculum/curriculum-access.ts';
import { now } from '#server/platform/clock.ts';

/**
 * Derives completed modules and progress of these participants from what they attended and had accepted; without a
 * cohort, in all their active ones.
 *
 * A module is complete when all required activities and required assignments under its name are; one without any is
 * not. The percentage is that of all required activities and assignments taught to the participant; a module set as
 * complete by hand counts with everything in it. Days ahead or behind compare it with the share of the cohort's days
 * that has passed.
 */
export async function recomputeProgress(db: Db, participantIds: string[], cohortId: string | null): Promise<void> {
  if (participantIds.length === 0) return;
  await lockMemberships(db, participantIds);
  await sql`
    with members as (
      select membership.participant_id, membership.cohort_id, cohorts.curriculum_version, cohorts.start_date,
             cohorts.end_date, profiles.track_type, selection.specialization_track_id
      from cohort_participants membership
      join cohorts on cohorts.id = membership.cohort_id
      join profiles on profiles.id = membership.participant_id
      left join track_selections selection
        on selection.participant_id = membership.participant_id and selection.cohort_id = membership.cohort_id
      where membership.participant_id = any(${participantIds}::uuid[])
        and case when ${cohortId}::uuid is null then membership.status = 'active'
                 else membership.cohort_id = ${cohortId}::uuid end
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
      select members.participant_id, members.cohort_id, module.id as module_id, module.title, module.module_type
      from members
      join course_modules module on module.curriculum_version = members.curriculum_version
        and (module.module_type = 'core' or module.specialization_track_id = members.specialization_track_id)
    ), derived as (
      select modules.participant_id, modules.cohort_id, modules.module_id, max(items.done_at) as completed_at
      from modules
      join items on items.participant_id = modules.participant_id and items.cohort_id = modules.cohort_id
        and items.module_name = modules.title
      group by modules.participant_id, modules.cohort_id, modules.module_id
      having bool_and(items.done_at is not null)
    ), set_by_hand as (
      select modules.participant_id, modules.cohort_id, modules.module_id, modules.title
      from modules
      join participant_module_completions completion using (participant_id, cohort_id, module_id)
      where completion.set_by is not null
    ), removed as (
      delete from participant_module_completions completion using members
      where completion.participant_id = members.participant_id and completion.cohort_id = members.cohort_id
        and completion.set_by is null
        and not exists (select from derived where derived.participant_id = completion.participant_id
          and derived.cohort_id = completion.cohort_id and derived.module_id = completion.module_id)
    ), added as (
      insert into participant_module_completions (participant_id, cohort_id, module_id, completed_at)
      select participant_id, cohort_id, module_id, completed_at from derived
      on conflict do nothing
    ), module_counts as (
      select modules.participant_id, modules.cohort_id, count(*)::integer as total,
             count(complete.module_id)::integer as completed,
             (count(complete.module_id) filter (where modules.module_type = 'core'))::integer as core
      from modules
      left join (
        select participant_id, cohort_id, module_id from derived
        union
        select participant_id, cohort_id, module_id from set_by_hand
      ) complete using (participant_id, cohort_id, module_id)
      group by modules.participant_id, modules.cohort_id
    ), item_counts as (
      select items.participant_id, items.cohort_id, max(items.acted_at) as last_acted_at,
             100.0 * count(*) filter (where items.done_at is not null or by_hand.title is not null) / count(*)
               as percentage
      from items
      left join (select distinct participant_id, cohort_id, title from set_by_hand) by_hand
        on by_hand.participant_id = items.participant_id and by_hand.cohort_id = items.cohort_id
        and by_hand.title = items.module_name
      group by items.participant_id, items.cohort_id
    ), figures as (
      select members.participant_id, members.cohort_id,
             coalesce(module_counts.total, 0) as total, coalesce(module_counts.completed, 0) as completed,
             coalesce(module_counts.core, 0) as core,
             round(coalesce(item_counts.percentage, 0), 2) as percentage, item_counts.last_acted_at,
             members.end_date - members.start_date + 1 as days,
             greatest(0, least(${easternDay(now())}::date - members.start_date,
               members.end_date - members.start_date + 1)) as days_passed
      from members
      left join module_counts using (participant_id, cohort_id)
      left join item_counts using (participant_id, cohort_id)
    )
    insert into participant_progress
      (participant_id, cohort_id, total_modules, completed_modules, core_modules_completed,
       specialization_modules_completed, overall_completion_percentage, days_ahead_behind, status, last_activity_date)
    select participant_id, cohort_id, total, completed, core, completed - core, percentage,
           (round(days * percentage / 100) - days_passed)::integer,
           case when percentage < 10 then 'at_risk' when percentage < 25 then 'behind'
                when percentage > 75 then 'ahead' else 'on_track' end,
           (last_acted_at at time zone ${programmeZone})::date
    from figures
    on conflict (participant_id, cohort_id) do update set
      total_modules = excluded.total_modules,
      completed_modules = excluded.completed_modules,
      core_modules_completed = excluded.core_modules_completed,
      specialization_modules_completed = excluded.specialization_modules_completed,
      overall_completion_percentage = excluded.overall_completion_percentage,
      days_ahead_behind = excluded.days_ahead_behind,
      status = excluded.status,
      last_activity_date = excluded.last_activity_date`.execute(db);
}

/** Of two events of one person at once, the later one derives with the earlier one committed: none is lost. */
async function lockMemberships(db: Db, participantIds: string[]): Promise<void> {
  await sql`
    select from cohort_participants where participant_id = any(${participantIds}::uuid[])
    order by participant_id, cohort_id for no key update`.execute(db);
}

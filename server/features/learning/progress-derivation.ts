import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { daysAheadOf, membershipsOf, membersWithItems } from './taught-items.ts';

/**
 * Derives completed modules and progress of these participants of a cohort from what they attended and had accepted.
 * A module is complete when all required activities and required assignments under its name are. A module without any
 * is not complete. The percentage counts all required activities and assignments taught to the participant. A module
 * set as complete by hand counts with everything in it. Days ahead or behind compare the percentage with the share of
 * the cohort's days that has passed.
 */
export async function recomputeProgress(db: Db, participantIds: string[], cohortId: string): Promise<void> {
  if (participantIds.length === 0) return;
  await lockMemberships(db, participantIds);
  await deriveProgress(db, participantIds, cohortId);
}

/**
 * Serves people whose facts have changed and whose memberships are locked. It covers their active cohorts and the given
 * ones, where the facts changed.
 */
export async function followProgress(db: Db, participantIds: string[], cohortIds: string[]): Promise<void> {
  await derive(
    db,
    sql`membership.participant_id = any(${participantIds}::uuid[])
      and (membership.status = 'active' or membership.cohort_id = any(${cohortIds}::uuid[]))`,
  );
}

/** Does the same for a caller that has locked the memberships already. */
export async function deriveProgress(db: Db, participantIds: string[], cohortId: string): Promise<void> {
  await derive(db, membershipsOf(participantIds, cohortId));
}

async function derive(db: Db, memberships: RawBuilder<unknown>): Promise<void> {
  await sql`
    with ${membersWithItems(memberships)}, derived as (
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
        and not exists (select from course_modules module
          where module.id = completion.module_id and module.archived_at is not null)
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
             members.start_date, members.end_date, members.zone
      from members
      left join module_counts using (participant_id, cohort_id)
      left join item_counts using (participant_id, cohort_id)
    )
    insert into participant_progress
      (participant_id, cohort_id, total_modules, completed_modules, core_modules_completed,
       specialization_modules_completed, overall_completion_percentage, days_ahead_behind, status, last_activity_date)
    select participant_id, cohort_id, total, completed, core, completed - core, percentage,
           ${daysAheadOf('figures', sql`figures.zone`, sql`figures.percentage`)},
           case when percentage < 10 then 'at_risk' when percentage < 25 then 'behind'
                when percentage > 75 then 'ahead' else 'on_track' end,
           (last_acted_at at time zone zone)::date
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

/** If one person has two events at once, the later one derives after the earlier one has committed, so none is lost. */
export async function lockMemberships(db: Db, participantIds: string[]): Promise<void> {
  await heldMemberships(sql`unnest(${participantIds}::uuid[]) as one (person_id)`).execute(db);
}

/** Does the same as a part of a statement, for the `person_id` of these rows. */
export function heldMemberships(people: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select from cohort_participants where participant_id = any(array(select person_id from ${people}))
    order by participant_id, cohort_id for no key update`;
}

import { sql } from 'kysely';
import type { CohortCompletion } from '#contract/programme-figures.ts';
import { addDays, dayAt, daysBetween } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { loadProgressCohort, visibleMembers } from './fellowship-access.ts';
import { membersWithItems } from './taught-items.ts';

/** A longer cohort's weeks would not be seen apart. */
const mostWeeks = 60;

/**
 * Finds how far the members were by the end of each week, beside the share of the cohort's days that had passed. It goes
 * by when each required activity and assignment was done, for all members at once, as progress itself is derived.
 */
export async function findCohortCompletion(db: Db, actor: Actor, cohortId: string): Promise<CohortCompletion> {
  const { startDate, endDate, zone } = await loadProgressCohort(db, actor, cohortId);
  const members = visibleMembers(db, actor).where('membership.cohortId', '=', cohortId).select('profiles.id');
  const { rows } = await sql<{ weekNumber: number; share: number; members: number }>`
    with ${membersWithItems(sql`membership.cohort_id = ${cohortId} and membership.participant_id in ${members}`)},
    by_hand as (
      select modules.participant_id, modules.title, min(completion.completed_at) as done_at
      from modules join participant_module_completions completion using (participant_id, cohort_id, module_id)
      where completion.set_by is not null
      group by modules.participant_id, modules.title
    ), done as (
      select case when coalesce(items.done_at, by_hand.done_at) is not null then
          greatest(0, (coalesce(items.done_at, by_hand.done_at) at time zone ${zone})::date
            - ${startDate}::date) / 7 + 1 end as week_number,
        1.0 / count(*) over (partition by items.participant_id) as share
      from items
      left join by_hand on by_hand.participant_id = items.participant_id and by_hand.title = items.module_name
    )
    select coalesce(done.week_number, 0) as week_number, coalesce(sum(done.share), 0)::float8 as share,
      (select count(*)::integer from members) as members
    from (select) always left join done on done.week_number is not null
    group by 1 order by 1`.execute(db);
  const memberCount = rows[0]?.members ?? 0;
  const days = daysBetween(startDate, endDate) + 1;
  const passed = daysBetween(startDate, dayAt(now(), zone));
  const weeks = Math.min(mostWeeks, Math.ceil(days / 7));
  return {
    members: memberCount,
    weeks: Array.from({ length: weeks }, (_, index) => {
      const weekNumber = index + 1;
      const done = rows.filter((row) => row.weekNumber <= weekNumber).reduce((sum, { share }) => sum + share, 0);
      return {
        weekNumber,
        lastDay: addDays(startDate, 7 * index + 4),
        plannedPercentage: Math.min(100, (700 * weekNumber) / days),
        completedPercentage: memberCount === 0 || passed < 7 * index ? null : (100 * done) / memberCount,
      };
    }),
  };
}

import { type RawBuilder, sql } from 'kysely';
import { isAtRisk, type WeekFacts } from '#contract/stipend-rules.ts';
import { easternDay, programmeWeeks } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { now } from '#server/platform/clock.ts';
import { ruleSetInForce } from './rule-sets.ts';
import { judgedColumns, weekFacts } from './week-facts-queries.ts';

interface Found extends WeekFacts {
  fellowId: string;
  activitiesLost: number;
  assignmentsLost: number;
}

/**
 * Finds the people whose pay of the running week would fall short even if the rest of it went well. It names nobody who
 * is paid nothing. A week that is worked out is taken as it was judged. Only of other weeks the facts are read. An item
 * is lost if it counts, is over or late by today and was missed. `people` selects `id`.
 */
export async function findPeopleAtRisk(db: Db, people: RawBuilder<unknown>): Promise<string[]> {
  const today = easternDay(now());
  const found = await sql<Found>`
    with people as (${people}), running as materialized (
      select distinct on (people.id) people.id as person_id, cohorts.id as cohort_id,
        least(${programmeWeeks}::integer, greatest(1, ceil((${today}::date - cohorts.start_date + 1) / 7.0)))::integer
          as week_number
      from people
      join cohort_participants membership on membership.participant_id = people.id and membership.status = 'active'
      join cohorts on cohorts.id = membership.cohort_id and cohorts.status = 'active'
      where ${today}::date between cohorts.start_date and cohorts.end_date
      order by people.id, cohorts.start_date desc, cohorts.id desc
    ), judged as materialized (
      select stored.fellow_id, stored.is_member, stored.evidence, stored.activities_total, stored.activities_accessed,
        stored.assignments_total, stored.assignments_submitted, stored.performance_rating as rating,
        ${countIn(sql`stored.evidence`, '$.assignments[*] ? (@.counts == true && @.status == null)')}
          as assignments_untouched
      from running
      join stipend_eligibility stored on stored.fellow_id = running.person_id and stored.cohort_id = running.cohort_id
        and stored.week_number = running.week_number and stored.evidence is not null
    ), ${weekFacts(sql`
      select person_id, cohort_id, week_number from running where person_id not in (select fellow_id from judged)`)}
    select fellow_id, ${judgedColumns},
      ${countIn(sql`evidence`, '$.activities[*] ? (@.counts == true && @.accessedAt == null && @.day < $today)', today)}
        as activities_lost,
      ${countIn(sql`evidence`, '$.assignments[*] ? (@.counts == true && @.status == null && @.dueDate < $today)', today)}
        as assignments_lost
    from (
      select fellow_id, is_member, evidence, ${judgedColumns} from judged
      union all
      select fellow_id, is_member, evidence, ${judgedColumns} from counted
    ) week where is_member`.execute(db);
  const rules = ruleSetInForce();
  return found.rows
    .filter((facts) => isAtRisk(facts, { activities: facts.activitiesLost, assignments: facts.assignmentsLost }, rules))
    .map(({ fellowId }) => fellowId);
}

/** Counts what a path finds in the evidence of a week. */
function countIn(evidence: RawBuilder<unknown>, path: string, today = ''): RawBuilder<number> {
  return sql<number>`jsonb_array_length(jsonb_path_query_array(${evidence}, ${sql.lit(path)},
    jsonb_build_object('today', ${today}::text)))`;
}

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
 * is paid nothing. `people` selects `id`.
 */
export async function findPeopleAtRisk(db: Db, people: RawBuilder<unknown>): Promise<string[]> {
  const today = easternDay(now());
  const found = await sql<Found>`
    with people as (${people}), ${weekFacts(sql`
      select distinct on (people.id) people.id as person_id, cohorts.id as cohort_id,
        least(${programmeWeeks}::integer, greatest(1, ceil((${today}::date - cohorts.start_date + 1) / 7.0)))::integer
          as week_number
      from people
      join cohort_participants membership on membership.participant_id = people.id and membership.status = 'active'
      join cohorts on cohorts.id = membership.cohort_id and cohorts.status = 'active'
      where ${today}::date between cohorts.start_date and cohorts.end_date
      order by people.id, cohorts.start_date desc, cohorts.id desc`)}
    select fellow_id, ${judgedColumns}, activities_lost, assignments_lost from counted where is_member`.execute(db);
  const rules = ruleSetInForce();
  return found.rows
    .filter((facts) => isAtRisk(facts, { activities: facts.activitiesLost, assignments: facts.assignmentsLost }, rules))
    .map(({ fellowId }) => fellowId);
}

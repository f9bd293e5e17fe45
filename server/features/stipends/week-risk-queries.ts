import { type RawBuilder, sql } from 'kysely';
import type { LostSoFar, WeekFacts } from '#contract/stipend-facts.ts';
import { easternDay, programmeWeeks } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { now } from '#server/platform/clock.ts';
import { isOutOfReach, lostSoFar } from './stipend-evidence.ts';
import { judgedColumns, storedColumns, weekFacts } from './week-facts-queries.ts';

interface Found extends WeekFacts {
  fellowId: string;
  lost: LostSoFar | null;
}

/**
 * Finds the people whose pay of the running week would fall short even if the rest of it went well. It names nobody who
 * is paid nothing. A week that is worked out is taken as it was judged. Only of other weeks the facts are read. `people`
 * selects `id`.
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
      select stored.fellow_id, stored.is_member, stored.evidence, ${storedColumns}
      from running
      join stipend_eligibility stored on stored.fellow_id = running.person_id and stored.cohort_id = running.cohort_id
        and stored.week_number = running.week_number and stored.evidence is not null
    ), ${weekFacts(sql`
      select person_id, cohort_id, week_number from running where person_id not in (select fellow_id from judged)`)}
    select fellow_id, ${judgedColumns}, ${lostSoFar(sql`evidence`)} as lost
    from (
      select fellow_id, is_member, evidence, ${judgedColumns} from judged
      union all
      select fellow_id, is_member, evidence, ${judgedColumns} from counted
    ) week where is_member`.execute(db);
  return found.rows.filter((facts) => isOutOfReach(facts, facts.lost)).map(({ fellowId }) => fellowId);
}

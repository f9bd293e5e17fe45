import { type RawBuilder, sql } from 'kysely';
import type { LostSoFar, WeekFacts } from '#contract/stipend-facts.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { todayIn } from '#server/features/programmes/calendar-queries.ts';
import { loadRuleSets } from './rule-sets.ts';
import { isOutOfReach, lostSoFar } from './stipend-evidence.ts';
import { judgedColumns, periodFirstDay, rulesOn, storedColumns, weekFacts } from './week-facts-queries.ts';

interface Found extends WeekFacts {
  fellowId: string;
  lost: LostSoFar | null;
  ruleSetId: string;
}

/**
 * Finds the people whose pay of the running week would fall short even if the rest of it went well. It names nobody who
 * is paid nothing. A week that is worked out is taken as it was judged. Only of other weeks the facts are read. `people`
 * selects `id`. "offset 0" keeps PostgreSQL from reading the members of all cohorts to find the few of these people.
 */
export async function findPeopleAtRisk(db: Db, people: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await runningWeeksOf(people).execute(db);
  return fallingShort(db, rows);
}

/** The same about one person. */
export async function isAtRisk(db: Db, personId: string): Promise<boolean> {
  const atRisk = await fallingShort(db, await runningWeekOf(db, { personId }));
  return atRisk.length > 0;
}

const runningWeekOf = builtOnce((_, { personId }: { personId: string }) =>
  runningWeeksOf(sql`select ${personId}::uuid as id`),
);

function runningWeeksOf(people: RawBuilder<unknown>): RawBuilder<Found> {
  const today = todayIn(sql`calendar.zone`);
  return sql<Found>`
    with people as (${people}), running as materialized (
      select distinct on (people.id) people.id as person_id, calendar.id as cohort_id,
        period_on(calendar.start_date, calendar.pay_period, calendar.weeks, ${today}) as week_number, ${today} as today
      from people
      cross join lateral (
        select cohort_id from cohort_participants where participant_id = people.id and status = 'active' offset 0) membership
      join cohort_calendars calendar on calendar.id = membership.cohort_id and calendar.status = 'active'
      where ${today} between calendar.start_date and calendar.end_date
      order by people.id, calendar.start_date desc, calendar.id desc
    ), judged as materialized (
      select stored.fellow_id, stored.cohort_id, stored.is_member, ${storedColumns},
        ${lostSoFar(sql`stored.evidence`, sql`running.today`)} as lost
      from running
      join stipend_eligibility stored on stored.fellow_id = running.person_id and stored.cohort_id = running.cohort_id
        and stored.week_number = running.week_number and stored.evidence is not null
    ), ${weekFacts(
      sql`
      select person_id, cohort_id, week_number from running where person_id not in (select fellow_id from judged)`,
      { today: todayIn(sql`members.zone`) },
    )},
    theirs as materialized (
      select fellow_id, cohort_id, lost, ${judgedColumns} from judged where is_member
      union all
      select fellow_id, cohort_id, lost, ${judgedColumns} from counted where is_member)
    select fellow_id, ${judgedColumns}, lost, rules.id as rule_set_id
    from theirs
    join running on running.person_id = theirs.fellow_id
    join cohort_calendars calendar on calendar.id = theirs.cohort_id
    cross join lateral ${rulesOn(sql`calendar.programme_id`, periodFirstDay(sql`running.week_number`))} rules`;
}

async function fallingShort(db: Db, weeks: Found[]): Promise<string[]> {
  const ruleSets = await loadRuleSets(db, new Set(weeks.map(({ ruleSetId }) => ruleSetId)));
  return weeks
    .filter((facts) => isOutOfReach(facts, facts.lost, ruleSets(facts.ruleSetId)))
    .map(({ fellowId }) => fellowId);
}

import { type RawBuilder, sql } from 'kysely';
import type { LostSoFar, WeekFacts } from '#contract/stipend-facts.ts';
import { type BuiltFrom, builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { todayIn } from '#server/features/programmes/calendar-queries.ts';
import { presentInstant } from '#server/platform/clock.ts';
import { loadRuleSets } from './rule-sets.ts';
import { isOutOfReach, lostSoFarOf } from './stipend-evidence.ts';
import { judgedColumns, periodFirstDay, rulesOn, storedColumns, weekFacts } from './week-facts-queries.ts';

interface Found extends WeekFacts {
  fellowId: string;
  isMember: boolean;
  lost: LostSoFar | null;
  ruleSetId: string;
  stipendId: string | null;
  stipendVersion: number | null;
}

export interface JudgedWeek {
  personId: string;
  isAtRisk: boolean;
  /** The row that the week was taken from, if it is worked out. */
  stipendId: string | null;
  stipendVersion: number | null;
}

/**
 * Finds the people whose pay of the running week would fall short even if the rest of it went well. `people` selects `id`
 * for the values that are given. Their outlooks are read, and whoever has none is judged now.
 */
export function peopleAtRisk<Given extends BuiltFrom<Given>>(
  people: (db: Db, given: Given) => RawBuilder<unknown>,
): (db: Db, given: Given) => Promise<string[]> {
  const outlooks = builtOnce((db: Db, given: Given) => outlooksOf(people(db, given)));
  return async (db, given) => {
    const [found] = await outlooks(db, given);
    if (!found) throw new Error('A select of aggregates answered no row.');
    return [...found.atRisk, ...(await judgeAtRisk(db, found.unknown))];
  };
}

const oneAtRisk = peopleAtRisk((_, { personId }: { personId: string }) => sql`select ${personId}::uuid as id`);

/** The same about one person. */
export async function isAtRisk(db: Db, personId: string): Promise<boolean> {
  const atRisk = await oneAtRisk(db, { personId });
  return atRisk.length > 0;
}

function outlooksOf(people: RawBuilder<unknown>): RawBuilder<{ atRisk: string[]; unknown: string[] }> {
  return sql`
    with people as (${people})
    select coalesce(array_agg(people.id) filter (where outlook.is_at_risk), '{}') as at_risk,
      coalesce(array_agg(people.id) filter (where outlook.person_id is null and exists (
        select from cohort_participants where participant_id = people.id and status = 'active' offset 0)), '{}') as unknown
    from people left join stipend_outlooks outlook on outlook.person_id = people.id and ${holdsNow}`;
}

/**
 * True for an outlook that says what is true now. Expects the row of `stipend_outlooks` as `outlook`. "offset 0" keeps
 * PostgreSQL from reading the rows of all weeks at once.
 */
export const holdsNow = sql<boolean>`(
  outlook.holds_from <= ${presentInstant}::timestamptz and outlook.holds_until > ${presentInstant}::timestamptz
  and (outlook.stipend_id is null or exists (
    select from stipend_eligibility taken where taken.id = outlook.stipend_id and taken.version = outlook.stipend_version
    offset 0)))`;

/** Judges these people by the facts of the running week, and returns those at risk. */
export async function judgeAtRisk(db: Db, people: string[]): Promise<string[]> {
  const weeks = await judgeRunningWeeks(db, people);
  return weeks.filter(({ isAtRisk: is }) => is).map(({ personId }) => personId);
}

/**
 * Judges the running week of each of these people who is in one. Nobody who is paid nothing is at risk. A week that is
 * worked out is taken as it was judged. Only of other weeks the facts are read. Which day and week it is, and by which
 * rules, is found once for each cohort. "offset 0" keeps PostgreSQL from reading the members of all cohorts to find the few
 * of these people.
 */
export async function judgeRunningWeeks(db: Db, people: string[]): Promise<JudgedWeek[]> {
  if (people.length === 0) return [];
  const weeks = await runningWeeks(db, { people });
  const ruleSets = await loadRuleSets(db, new Set(weeks.map(({ ruleSetId }) => ruleSetId)));
  return weeks.map(({ fellowId, isMember, stipendId, stipendVersion, ...facts }) => ({
    personId: fellowId,
    isAtRisk: isMember && isOutOfReach(facts, facts.lost, ruleSets(facts.ruleSetId)),
    stipendId,
    stipendVersion,
  }));
}

const runningWeeks = builtOnce((_: Db, { people }: { people: string[] }) =>
  runningWeeksOf(sql`select unnest(${people}::uuid[]) as id`),
);

function runningWeeksOf(people: RawBuilder<unknown>): RawBuilder<Found> {
  const today = todayIn(sql`calendar.zone`);
  return sql<Found>`
    with people as (${people}), places as materialized (
      select people.id as person_id, membership.cohort_id
      from people
      cross join lateral (
        select cohort_id from cohort_participants where participant_id = people.id and status = 'active' offset 0) membership
    ), present as materialized (
      select calendar.id as cohort_id, calendar.start_date, dated.today, numbered.week_number, rules.id as rule_set_id
      from (select distinct cohort_id from places) listed
      join cohort_calendars calendar on calendar.id = listed.cohort_id and calendar.status = 'active'
      cross join lateral (select ${today} as today) dated
      cross join lateral (
        select period_on(calendar.start_date, calendar.pay_period, calendar.weeks, dated.today) as week_number) numbered
      left join lateral ${rulesOn(sql`calendar.programme_id`, periodFirstDay(sql`numbered.week_number`))} rules on true
      where dated.today between calendar.start_date and calendar.end_date
    ), running as materialized (
      select distinct on (places.person_id) places.person_id, present.*
      from places join present on present.cohort_id = places.cohort_id
      order by places.person_id, present.start_date desc, present.cohort_id desc
    ), judged as materialized (
      select stored.fellow_id, stored.id as stipend_id, stored.version as stipend_version, stored.is_member,
        ${storedColumns}, running.rule_set_id,
        ${lostSoFarOf(sql`stored`, sql`running.today`)} as lost
      from running
      join stipend_eligibility stored on stored.fellow_id = running.person_id and stored.cohort_id = running.cohort_id
        and stored.week_number = running.week_number and stored.evidence is not null
      where running.rule_set_id is not null
    ), ${weekFacts(
      sql`
      select person_id, cohort_id, week_number from running where person_id not in (select fellow_id from judged)`,
      { today },
    )}
    select fellow_id, is_member, lost, rule_set_id, stipend_id, stipend_version, ${judgedColumns} from judged
    union all
    select fellow_id, is_member, lost, rule_set_id, null, null, ${judgedColumns} from counted`;
}

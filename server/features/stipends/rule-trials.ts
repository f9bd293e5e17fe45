import { sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { mostTriedPeople, type RuleTrial, type tryRules } from '#contract/programmes.ts';
import type { WeekFacts } from '#contract/stipend-facts.ts';
import { type AmountLine, amountFor, areAllMet, judge, type RuleSet } from '#contract/stipend-rules.ts';
import type { Db } from '#server/db/database.ts';
import { todayIn } from '#server/features/programmes/calendar-queries.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { loadRuleSets } from './rule-sets.ts';
import { membershipNote } from './stipend-evidence.ts';
import { judgedColumns, periodFirstDay, periodsOfCalendar, rulesOn, weekFacts } from './week-facts-queries.ts';

type Trial = ParsedInputOf<typeof tryRules>['body'];

interface Found extends WeekFacts {
  fellowId: string;
  name: string;
  isMember: boolean;
  /** The stipend as it stands. Null if nobody has worked it out. */
  stored: { isEligible: boolean; cents: number } | null;
}

interface Outcome {
  isEligible: boolean;
  cents: number;
  lines: AmountLine[];
  reasons: string[];
}

/**
 * Judges everybody who was a member of the cohort by other rules, on the facts of today, beside what stands or would be
 * judged by the rules in force. Takes three statements and writes nothing.
 */
export async function findTrial(
  db: Db,
  programmeId: string,
  { rules, cohortId, weekNumber }: Trial,
): Promise<RuleTrial> {
  const inForce = await loadRulesOf(db, programmeId, { cohortId, weekNumber });
  const given: RuleSet = { ...rules, version: 1 };
  const people = (await findPeople(db, { rules: given, cohortId, weekNumber })).map((person) => ({
    ...person,
    before: person.stored ?? (inForce ? outcomeOf(person, inForce) : { isEligible: false, cents: 0 }),
    after: outcomeOf(person, given),
  }));
  const changing = people.filter(({ before, after }) => paid(before) !== paid(after));
  return {
    people: people.length,
    before: totalOf(people.map(({ before }) => before)),
    after: totalOf(people.map(({ after }) => after)),
    changing: changing.length,
    rows: changing.slice(0, mostTriedPeople).map(({ fellowId, name, before, after }) => ({
      participantId: fellowId,
      name,
      before: { isEligible: before.isEligible, cents: paid(before) },
      after: { isEligible: after.isEligible, cents: paid(after), lines: after.lines },
      reasons: after.reasons,
    })),
  };
}

function outcomeOf(person: Found, rules: RuleSet): Outcome {
  const criteria = judge(person, rules);
  const isEligible = person.isMember && areAllMet(criteria);
  const decisive = criteria.filter(({ isMet }) => isMet === isEligible);
  const left = membershipNote({ ended: null, countsFrom: null }, person.isMember);
  return {
    isEligible,
    ...amountFor(person, rules),
    reasons: [...(left === null ? [] : [left]), ...decisive.map(({ name, reason }) => `${name}: ${reason}`)],
  };
}

function paid({ isEligible, cents }: Pick<Outcome, 'isEligible' | 'cents'>): number {
  return isEligible ? cents : 0;
}

function totalOf(outcomes: Pick<Outcome, 'isEligible' | 'cents'>[]) {
  return {
    eligible: outcomes.filter(({ isEligible }) => isEligible).length,
    cents: outcomes.reduce((sum, outcome) => sum + paid(outcome), 0),
  };
}

/** The rules in force for the stipend, or null without any. Refuses what is not of the programme, or has not begun. */
async function loadRulesOf(db: Db, programmeId: string, { cohortId, weekNumber }: Omit<Trial, 'rules'>) {
  const { rows } = await sql<{ ruleSetId: string | null; hasBegun: boolean }>`
    select rules.id as rule_set_id, dated.first_day <= ${todayIn(sql`calendar.zone`)} and ${weekNumber}::integer <= ${periodsOfCalendar()} as has_begun
    from cohort_calendars calendar
    cross join lateral (select ${periodFirstDay(sql`${weekNumber}::integer`)} as first_day) dated
    left join lateral ${rulesOn(sql`calendar.programme_id`, sql`dated.first_day`)} rules on true
    where calendar.id = ${cohortId} and calendar.programme_id = ${programmeId}`.execute(db);
  const [found] = rows;
  if (!found) throw notFound('This cohort is not of this program.');
  if (!found.hasBegun) {
    const message = 'Choose a week of the cohort that has begun.';
    throw new AppError('invalid_input', message, { errors: [{ path: 'weekNumber', message }] });
  }
  if (found.ruleSetId === null) return null;
  return (await loadRuleSets(db, new Set([found.ruleSetId])))(found.ruleSetId);
}

async function findPeople(db: Db, { rules, cohortId, weekNumber }: { rules: RuleSet } & Omit<Trial, 'rules'>) {
  const tried = sql`(select null::uuid as id, ${rules.version}::integer as version,
    ${rules.amounts.isProratedByDays}::boolean as pays_shares)`;
  const wanted = sql`
    select participant_id as person_id, cohort_id, ${weekNumber}::integer as week_number
    from cohort_participants where cohort_id = ${cohortId}`;
  const { rows } = await sql<Found>`
    with ${weekFacts(wanted, { judgedBy: () => tried })}
    select person.*, profiles.full_name as name,
      case when stipend.id is not null then jsonb_build_object('cents', stipend.stipend_amount_cents,
        'isEligible', stipend.payment_status in ('approved', 'paid')
          or stipend.payment_status = 'pending' and stipend.overall_eligible) end as stored
    from (select fellow_id, is_member, ${judgedColumns} from counted) person
    join profiles on profiles.id = person.fellow_id
    left join stipend_eligibility stipend on stipend.fellow_id = person.fellow_id
      and stipend.cohort_id = ${cohortId} and stipend.week_number = ${weekNumber}
    where person.is_member or stipend.id is not null
    order by profiles.last_name, profiles.first_name, profiles.id`.execute(db);
  return rows;
}

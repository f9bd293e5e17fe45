import { sql } from 'kysely';
import type { ParticipantDashboard } from '#contract/home.ts';
import { type PaidDays, type ProgrammeCalendar, paidDaysOn, periodDays } from '#contract/pay-periods.ts';
import type { LostSoFar, WeekFacts } from '#contract/stipend-facts.ts';
import { amountFor, areAllMet, Criteria, judge, type RuleSet } from '#contract/stipend-rules.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { loadRuleSets } from './rule-sets.ts';
import { isOutOfReach, lostSoFarOf } from './stipend-evidence.ts';
import { approvedCents } from './stipend-week-queries.ts';
import { judgedColumns, rulesOn, storedColumns, weekFacts } from './week-facts-queries.ts';

type Stipend = NonNullable<ParticipantDashboard['stipend']>;

interface Membership {
  participantId: string;
  cohort: { id: string; startDate: string; calendar: ProgrammeCalendar };
  today: string;
}

interface Found {
  /** Null without rules for these days. */
  ruleSetId: string | null;
  /** Null until the week is processed. */
  weeklyCents: number | null;
  totalEarnedCents: number;
  decidedAt: Date | null;
  /** How the week was judged, if it has a row of a person who is paid for it. */
  criteria: unknown;
  isEligible: boolean | null;
  /** Null if the week is decided, and for a person who is not paid for this week. */
  facts: (WeekFacts & { lost: LostSoFar | null }) | null;
  recentWeeks: Omit<Stipend['recentWeeks'][number], 'firstDay' | 'lastDay' | 'payPeriod'>[];
}

const shownWeeks = 4;

/**
 * Finds what the week is worth and what it still needs, in one statement, as the week was judged. A week that has no row
 * yet is judged here, by the present facts (STIP0-02). Approved and paid weeks count as earned (STIP0-03). Null for a
 * person whom the cohort pays nothing.
 */
export async function findParticipantStipend(
  db: Db,
  { participantId, cohort, today }: Membership,
): Promise<Stipend | null> {
  const cohortId = cohort.id;
  const present = paidDaysOn(cohort.startDate, today, cohort.calendar);
  const number = present.weekNumber;
  const [stipend] = await stipendOf(db, {
    participantId,
    cohortId,
    number,
    lastBegun: today < cohort.startDate ? 0 : number,
    firstDay: present.firstDay,
    today,
  });
  // Stryker disable next-line OptionalChaining: The statement always has one row.
  if (!stipend?.ruleSetId) return null;
  const rules = (await loadRuleSets(db, new Set([stipend.ruleSetId])))(stipend.ruleSetId);
  return toStipend(stipend, { rules, present, cohort });
}

interface WeekOf {
  participantId: string;
  cohortId: string;
  number: number;
  /** The last week that has begun, or 0. */
  lastBegun: number;
  firstDay: string;
  today: string;
}

const stipendOf = builtOnce((_, { participantId, cohortId, number, lastBegun, firstDay, today }: WeekOf) => {
  const presentDay = sql<string>`${today}::date`;
  return sql<Found>`
    with own_weeks as (
      select * from stipend_eligibility where fellow_id = ${participantId}
    ), recent_weeks as (
      select week_number as "weekNumber", payment_status as "paymentStatus", stipend_amount_cents as "amountCents",
             criteria, overall_eligible as "isEligible"
      from own_weeks where cohort_id = ${cohortId}
        and (payment_status <> 'pending' or week_number <= ${lastBegun})
      order by week_number desc limit ${shownWeeks}
    ), stored as (
      select * from own_weeks where cohort_id = ${cohortId} and week_number = ${number}
    ), ${weekFacts(
      sql`
      select ${participantId}::uuid as person_id, ${cohortId}::uuid as cohort_id, ${number}::integer as week_number
      where not exists (select from stored)`,
      { today: presentDay },
    )}
    select case when stored.payment_status <> 'pending' then stored.approved_at end as decided_at,
      case when stored.is_member or stored.payment_status <> 'pending' then stored.criteria end as criteria,
      stored.overall_eligible as is_eligible, stored.stipend_amount_cents as weekly_cents,
      (select rules.id from cohorts, lateral ${rulesOn(sql`cohorts.programme_id`, sql`${firstDay}::date`)} rules
        where cohorts.id = ${cohortId}) as rule_set_id,
      (select to_jsonb(one) from (
        select ${judgedColumns}, lost from counted where is_member
        union all
        select ${storedColumns}, ${lostSoFarOf(sql`stored`, presentDay)}
        where stored.is_member and stored.payment_status = 'pending') one
      ) as facts,
      (select coalesce(sum(${approvedCents}), 0) from stipend_eligibility stipend
        where stipend.fellow_id = ${participantId} and stipend.payment_status in ('approved', 'paid'))
        as total_earned_cents,
      (select coalesce(jsonb_agg(recent_weeks order by "weekNumber" desc), '[]') from recent_weeks) as recent_weeks
    from (select) always left join stored on true`;
});

interface Judging {
  rules: RuleSet;
  present: PaidDays;
  cohort: Membership['cohort'];
}

function toStipend(
  { weeklyCents, totalEarnedCents, decidedAt, isEligible, facts, ...found }: Found,
  { rules, present, cohort: { startDate, calendar } }: Judging,
): Stipend | null {
  const criteria = found.criteria === null ? facts && judge(facts, rules) : Criteria.parse(found.criteria);
  if (!criteria) return null;
  return {
    present,
    rules: { criteria: rules.criteria },
    weeklyCents: weeklyCents ?? (facts ? amountFor(facts, rules).cents : 0),
    totalEarnedCents,
    isEligible: isEligible ?? areAllMet(criteria),
    isOutOfReach: facts !== null && isOutOfReach(facts, facts.lost, rules),
    decidedAt: decidedAt?.toISOString() ?? null,
    criteria,
    recentWeeks: found.recentWeeks.map((week) => ({
      ...week,
      ...periodDays(startDate, week.weekNumber, calendar),
      payPeriod: calendar.payPeriod,
    })),
  };
}

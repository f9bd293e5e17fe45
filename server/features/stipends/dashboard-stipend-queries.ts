import { sql } from 'kysely';
import type { ParticipantDashboard } from '#contract/home.ts';
import { defaultStipendCents } from '#contract/money.ts';
import type { LostSoFar, WeekFacts } from '#contract/stipend-facts.ts';
import { areAllMet, Criteria, judge } from '#contract/stipend-rules.ts';
import { easternDay } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { now } from '#server/platform/clock.ts';
import { ruleSetInForce } from './rule-sets.ts';
import { isOutOfReach, lostSoFar } from './stipend-evidence.ts';
import { approvedCents } from './stipend-week-queries.ts';
import { judgedColumns, storedColumns, weekFacts } from './week-facts-queries.ts';

type Stipend = NonNullable<ParticipantDashboard['stipend']>;

interface Week {
  participantId: string;
  cohortId: string;
  week: number;
}

interface Found {
  /** Null until the week is processed. */
  weeklyCents: number | null;
  totalEarnedCents: number;
  decidedAt: Date | null;
  /** How the week was judged, if it has a row of a person who is paid for it. */
  criteria: unknown;
  isEligible: boolean | null;
  /** Null if the week is decided, and for a person who is not paid for this week. */
  facts: (WeekFacts & { lost: LostSoFar | null }) | null;
  recentWeeks: Stipend['recentWeeks'];
}

const shownWeeks = 4;

/**
 * Finds what the week is worth and what it still needs, in one statement, as the week was judged. A week that has no row
 * yet is judged here, by the present facts (STIP0-02). Approved and paid weeks count as earned (STIP0-03). Null for a
 * person whom the cohort pays nothing.
 */
export async function findParticipantStipend(db: Db, { participantId, cohortId, week }: Week): Promise<Stipend | null> {
  const begunWeeks = sql`(select (${easternDay(now())}::date - start_date + 7) / 7 from cohorts where id = ${cohortId})`;
  const found = await sql<Found>`
    with own_weeks as (
      select * from stipend_eligibility where fellow_id = ${participantId}
    ), recent_weeks as (
      select week_number as "weekNumber", payment_status as "paymentStatus", stipend_amount_cents as "amountCents",
             criteria, overall_eligible as "isEligible"
      from own_weeks where cohort_id = ${cohortId} and (payment_status <> 'pending' or week_number <= ${begunWeeks})
      order by week_number desc limit ${shownWeeks}
    ), stored as (
      select * from own_weeks where cohort_id = ${cohortId} and week_number = ${week}
    ), ${weekFacts(sql`
      select ${participantId}::uuid as person_id, ${cohortId}::uuid as cohort_id, ${week}::integer as week_number
      where not exists (select from stored)`)}
    select case when stored.payment_status <> 'pending' then stored.approved_at end as decided_at,
      case when stored.is_member or stored.payment_status <> 'pending' then stored.criteria end as criteria,
      stored.overall_eligible as is_eligible, stored.stipend_amount_cents as weekly_cents,
      (select to_jsonb(one) from (
        select ${judgedColumns}, ${lostSoFar(sql`evidence`)} as lost from counted where is_member
        union all
        select ${storedColumns}, ${lostSoFar(sql`stored.evidence`)} where stored.is_member and stored.payment_status = 'pending') one
      ) as facts,
      (select coalesce(sum(${approvedCents}), 0) from stipend_eligibility stipend
        where stipend.fellow_id = ${participantId} and stipend.payment_status in ('approved', 'paid'))
        as total_earned_cents,
      (select coalesce(jsonb_agg(recent_weeks order by "weekNumber" desc), '[]') from recent_weeks) as recent_weeks
    from (select) always left join stored on true`.execute(db);
  const [stipend] = found.rows;
  return stipend ? toStipend(stipend) : null;
}

function toStipend({ weeklyCents, totalEarnedCents, decidedAt, isEligible, facts, ...found }: Found) {
  if (found.criteria === null && facts === null) return null;
  const criteria = found.criteria === null && facts ? judge(facts, ruleSetInForce()) : Criteria.parse(found.criteria);
  return {
    weeklyCents: weeklyCents ?? defaultStipendCents,
    totalEarnedCents,
    isEligible: isEligible ?? areAllMet(criteria),
    isOutOfReach: facts !== null && isOutOfReach(facts, facts.lost),
    decidedAt: decidedAt?.toISOString() ?? null,
    criteria,
    recentWeeks: found.recentWeeks,
  };
}

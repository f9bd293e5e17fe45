import { sql } from 'kysely';
import type { ParticipantDashboard } from '#contract/home.ts';
import { defaultStipendCents } from '#contract/money.ts';
import { type StipendFacts, type StipendOutcomes, storedCriteria } from '#contract/stipend-rules.ts';
import { easternDay } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { now } from '#server/platform/clock.ts';
import { approvedCents } from './stipend-week-queries.ts';

type Stipend = NonNullable<ParticipantDashboard['stipend']>;
type RecentWeek = StipendFacts &
  StipendOutcomes &
  Pick<Stipend['recentWeeks'][number], 'weekNumber' | 'paymentStatus' | 'amountCents' | 'isEligible'>;

interface Week {
  participantId: string;
  cohortId: string;
  week: number;
}

interface Found extends StipendFacts, StipendOutcomes {
  /** Null while the week has not been processed. */
  weeklyCents: number | null;
  totalEarnedCents: number;
  overallEligible: boolean;
  decidedAt: Date | null;
  recentWeeks: RecentWeek[];
}

const shownWeeks = 4;

/**
 * What the week is worth and what it still needs, from the facts as they stand now: whether and when the week is
 * processed makes no difference (STIP0-02). Once it is decided, from those that it was decided on. Earned are approved and paid weeks (STIP0-03). Null for somebody whom the
 * cohort pays nothing. One statement.
 */
export async function findParticipantStipend(db: Db, { participantId, cohortId, week }: Week): Promise<Stipend | null> {
  const begunWeeks = sql`(select (${easternDay(now())}::date - start_date + 7) / 7 from cohorts where id = ${cohortId})`;
  const found = await sql<Found>`
    with own_weeks as (
      select * from stipend_eligibility where fellow_id = ${participantId}
    ), recent_weeks as (
      select week_number, payment_status, stipend_amount_cents as amount_cents, activities_total, activities_accessed,
             assignments_total, assignments_submitted, performance_rating as rating,
             attendance_eligible, assignment_eligible, performance_eligible, overall_eligible as is_eligible
      from own_weeks where cohort_id = ${cohortId} and (payment_status <> 'pending' or week_number <= ${begunWeeks})
      order by week_number desc limit ${shownWeeks}
    )
    select
      week.activities_total, week.activities_accessed, week.assignments_total, week.assignments_submitted,
      week.performance_rating as rating, week.attendance_eligible, week.assignment_eligible, week.performance_eligible,
      week.overall_eligible, week.decided_at,
      (select stipend_amount_cents from own_weeks where cohort_id = ${cohortId} and week_number = ${week}) as weekly_cents,
      (select coalesce(sum(${approvedCents}), 0) from stipend_eligibility stipend
        where stipend.fellow_id = ${participantId} and stipend.payment_status in ('approved', 'paid'))
        as total_earned_cents,
      (select coalesce(jsonb_agg(recent_weeks order by week_number desc), '[]') from recent_weeks) as recent_weeks
    from (
      select activities_total, activities_accessed, assignments_total, assignments_submitted, performance_rating,
             attendance_eligible, assignment_eligible, performance_eligible, overall_eligible, approved_at as decided_at
      from own_weeks where cohort_id = ${cohortId} and week_number = ${week} and payment_status <> 'pending'
      union all
      select activities_total, activities_accessed, assignments_total, assignments_submitted, performance_rating,
             attendance_eligible, assignment_eligible, performance_eligible,
             attendance_eligible and assignment_eligible and performance_eligible, null
      from stipend_facts(${cohortId}, ${week}, ${participantId})
      where is_member and not exists (select from own_weeks
        where cohort_id = ${cohortId} and week_number = ${week} and payment_status <> 'pending')
    ) week
  `.execute(db);
  const [stipend] = found.rows;
  return stipend ? toStipend(stipend) : null;
}

function toStipend({
  weeklyCents,
  totalEarnedCents,
  overallEligible,
  decidedAt,
  recentWeeks,
  ...facts
}: Found): Stipend {
  return {
    weeklyCents: weeklyCents ?? defaultStipendCents,
    totalEarnedCents,
    isEligible: overallEligible,
    decidedAt: decidedAt?.toISOString() ?? null,
    criteria: storedCriteria(facts),
    activities: { accessed: facts.activitiesAccessed, total: facts.activitiesTotal },
    assignments: { submitted: facts.assignmentsSubmitted, total: facts.assignmentsTotal },
    rating: facts.rating,
    recentWeeks: recentWeeks.map(({ weekNumber, paymentStatus, amountCents, isEligible, ...ofWeek }) => ({
      weekNumber,
      criteria: storedCriteria(ofWeek),
      isEligible,
      paymentStatus,
      amountCents,
    })),
  };
}

import { sql } from 'kysely';
import { periodDays } from '#contract/pay-periods.ts';
import { type CohortWeeks, payParts, type WaitingAges } from '#contract/programme-figures.ts';
import type { Standing } from '#contract/standing.ts';
import { type WaitingAge, waitingAges } from '#contract/waiting-age.ts';
import { decisionLooks, notEligibleLook, paymentLooks } from '#contract/week-standing.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { calendarOf } from '#server/features/programmes/calendar-queries.ts';
import { notFound } from '#server/platform/errors.ts';
import { isOfAge } from '#server/platform/waiting-age.ts';
import { periodLastDay } from './week-facts-queries.ts';

type Cents = Record<(typeof payParts)[number], number>;

interface Found {
  weekNumber: number;
  people: number;
  attended: number;
  activities: number;
  cents: Cents;
  possibleCents: number;
}

/**
 * Adds up the weeks of a cohort as they were judged. The index has all that it asks, so it reads no row of 4 kB. What a
 * part counts are the rows that Stipend Management lists for the week with the filters of that part.
 */
export async function findCohortWeeks(db: Db, cohortId: string): Promise<CohortWeeks> {
  const cohort = await db
    .selectFrom('cohorts')
    .select(['id', 'name', 'startDate', calendarOf().as('calendar')])
    .where('id', '=', cohortId)
    .executeTakeFirst();
  if (!cohort) throw notFound('This cohort was not found.');
  const { rows } = await sql<Found>`
    select week_number, count(*)::integer as people,
      sum(activities_accessed)::integer as attended, sum(activities_total)::integer as activities,
      sum(stipend_amount_cents)::integer as possible_cents,
      jsonb_build_object(
        'paid', ${centsWhere(sql`payment_status = 'paid'`)},
        'approved', ${centsWhere(sql`payment_status = 'approved'`)},
        'toDecide', ${centsWhere(sql`payment_status = 'pending' and overall_eligible`)},
        'denied', ${centsWhere(sql`payment_status = 'denied'`)},
        'notEligible', ${centsWhere(sql`payment_status = 'pending' and not overall_eligible`)}) as cents
    from stipend_eligibility where cohort_id = ${cohortId}
    group by week_number order by week_number`.execute(db);
  return {
    id: cohort.id,
    name: cohort.name,
    parts: payParts.map((state) => ({ state, ...payLooks[state] })),
    weeks: rows.map(({ attended, activities, ...week }) => ({
      ...week,
      ...periodDays(cohort.startDate, week.weekNumber, cohort.calendar),
      payPeriod: cohort.calendar.payPeriod,
      attendance: { attended, total: activities },
    })),
  };
}

const payLooks: Record<(typeof payParts)[number], Pick<Standing, 'color' | 'label'>> = {
  paid: paymentLooks.paid,
  approved: { ...paymentLooks.approved, color: 'info' },
  toDecide: decisionLooks.pending,
  denied: paymentLooks.denied,
  notEligible: notEligibleLook,
};

function centsWhere(condition: ReturnType<typeof sql>) {
  return sql`coalesce(sum(stipend_amount_cents) filter (where ${condition}), 0)`;
}

/** Finds the weeks with stipends to decide, the oldest first. An index has only these. */
export function findWeeksToDecide(db: Db): Promise<WaitingAges['stipendWeeks']> {
  return weeksToDecide(db, {});
}

const weeksToDecide = builtOnce((_db, _values: Record<never, string>) => {
  const since = sql`((${periodLastDay(sql`waiting.week_number`, sql`cohorts`)} + 1)::timestamp at time zone cohorts.zone)`;
  const ages = waitingAges.map((age) => sql`when ${isOfAge(since, age)} then ${age}::text`);
  return sql<WaitingAges['stipendWeeks'][number] & { age: WaitingAge }>`
    select waiting.week_number, waiting.count, cohorts.id as cohort_id, cohorts.name as cohort_name,
      case ${sql.join(ages, sql` `)} end as age
    from (
      select cohort_id, week_number, count(*)::integer as count from stipend_eligibility
      where overall_eligible and payment_status = 'pending' group by cohort_id, week_number) waiting
    join cohort_calendars cohorts on cohorts.id = waiting.cohort_id
    order by ${since}, cohorts.name, cohorts.id`;
});

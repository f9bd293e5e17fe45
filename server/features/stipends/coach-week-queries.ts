import { sql } from 'kysely';
import type { CoachWeekRow } from '#contract/programme-figures.ts';
import type { LostSoFar, WeekFacts } from '#contract/stipend-facts.ts';
import { Criteria } from '#contract/stipend-rules.ts';
import type { StipendWeek } from '#contract/stipend-weeks.ts';
import { criterionStanding, decisionLooks, weekPhase, weekStanding } from '#contract/week-standing.ts';
import { easternDay, programmeWeek } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { ownParticipants } from '#server/features/coaching/coaching-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { byId, byText, pagesBy } from '#server/platform/pages.ts';
import { isOutOfReach, lostSoFar } from './stipend-evidence.ts';
import { lastHandoverOf } from './stipend-standing-queries.ts';
import { storedColumns } from './week-facts-queries.ts';

const pages = pagesBy(15, [byText(sql`first_name`), byText(sql`last_name`), byId(sql`id`)]);

interface Person extends Pick<CoachWeekRow, 'id' | 'firstName' | 'lastName' | 'cohortName'> {
  startDate: string | null;
  weeks: JudgedWeek[];
}

interface JudgedWeek {
  weekNumber: number;
  criteria: unknown;
  isEligible: boolean;
  paymentStatus: Exclude<StipendWeek['state'], 'sent'>;
  handover: string | null;
  amountCents: number;
  facts: WeekFacts;
  lost: LostSoFar | null;
}

/** Finds a page of the coach's own participants with the weeks of their latest cohort, in one statement. */
export async function findCoachWeeks(db: Db, coach: Pick<Actor, 'id'>, cursor: string | undefined) {
  const own = ownParticipants(db, coach).select(['profiles.id', 'profiles.firstName', 'profiles.lastName']).distinct();
  const today = easternDay(now());
  const { rows: found } = await sql<Person>`
    with own as (${own}), page as (
      select * from own where ${pages.comesAfter(cursor)} order by ${pages.inOrder} limit ${pages.most})
    select page.id, page.first_name, page.last_name, present.name as cohort_name, present.start_date,
      coalesce((select jsonb_agg(week order by week."weekNumber") from (
        select stored.week_number as "weekNumber", stored.criteria, stored.overall_eligible as "isEligible",
          stored.payment_status as "paymentStatus", stored.stipend_amount_cents as "amountCents",
          case when stored.payment_status = 'approved' then ${lastHandoverOf(sql.ref('stored.id'))} end as handover,
          case when stored.payment_status = 'pending' then ${lostSoFar(sql`stored.evidence`)} end as lost,
          (select jsonb_build_object('activitiesTotal', activities_total, 'activitiesAccessed', activities_accessed,
              'assignmentsTotal', assignments_total, 'assignmentsSubmitted', assignments_submitted,
              'assignmentsUntouched', assignments_untouched, 'rating', rating)
            from (select ${storedColumns}) as counted) as facts
        from stipend_eligibility stored
        where stored.fellow_id = page.id and stored.cohort_id = present.id
          and (stored.payment_status <> 'pending'
            or present.start_date + 7 * (stored.week_number - 1) <= ${today}::date)) as week), '[]') as weeks
    from page left join lateral (
      select cohorts.id, cohorts.name, cohorts.start_date
      from cohort_participants membership join cohorts on cohorts.id = membership.cohort_id
      where membership.participant_id = page.id and membership.status = 'active'
      order by cohorts.start_date desc, cohorts.id desc limit 1) present on true
    order by ${pages.inOrder}`.execute(db);
  const page = pages.cut(found, ({ firstName, lastName, id }) => [firstName, lastName, id]);
  return { ...page, rows: page.rows.map((person) => toRow(person, today)) };
}

function toRow({ startDate, weeks, ...person }: Person, today: string): CoachWeekRow {
  return { ...person, weeks: startDate === null ? [] : weeks.map((week) => toWeek(week, { startDate, today })) };
}

function toWeek(
  { weekNumber, isEligible, paymentStatus, handover, amountCents, facts, lost, ...week }: JudgedWeek,
  { startDate, today }: { startDate: string; today: string },
): CoachWeekRow['weeks'][number] {
  const criteria = Criteria.parse(week.criteria);
  const decision: StipendWeek['state'] = paymentStatus === 'approved' && handover === 'sent' ? 'sent' : paymentStatus;
  const days = programmeWeek(startDate, weekNumber);
  const phase = weekPhase(days, today, decision);
  const judged = { weekNumber, today, reader: 'staff' as const, decision, criteria, isEligible, amountCents };
  return {
    weekNumber,
    standing: weekStanding({ ...days, ...judged, isOutOfReach: isOutOfReach(facts, lost) }),
    criteria: criteria.map((criterion) => criterionStanding(criterion, phase, 'staff')),
    pay: { state: decision, ...decisionLooks[decision] },
  };
}

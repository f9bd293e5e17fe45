import { sql } from 'kysely';
import type { PaidDays } from '#contract/pay-periods.ts';
import type { CoachWeekRow } from '#contract/programme-figures.ts';
import { type LostSoFar, notCounted, type WeekFacts } from '#contract/stipend-facts.ts';
import { Criteria, type RuleSet } from '#contract/stipend-rules.ts';
import type { StipendWeek } from '#contract/stipend-weeks.ts';
import { criterionStanding, decisionLooks, weekPhase, weekStanding } from '#contract/week-standing.ts';
import type { Db } from '#server/db/database.ts';
import { ownParticipants } from '#server/features/coaching/coaching-access.ts';
import { todayIn } from '#server/features/programmes/calendar-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { byId, byText, pagesBy } from '#server/platform/pages.ts';
import { loadRuleSets } from './rule-sets.ts';
import { lostSoFarOf, outOfReach } from './stipend-evidence.ts';
import { lastHandoverOf } from './stipend-standing-queries.ts';
import { periodFirstDay, periodLastDay, rulesOn, storedColumns } from './week-facts-queries.ts';

const pages = pagesBy(15, [byText(sql`first_name`), byText(sql`last_name`), byId(sql`id`)]);

interface Person extends Pick<CoachWeekRow, 'id' | 'firstName' | 'lastName' | 'cohortName'> {
  weeks: JudgedWeek[];
}

interface JudgedWeek extends PaidDays {
  today: string;
  ruleSetId: string | null;
  criteria: unknown;
  isEligible: boolean;
  paymentStatus: Exclude<StipendWeek['state'], 'sent'>;
  /** Null unless the week is approved. */
  handover: string | null;
  amountCents: number;
  facts: WeekFacts;
  lost: LostSoFar | null;
}

/** Finds a page of the coach's own participants with the weeks of their latest cohort, in one statement. */
export async function findCoachWeeks(db: Db, coach: Pick<Actor, 'id'>, cursor: string | undefined) {
  const own = ownParticipants(db, coach).select(['profiles.id', 'profiles.firstName', 'profiles.lastName']).distinct();
  const firstDay = periodFirstDay(sql`stored.week_number`, sql`present`);
  const { rows: found } = await sql<Person>`
    with own as (${own}), page as (
      select * from own where ${pages.comesAfter(cursor)} order by ${pages.inOrder} limit ${pages.most})
    select page.id, page.first_name, page.last_name, present.name as cohort_name,
      coalesce((select jsonb_agg(week order by week."weekNumber") from (
        select stored.week_number as "weekNumber", present.pay_period as "payPeriod", ${firstDay} as "firstDay",
          ${periodLastDay(sql`stored.week_number`, sql`present`)} as "lastDay", ${todayIn(sql`present.zone`)} as today,
          (select rules.id from ${rulesOn(sql`present.programme_id`, firstDay)} rules) as "ruleSetId", stored.criteria, stored.overall_eligible as "isEligible",
          stored.payment_status as "paymentStatus", stored.stipend_amount_cents as "amountCents",
          case when stored.payment_status = 'approved' then ${lastHandoverOf(sql.ref('stored.id'))} end as handover,
          case when stored.payment_status = 'pending' then ${lostSoFarOf(sql`stored`, todayIn(sql`present.zone`))} end as lost,
          (select jsonb_build_object('activitiesTotal', activities_total, 'activitiesAccessed', activities_accessed,
              'assignmentsTotal', assignments_total, 'assignmentsSubmitted', assignments_submitted,
              'assignmentsUntouched', assignments_untouched, 'rating', rating) || coalesce(stored.more_facts, '{}')
            from (select ${storedColumns}) as counted) as facts
        from stipend_eligibility stored
        where stored.fellow_id = page.id and stored.cohort_id = present.id
          and (stored.payment_status <> 'pending'
            or ${firstDay} <= ${todayIn(sql`present.zone`)})) as week), '[]') as weeks
    from page left join lateral (
      select cohorts.* from cohort_participants membership
      join cohort_calendars cohorts on cohorts.id = membership.cohort_id
      where membership.participant_id = page.id and membership.status = 'active'
      order by cohorts.start_date desc, cohorts.id desc limit 1) present on true
    order by ${pages.inOrder}`.execute(db);
  const page = pages.cut(found, ({ firstName, lastName, id }) => [firstName, lastName, id]);
  const ruleSets = await loadRuleSets(
    db,
    new Set(page.rows.flatMap(({ weeks }) => weeks.flatMap(({ ruleSetId }) => ruleSetId ?? []))),
  );
  return {
    ...page,
    rows: page.rows.map(({ weeks, ...person }) => ({
      ...person,
      weeks: weeks.map((week) => toWeek(week, week.ruleSetId === null ? null : ruleSets(week.ruleSetId))),
    })),
  };
}

function toWeek(
  { weekNumber, payPeriod, firstDay, lastDay, today, ruleSetId: _, ...week }: JudgedWeek,
  rules: RuleSet | null,
): CoachWeekRow['weeks'][number] {
  const { isEligible, paymentStatus, handover, amountCents, facts, lost } = week;
  const criteria = Criteria.parse(week.criteria);
  const decision: StipendWeek['state'] = handover === 'sent' ? 'sent' : paymentStatus;
  const days = { weekNumber, payPeriod, firstDay, lastDay };
  const phase = weekPhase(days, today, decision);
  const lostCriteria = outOfReach({ ...notCounted, ...facts }, lost, rules);
  const judged = { today, reader: 'staff' as const, decision, criteria, isEligible, amountCents };
  return {
    weekNumber,
    standing: weekStanding({
      ...days,
      ...judged,
      isOutOfReach: lostCriteria.length > 0,
    }),
    // Stryker disable next-line StringLiteral: Whoever is neither participant nor admin reads what staff read.
    criteria: criteria.map((criterion) => criterionStanding(criterion, phase, 'staff', lostCriteria)),
    pay: { state: decision, ...decisionLooks[decision] },
  };
}

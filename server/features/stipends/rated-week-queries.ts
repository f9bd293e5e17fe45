import { sql } from 'kysely';
import type { PayPeriod } from '#contract/pay-periods.ts';
import type { RatedWeek } from '#contract/rated-weeks.ts';
import { bestRating, type LostSoFar, type WeekFacts } from '#contract/stipend-facts.ts';
import { amountFor, judge, limitOfFact, type RuleSet } from '#contract/stipend-rules.ts';
import { builtOnceByRole } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { weeksToRate } from '#server/features/coaching/coaching-queries.ts';
import { todayIn } from '#server/features/programmes/calendar-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { loadRuleSets } from './rule-sets.ts';
import { isOutOfReach, lostSoFarOf } from './stipend-evidence.ts';
import { lastHandoverOf } from './stipend-standing-queries.ts';
import {
  judgedColumns,
  moreFactsOf,
  periodFirstDay,
  periodLastDay,
  rulesOn,
  storedColumns,
  weekFacts,
} from './week-facts-queries.ts';

interface Found extends WeekFacts {
  personId: string;
  cohortId: string;
  weekNumber: number;
  firstDay: string;
  lastDay: string;
  payPeriod: PayPeriod;
  today: string;
  ruleSetId: string;
  isMember: boolean;
  accepted: number;
  /** Of work that counts and was never handed in. Null without evidence. */
  untouched: number | null;
  lost: LostSoFar | null;
  amountCents: number | null;
  paymentStatus: 'pending' | 'approved' | 'paid' | 'denied';
  handover: string | null;
}

/**
 * Finds what the weeks hold that the coach rates, in one statement. A week that is worked out is taken as it was judged.
 * Only of other weeks the facts are read. All facts are found first, or PostgreSQL finds them anew for each person.
 */
export async function findRatedWeeks(db: Db, actor: Actor, week: number | null) {
  const rows = await ratedWeeks(db, actor.role, { actorId: actor.id, week });
  const ruleSets = await loadRuleSets(db, new Set(rows.map(({ ruleSetId }) => ruleSetId)));
  return { weeks: rows.map((row) => toWeek(row, ruleSets(row.ruleSetId))) };
}

interface Rated {
  actorId: string;
  week: number | null;
}
const ratedWeeks = builtOnceByRole((db, role, { actorId, week }: Rated) => {
  const counted = (condition: string) =>
    sql`jsonb_array_length(jsonb_path_query_array(stored.evidence, ${sql.lit(
      `$.assignments[*] ? (@.counts == true && ${condition})`,
    )}))`;
  return sql<Found>`
    with rated as materialized (${weeksToRate(db, { id: actorId, role }, week)}), judged as materialized (
      select stored.fellow_id, stored.is_member, ${storedColumns},
        coalesce(${counted('@.status == "accepted"')}, 0) as accepted, ${counted('@.status == null')} as untouched,
        ${lostSoFarOf(sql`stored`, todayIn(sql`calendar.zone`))} as lost
      from rated join stipend_eligibility stored on stored.fellow_id = rated.person_id
        and stored.cohort_id = rated.cohort_id and stored.week_number = rated.week_number
      join cohort_calendars calendar on calendar.id = rated.cohort_id
    ), ${weekFacts(
      sql`
      select person_id, cohort_id, week_number from rated
      where person_id not in (select fellow_id from judged)`,
      { today: todayIn(sql`calendar.zone`) },
    )},
    facts as materialized (
      select fellow_id, is_member, accepted, untouched, lost, ${judgedColumns} from judged
      union all
      select fellow_id, is_member, assignments_accepted, assignments_untouched, lost, ${judgedColumns} from counted)
    select rated.person_id, rated.cohort_id, rated.week_number, dated.first_day, dated.last_day, calendar.pay_period,
      ${todayIn(sql`calendar.zone`)} as today, rules.id as rule_set_id, facts.is_member,
      facts.activities_total, facts.activities_accessed, facts.assignments_total, facts.assignments_submitted,
      facts.assignments_untouched, ${moreFactsOf('facts')}, facts.rating, facts.accepted, facts.untouched, facts.lost,
      stored.stipend_amount_cents as amount_cents, coalesce(stored.payment_status, 'pending') as payment_status,
      ${lastHandoverOf(sql.ref('stored.id'))} as handover
    from rated
    join facts on facts.fellow_id = rated.person_id
    join cohort_calendars calendar on calendar.id = rated.cohort_id
    cross join lateral (
      select ${periodFirstDay(sql`rated.week_number`)} as first_day,
             ${periodLastDay(sql`rated.week_number`)} as last_day) dated
    cross join lateral ${rulesOn(sql`calendar.programme_id`, sql`dated.first_day`)} rules
    left join stipend_eligibility stored on stored.fellow_id = rated.person_id and stored.cohort_id = rated.cohort_id
      and stored.week_number = rated.week_number`;
});

function toWeek(found: Found, rules: RuleSet): RatedWeek {
  const { weekNumber, firstDay, lastDay, payPeriod, today, paymentStatus, untouched } = found;
  const facts = { ...found, assignmentsUntouched: untouched ?? found.assignmentsUntouched };
  const isSent = paymentStatus === 'approved' && found.handover === 'sent';
  return {
    ...{ participantId: found.personId, cohortId: found.cohortId, weekNumber, firstDay, lastDay, payPeriod, today },
    activities: { accessed: found.activitiesAccessed, total: found.activitiesTotal },
    assignments: {
      submitted: found.assignmentsSubmitted,
      accepted: found.accepted,
      total: found.assignmentsTotal,
    },
    isPaid: found.isMember,
    ratingNeeded: limitOfFact(rules, 'rating'),
    criteriaAtBest: judge({ ...facts, rating: bestRating }, rules),
    isOutOfReach: paymentStatus === 'pending' && isOutOfReach({ ...facts, rating: bestRating }, found.lost, rules),
    amountCents: found.amountCents ?? amountFor(facts, rules).cents,
    state: isSent ? 'sent' : paymentStatus,
  };
}

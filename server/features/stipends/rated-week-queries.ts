import { sql } from 'kysely';
import { defaultStipendCents } from '#contract/money.ts';
import type { RatedWeek } from '#contract/rated-weeks.ts';
import { bestRating, type LostSoFar, type WeekFacts } from '#contract/stipend-facts.ts';
import { judge, limitOfFact } from '#contract/stipend-rules.ts';
import { easternDay, programmeWeek } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { weeksToRate } from '#server/features/coaching/coaching-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { ruleSetInForce } from './rule-sets.ts';
import { isOutOfReach, lostSoFar } from './stipend-evidence.ts';
import { lastHandoverOf } from './stipend-standing-queries.ts';
import { judgedColumns, storedColumns, weekFacts } from './week-facts-queries.ts';

interface Found extends WeekFacts {
  personId: string;
  cohortId: string;
  weekNumber: number;
  startDate: string;
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
 * Only of other weeks the facts are read.
 */
export async function findRatedWeeks(db: Db, actor: Actor, week: number | null) {
  const counted = (condition: string) =>
    sql`jsonb_array_length(jsonb_path_query_array(facts.evidence, ${sql.lit(
      `$.assignments[*] ? (@.counts == true && ${condition})`,
    )}))`;
  const { rows } = await sql<Found>`
    with rated as materialized (${weeksToRate(db, actor, week)}), judged as materialized (
      select stored.fellow_id, stored.cohort_id, stored.is_member, stored.evidence, ${storedColumns}
      from rated join stipend_eligibility stored on stored.fellow_id = rated.person_id
        and stored.cohort_id = rated.cohort_id and stored.week_number = rated.week_number
    ), ${weekFacts(sql`
      select person_id, cohort_id, week_number from rated
      where person_id not in (select fellow_id from judged)`)}
    select rated.person_id, rated.cohort_id, rated.week_number, rated.start_date, facts.is_member,
      facts.activities_total, facts.activities_accessed, facts.assignments_total, facts.assignments_submitted,
      facts.assignments_untouched, facts.rating, coalesce(${counted('@.status == "accepted"')}, 0) as accepted,
      ${counted('@.status == null')} as untouched, ${lostSoFar(sql`facts.evidence`)} as lost,
      stored.stipend_amount_cents as amount_cents, coalesce(stored.payment_status, 'pending') as payment_status,
      ${lastHandoverOf(sql.ref('stored.id'))} as handover
    from rated
    join (
      select fellow_id, is_member, evidence, ${judgedColumns} from judged
      union all
      select fellow_id, is_member, evidence, ${judgedColumns} from counted
    ) facts on facts.fellow_id = rated.person_id
    left join stipend_eligibility stored on stored.fellow_id = rated.person_id and stored.cohort_id = rated.cohort_id
      and stored.week_number = rated.week_number`.execute(db);
  return { weeks: rows.map(toWeek), today: easternDay(now()) };
}

function toWeek(found: Found): RatedWeek {
  const { weekNumber, startDate, paymentStatus, untouched } = found;
  const facts = { ...found, assignmentsUntouched: untouched ?? found.assignmentsUntouched };
  const { firstDay, lastDay } = programmeWeek(startDate, weekNumber);
  const isSent = paymentStatus === 'approved' && found.handover === 'sent';
  return {
    ...{ participantId: found.personId, cohortId: found.cohortId, weekNumber, firstDay, lastDay },
    activities: { accessed: found.activitiesAccessed, total: found.activitiesTotal },
    assignments: {
      submitted: found.assignmentsSubmitted,
      accepted: found.accepted,
      total: found.assignmentsTotal,
    },
    isPaid: found.isMember,
    ratingNeeded: limitOfFact(ruleSetInForce(), 'rating'),
    criteriaAtBest: judge({ ...facts, rating: bestRating }, ruleSetInForce()),
    isOutOfReach: paymentStatus === 'pending' && isOutOfReach({ ...facts, rating: bestRating }, found.lost),
    amountCents: found.amountCents ?? defaultStipendCents,
    state: isSent ? 'sent' : paymentStatus,
  };
}

import { z } from 'zod';
import { Day, endpoint, Id } from './endpoint.ts';
import { formatCents } from './money.ts';
import { PaidDays, periodName } from './pay-periods.ts';
import type { Standing } from './standing.ts';
import { areAllMet, Criteria } from './stipend-rules.ts';
import { weekStates } from './stipend-weeks.ts';
import { type WeekState, weekStanding } from './week-standing.ts';
import { mostWeeks } from './weeks.ts';

/** What a coach looks at before they rate a week. */
export const RatedWeek = PaidDays.extend({
  participantId: Id,
  cohortId: Id,
  /** The programme's day on which this was answered. */
  today: Day,
  activities: z.object({ accessed: z.number().int(), total: z.number().int() }),
  /** `submitted` counts what waits for its review or was accepted. `accepted` is a part of it. */
  assignments: z.object({ submitted: z.number().int(), accepted: z.number().int(), total: z.number().int() }),
  /** True if the week is paid to this person if it meets its criteria. */
  isPaid: z.boolean(),
  /** The rating that the rules ask for. Null if they ask for none. */
  ratingNeeded: z.number().nullable(),
  /** The week as it would be judged with the best rating. */
  criteriaAtBest: Criteria,
  isOutOfReach: z.boolean(),
  amountCents: z.number().int(),
  state: z.enum(weekStates),
});
export type RatedWeek = z.infer<typeof RatedWeek>;

export const listRatedWeeks = endpoint({
  name: 'listRatedWeeks',
  method: 'GET',
  path: '/api/coach/rated-weeks',
  access: 'performance.rate',
  mayReadReplica: true,
  summary: "What the weeks that the coach rates hold, and what each week's pay still depends on.",
  shows: ['attendance', 'submissions', 'stipends', 'enrolments', 'coaches', 'training', 'cohorts', 'people'],
  query: z.object({ week: z.coerce.number().int().min(1).max(mostWeeks).optional() }),
  response: z.object({ weeks: z.array(RatedWeek) }),
});

/**
 * Says what the rating decides for the week's pay, or once there is one, what it decided. If something else decides the
 * pay, says what.
 */
export function ratingStake(
  week: RatedWeek,
  rating: number | null = null,
): Standing<WeekState | 'unpaid' | 'rating_decides'> {
  const { isPaid, ratingNeeded, criteriaAtBest: criteria, amountCents, state } = week;
  if (!isPaid && state === 'pending') {
    return {
      state: 'unpaid',
      color: 'neutral',
      label: 'Not paid',
      sentence: 'This week is not paid, whatever you rate.',
    };
  }
  const isEligible = areAllMet(criteria);
  const standing = weekStanding({ ...week, reader: 'staff', decision: state, criteria, isEligible });
  if (standing.state === 'out_of_reach') return { ...standing, sentence: `${standing.label}.` };
  // The row has the counts already.
  if (standing.state === 'not_met') return { ...standing, sentence: `Not decided yet. ${standing.label}.` };
  if (standing.state !== 'met' || ratingNeeded === null) return standing;
  if (rating !== null) return ratingResult(week, rating, ratingNeeded);
  const sentence = `A rating of ${ratingNeeded.toFixed(1)} or more brings ${formatCents(amountCents)} for ${periodName(week)}.`;
  return { state: 'rating_decides', color: 'info', label: 'Your rating decides', sentence };
}

function ratingResult(week: RatedWeek, rating: number, needed: number): Standing<'met' | 'not_met'> {
  const rated = `Rated ${rating.toFixed(1)}`;
  if (rating < needed) {
    const sentence = `${rated}: ${formatCents(week.amountCents)} for ${periodName(week)} needs ${needed.toFixed(1)} or more.`;
    return { state: 'not_met', color: 'danger', label: rated, sentence };
  }
  const sentence = `${rated}: ${formatCents(week.amountCents)} can be approved for ${periodName(week)}.`;
  return { state: 'met', color: 'success', label: rated, sentence };
}

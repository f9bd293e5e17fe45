import { z } from 'zod';
import { defaultStipendCents } from './money.ts';

/** What counts in one week for one person. */
export interface WeekFacts {
  activitiesTotal: number;
  activitiesAccessed: number;
  assignmentsTotal: number;
  /** Counts those with status submitted or accepted (STIP-34). */
  assignmentsSubmitted: number;
  /** Counts those that were never handed in. Returned ones are neither here nor above. */
  assignmentsUntouched: number;
  /** It goes from 1.0 to 5.0. It is null if nobody rated the week. */
  rating: number | null;
}

export const Criterion = z.object({
  name: z.string(),
  isMet: z.boolean(),
  /** Says what it depends on. If it is not met, says what it needs (STIP-15, STIP-16). */
  reason: z.string(),
  /** A short form: '4 of 5'. */
  standing: z.string(),
  /** 0 to 100 */
  percentage: z.number(),
  /** Says what would meet it. Each is ready for a list: '2 more activities'. It is empty if the criterion is met. */
  stillNeeded: z.array(z.string()),
  /** The part of the week's evidence that explains it. */
  about: z.enum(['activities', 'assignments', 'rating']),
});
export type Criterion = z.infer<typeof Criterion>;

/** A week as it was judged. Each criterion has one entry, in the order of the rule set. */
export const Criteria = z.array(Criterion);
export type Criteria = z.infer<typeof Criteria>;

/** All of the criteria together decide whether a week is paid. A version never changes once a week was judged by it. */
export interface RuleSet {
  version: number;
  criteria: readonly ((facts: WeekFacts) => Criterion)[];
}

/** STIP-31 */
const attendanceNeeded = 80;
/** STIP-33 */
const ratingNeeded = 3;
const bestRating = 5;

export const specifiedRules: RuleSet = { version: 1, criteria: [attendance, assignments, performance] };

/** Above this amount, no admin sets it alone. `is_amount_unusual` in the database says the same. */
export const unusualAboveCents = 2 * defaultStipendCents;

export function isAmountUnusual(cents: number): boolean {
  return cents > unusualAboveCents;
}

/** Only this place says whether a week's facts are enough, and what is still needed. */
export function judge(facts: WeekFacts, { criteria }: RuleSet): Criteria {
  return criteria.map((criterion) => criterion(facts));
}

export function areAllMet(criteria: Criteria): boolean {
  return criteria.every(({ isMet }) => isMet);
}

export function failedCriteria(criteria: Criteria): string[] {
  return criteria.filter(({ isMet }) => !isMet).map(({ name }) => name);
}

/**
 * In a running week, the missed activities, and the late work that was never handed in. Only those that count are here.
 */
export interface LostSoFar {
  activities: number;
  assignments: number;
}

/** True if the week would fall short even if everything that is still to come went well. */
export function isAtRisk(facts: WeekFacts, lost: LostSoFar, rules: RuleSet): boolean {
  const atBest = {
    ...facts,
    activitiesAccessed: facts.activitiesTotal - lost.activities,
    assignmentsSubmitted: facts.assignmentsTotal - lost.assignments,
    assignmentsUntouched: lost.assignments,
    rating: facts.rating ?? bestRating,
  };
  return !areAllMet(judge(atBest, rules));
}

/** The rules below, in words for a participant. */
export const attendanceHelp = `An activity counts once it is recorded for you: you mark it complete, or your coach records it. You need ${attendanceNeeded}% of the week's activities. A week without activities is fine.`;
export const assignmentsHelp =
  'All assignments of the week count, required or not. Handed in is enough, even before your coach has read it. Work that comes back to you counts again when you hand it in again.';
export const ratingHelp = `Your coach rates each week from 1.0 to ${bestRating.toFixed(1)}. You need ${ratingNeeded.toFixed(1)} or more. Until then the week waits for the rating.`;

function attendance({ activitiesTotal: total, activitiesAccessed: accessed }: WeekFacts): Criterion {
  const isMet = accessed * 100 >= total * attendanceNeeded;
  const share = `${accessed} of ${total} activities attended (${Math.floor((100 * accessed) / total)}%)`;
  // STIP-56
  const missing = Math.ceil((total * attendanceNeeded) / 100) - accessed;
  return {
    name: 'Attendance',
    isMet,
    reason: total === 0 ? 'No activities this week' : isMet ? share : `${share}, ${attendanceNeeded}% needed`,
    standing: `${accessed} of ${total}`,
    percentage: shareOf(accessed, total),
    stillNeeded: isMet ? [] : [`${missing} more ${missing === 1 ? 'activity' : 'activities'}`],
    about: 'activities',
  };
}

function assignments(facts: WeekFacts): Criterion {
  const { assignmentsTotal: total, assignmentsSubmitted: submitted, assignmentsUntouched: untouched } = facts;
  const returned = total - submitted - untouched;
  const words = (count: number) => (count === 1 ? 'assignment' : 'assignments');
  return {
    name: 'Assignments',
    isMet: submitted >= total,
    reason:
      total === 0
        ? 'No assignments this week'
        : `${submitted} of ${total} handed in${returned > 0 ? `, ${returned} returned: revise and hand in again` : ''}`,
    standing: `${submitted} of ${total}${returned > 0 ? `, ${returned} returned` : ''}`,
    percentage: shareOf(submitted, total),
    stillNeeded: [
      // STIP-57
      ...(untouched > 0 ? [`${untouched} more ${words(untouched)}`] : []),
      ...(returned > 0 ? [`${returned} returned ${words(returned)} handed in again`] : []),
    ],
    about: 'assignments',
  };
}

function performance({ rating }: WeekFacts): Criterion {
  const isMet = rating !== null && rating >= ratingNeeded;
  const needed = ratingNeeded.toFixed(1);
  const found = rating === null ? 'Not rated yet' : `Rated ${rating.toFixed(1)} of 5`;
  return {
    name: 'Performance',
    isMet,
    reason: isMet ? found : `${found}, ${needed} needed`,
    standing: rating === null ? 'Not rated yet' : `${rating.toFixed(1)} of 5`,
    percentage: shareOf(rating ?? 0, bestRating),
    stillNeeded: isMet ? [] : [`a rating of ${needed} or more`],
    about: 'rating',
  };
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 100 : (100 * part) / whole;
}

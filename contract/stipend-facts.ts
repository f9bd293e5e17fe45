import { z } from 'zod';

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

/** The facts that a rule may ask about. What cannot be explained to a participant is not among them. */
export const RuleFact = z.enum(['attendanceShare', 'absences', 'workHandedIn', 'rating']);
export type RuleFact = z.infer<typeof RuleFact>;

export const Finding = z.object({
  isMet: z.boolean(),
  /** Says what it depends on. If it is not met, says what it needs (STIP-15, STIP-16). */
  reason: z.string(),
  /** A short form: '4 of 5'. */
  standing: z.string(),
  /** 0 to 100 */
  percentage: z.number(),
  /** Says what would meet it. Each is ready for a list: '2 more activities'. It is empty if the fact is enough. */
  stillNeeded: z.array(z.string()),
  /** The part of the week's evidence that explains it. */
  about: z.enum(['activities', 'assignments', 'rating']),
});
export type Finding = z.infer<typeof Finding>;

type Found = Omit<Finding, 'about'>;

interface Measure {
  /** The limits that a rule may set. */
  range: [first: number, last: number];
  about: Finding['about'];
  find: (facts: WeekFacts, limit: number) => Found;
  /** Says what a limit asks: 'at least 80% of the activities are attended'. */
  inWords: (limit: number) => string;
  /** What participants ask about it. */
  help: (limit: number) => { question: string; answer: string };
}

export const bestRating = 5;
const recorded = 'An activity counts once it is recorded for you: you mark it complete, or your coach records it.';

export const measures: Record<RuleFact, Measure> = {
  attendanceShare: {
    about: 'activities',
    range: [1, 100],
    find: attendance,
    inWords: (percent) => `at least ${percent}% of the activities are attended`,
    help: (percent) => ({
      question: 'What counts as attendance?',
      answer: `${recorded} You need ${percent}% of the week's activities. A week without activities is fine.`,
    }),
  },
  absences: {
    about: 'activities',
    range: [0, 100],
    find: absences,
    inWords: (count) => (count === 0 ? 'no activity is missed' : `at most ${count} of the activities are missed`),
    help: (count) => ({
      question: 'What counts as an absence?',
      answer: `${recorded} You may miss ${count} of the week's activities.`,
    }),
  },
  workHandedIn: {
    about: 'assignments',
    range: [1, 100],
    find: handedIn,
    inWords: (percent) => (percent === 100 ? 'all work is handed in' : `at least ${percent}% of the work is handed in`),
    help: (percent) => ({
      question: 'Which assignments count?',
      answer: `All assignments of the week count, required or not. ${percent === 100 ? '' : `You need ${percent}% of them. `}Handed in is enough, even before your coach has read it. Work that comes back to you counts again when you hand it in again.`,
    }),
  },
  rating: {
    about: 'rating',
    range: [1, bestRating],
    find: performance,
    inWords: (rating) => `the coach's rating is ${rating.toFixed(1)} or more`,
    help: (rating) => ({
      question: 'Who rates me?',
      answer: `Your coach rates each week from 1.0 to ${bestRating.toFixed(1)}. You need ${rating.toFixed(1)} or more. Until then the week waits for the rating.`,
    }),
  },
};

function attendance({ activitiesTotal: total, activitiesAccessed: accessed }: WeekFacts, needed: number): Found {
  const isMet = accessed * 100 >= total * needed;
  const share = `${accessed} of ${total} activities attended (${Math.floor((100 * accessed) / total)}%)`;
  // STIP-56
  const missing = Math.ceil((total * needed) / 100) - accessed;
  return {
    isMet,
    reason: total === 0 ? 'No activities this week' : isMet ? share : `${share}, ${needed}% needed`,
    standing: `${accessed} of ${total}`,
    percentage: shareOf(accessed, total),
    stillNeeded: isMet ? [] : [`${missing} more ${missing === 1 ? 'activity' : 'activities'}`],
  };
}

function absences({ activitiesTotal: total, activitiesAccessed: accessed }: WeekFacts, allowed: number): Found {
  const missed = total - accessed;
  const isMet = missed <= allowed;
  const words = (count: number) => (count === 1 ? 'absence' : 'absences');
  return {
    isMet,
    reason: `${missed} ${words(missed)}, at most ${allowed} allowed`,
    standing: `${missed} of ${allowed}`,
    percentage: isMet ? 100 : shareOf(accessed, total - allowed),
    stillNeeded: isMet ? [] : [`no more than ${allowed} ${words(allowed)}`],
  };
}

function handedIn(facts: WeekFacts, needed: number): Found {
  const { assignmentsTotal: total, assignmentsSubmitted: submitted, assignmentsUntouched: untouched } = facts;
  const isMet = submitted * 100 >= total * needed;
  const returned = total - submitted - untouched;
  const missing = Math.ceil((total * needed) / 100) - submitted;
  // Work that was returned is nearest to being handed in.
  const again = isMet ? 0 : Math.min(returned, missing);
  const more = isMet ? 0 : missing - again;
  const words = (count: number) => (count === 1 ? 'assignment' : 'assignments');
  const share = `${submitted} of ${total} handed in`;
  return {
    isMet,
    reason:
      total === 0
        ? 'No assignments this week'
        : [
            isMet || needed === 100 ? share : `${share}, ${needed}% needed`,
            ...(returned > 0 ? [`${returned} returned: revise and hand in again`] : []),
          ].join(', '),
    standing: `${submitted} of ${total}${returned > 0 ? `, ${returned} returned` : ''}`,
    percentage: shareOf(submitted, total),
    stillNeeded: [
      // STIP-57
      ...(more > 0 ? [`${more.toLocaleString('en-US')} more ${words(more)}`] : []),
      ...(again > 0 ? [`${again} returned ${words(again)} handed in again`] : []),
    ],
  };
}

function performance({ rating }: WeekFacts, needed: number): Found {
  const isMet = rating !== null && rating >= needed;
  const found = rating === null ? 'Not rated yet' : `Rated ${rating.toFixed(1)} of ${bestRating}`;
  return {
    isMet,
    reason: isMet ? found : `${found}, ${needed.toFixed(1)} needed`,
    standing: rating === null ? 'Not rated yet' : `${rating.toFixed(1)} of ${bestRating}`,
    percentage: shareOf(rating ?? 0, bestRating),
    stillNeeded: isMet ? [] : [`a rating of ${needed.toFixed(1)} or more`],
  };
}

/** How a week would be at best, if nothing more of it is lost than this. */
export function atBest(facts: WeekFacts, lost: LostSoFar): WeekFacts {
  return {
    ...facts,
    activitiesAccessed: facts.activitiesTotal - lost.activities,
    assignmentsSubmitted: facts.assignmentsTotal - lost.assignments,
    assignmentsUntouched: lost.assignments,
    rating: facts.rating ?? bestRating,
  };
}

/**
 * In a running week, the missed activities, and the late work that was never handed in. Only those that count are here.
 */
export interface LostSoFar {
  activities: number;
  assignments: number;
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 100 : (100 * part) / whole;
}

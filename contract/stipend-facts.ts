import { z } from 'zod';

/** What counts in the days of one stipend for one person. Most programmes pay each week. */
export interface WeekFacts extends MoreFacts {
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

export const MoreFacts = z.object({
  /** Sessions are activities that have a day. */
  sessionsTotal: z.number(),
  sessionsAttended: z.number(),
  minutesTotal: z.number(),
  /** The planned minutes of what was attended. */
  minutesAttended: z.number(),
  daysAttended: z.number(),
  /** Attended activities that are held in person. */
  trips: z.number(),
  /** Counts those that were neither attended nor excused, also if they are still to come. */
  unexcusedAbsences: z.number(),
  assignmentsAccepted: z.number(),
  daysInPeriod: z.number(),
  /** The days of the period on which the person was a member. */
  daysEnrolled: z.number(),
});
export type MoreFacts = z.infer<typeof MoreFacts>;

/** A stipend that was judged before these were counted. The rules of that time did not ask for them. */
export const notCounted: MoreFacts = {
  sessionsTotal: 0,
  sessionsAttended: 0,
  minutesTotal: 0,
  minutesAttended: 0,
  daysAttended: 0,
  trips: 0,
  unexcusedAbsences: 0,
  assignmentsAccepted: 0,
  daysInPeriod: 0,
  daysEnrolled: 0,
};

/** The facts that a rule may ask about. What cannot be explained to a participant is not among them. */
export const RuleFact = z.enum([
  'attendanceShare',
  'sessionsAttended',
  'minutesAttended',
  'hoursAttended',
  'absences',
  'unexcusedAbsences',
  'workHandedIn',
  'workAccepted',
  'rating',
  'daysEnrolled',
]);
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
  about: z.enum(['activities', 'assignments', 'rating', 'membership']),
});
export type Finding = z.infer<typeof Finding>;

type Found = Omit<Finding, 'about'>;

interface Measure {
  /** The words for it where rules are written. */
  label: string;
  /** Whether the limit is the least or the most that is enough. */
  asks: 'at least' | 'at most';
  unit: 'percent' | 'count' | 'hours' | 'minutes' | 'days' | 'rating';
  /** The limits that a rule may set. */
  range: [first: number, last: number];
  about: Finding['about'];
  find: (facts: WeekFacts, limit: number) => Found;
  /** Says what a limit asks: 'at least 80% of the activities are attended'. */
  inWords: (limit: number) => string;
  /** What participants ask about it. The period is what one stipend pays for: 'week'. */
  help: (limit: number, period: string) => { question: string; answer: string };
}

export const bestRating = 5;
const recorded = 'An activity counts once it is recorded for you: you mark it complete, or your coach records it.';

export const measures: Record<RuleFact, Measure> = {
  attendanceShare: {
    ...{ label: 'Share of activities attended', asks: 'at least', unit: 'percent' },
    about: 'activities',
    range: [1, 100],
    find: attendance,
    inWords: (percent) => `at least ${percent}% of the activities are attended`,
    help: (percent, period) => ({
      question: 'What counts as attendance?',
      answer: `${recorded} You need ${percent}% of the ${period}'s activities. A ${period} without activities is fine.`,
    }),
  },
  sessionsAttended: {
    ...{ label: 'Sessions attended', asks: 'at least', unit: 'count' },
    about: 'activities',
    range: [1, 200],
    find: ({ sessionsAttended: attended }, needed) => enough(attended, needed, ['session', 'sessions'], 'attended'),
    inWords: (count) => `at least ${counted(count, ['session is', 'sessions are'])} attended`,
    help: (count) => ({
      question: 'What counts as a session?',
      answer: `An activity that has a day. ${recorded} You need ${counted(count, ['session', 'sessions'])}.`,
    }),
  },
  minutesAttended: {
    ...{ label: 'Minutes attended', asks: 'at least', unit: 'minutes' },
    about: 'activities',
    range: [1, 50_000],
    find: ({ minutesAttended: attended }, needed) => enough(attended, needed, ['minute', 'minutes'], 'attended'),
    inWords: (count) => `at least ${counted(count, ['minute is', 'minutes are'])} attended`,
    help: (count) => ({
      question: 'Which minutes count?',
      answer: `The planned minutes of each activity. ${recorded} You need ${counted(count, ['minute', 'minutes'])}.`,
    }),
  },
  hoursAttended: {
    ...{ label: 'Hours attended', asks: 'at least', unit: 'hours' },
    about: 'activities',
    range: [0.5, 800],
    find: ({ minutesAttended: attended }, needed) => enough(attended / 60, needed, ['hour', 'hours'], 'attended'),
    inWords: (count) => `at least ${counted(count, ['hour is', 'hours are'])} attended`,
    help: (count) => ({
      question: 'Which hours count?',
      answer: `The planned time of each activity. ${recorded} You need ${counted(count, ['hour', 'hours'])}.`,
    }),
  },
  absences: {
    ...{ label: 'Activities missed', asks: 'at most', unit: 'count' },
    about: 'activities',
    range: [0, 100],
    find: absences,
    inWords: (count) => (count === 0 ? 'no activity is missed' : `at most ${count} of the activities are missed`),
    help: (count, period) => ({
      question: 'What counts as an absence?',
      answer: `${recorded} You may miss ${count} of the ${period}'s activities.`,
    }),
  },
  unexcusedAbsences: {
    ...{ label: 'Activities missed without an excuse', asks: 'at most', unit: 'count' },
    about: 'activities',
    range: [0, 200],
    find: unexcused,
    inWords: (count) =>
      count === 0
        ? 'no activity is missed without an excuse'
        : `at most ${count} of the activities are missed without an excuse`,
    help: (count) => ({
      question: 'What is an excused absence?',
      answer: `An activity that you miss for a reason your coach accepts. ${recorded} You may miss ${count} without an excuse.`,
    }),
  },
  workHandedIn: {
    ...{ label: 'Share of work handed in', asks: 'at least', unit: 'percent' },
    about: 'assignments',
    range: [1, 100],
    find: handedIn,
    inWords: (percent) => (percent === 100 ? 'all work is handed in' : `at least ${percent}% of the work is handed in`),
    help: (percent, period) => ({
      question: 'Which assignments count?',
      answer: `All assignments of the ${period} count, required or not. ${percent === 100 ? '' : `You need ${percent}% of them. `}Handed in is enough, even before your coach has read it. Work that comes back to you counts again when you hand it in again.`,
    }),
  },
  workAccepted: {
    ...{ label: 'Share of work accepted', asks: 'at least', unit: 'percent' },
    about: 'assignments',
    range: [1, 100],
    find: accepted,
    inWords: (percent) => (percent === 100 ? 'all work is accepted' : `at least ${percent}% of the work is accepted`),
    help: (percent) => ({
      question: 'Which work counts?',
      answer: `Assignments that your coach has accepted. You need ${percent}% of them.`,
    }),
  },
  rating: {
    ...{ label: "Coach's rating", asks: 'at least', unit: 'rating' },
    about: 'rating',
    range: [1, bestRating],
    find: performance,
    inWords: (rating) => `the coach's rating is ${rating.toFixed(1)} or more`,
    help: (rating, period) => ({
      question: 'Who rates me?',
      answer: `Your coach rates each ${period} from 1.0 to ${bestRating.toFixed(1)}. You need ${rating.toFixed(1)} or more. Until then the ${period} waits for the rating.`,
    }),
  },
  daysEnrolled: {
    ...{ label: 'Days enrolled', asks: 'at least', unit: 'days' },
    about: 'membership',
    range: [1, 31],
    find: ({ daysEnrolled: days }, needed) => enough(days, needed, ['day', 'days'], 'enrolled'),
    inWords: (count) => `the person is enrolled for at least ${counted(count, ['day', 'days'])}`,
    help: (count) => ({
      question: 'Which days count?',
      answer: `The days on which you are a member of the cohort. You need ${counted(count, ['day', 'days'])}.`,
    }),
  },
};

type OneAndMany = [one: string, many: string];

/** '1 session', '2.5 hours' */
function counted(count: number, [one, many]: OneAndMany): string {
  return `${amount(count)} ${count === 1 ? one : many}`;
}

/** At most two decimals, rounded down: what is not enough never reads as enough. */
function amount(count: number): string {
  return (Math.floor(count * 100 + 1e-9) / 100).toLocaleString('en-US');
}

function enough(have: number, needed: number, unit: OneAndMany, what: string): Found {
  const isMet = have >= needed;
  const found = `${counted(have, unit)} ${what}`;
  const missing = Math.ceil((needed - have) * 100 - 1e-9) / 100;
  return {
    isMet,
    reason: isMet ? found : `${found}, ${amount(needed)} needed`,
    standing: `${amount(have)} of ${amount(needed)}`,
    percentage: Math.min(100, shareOf(have, needed)),
    stillNeeded: isMet ? [] : [`${counted(missing, [`more ${unit[0]}`, `more ${unit[1]}`])}`],
  };
}

function unexcused({ activitiesTotal: total, unexcusedAbsences: open }: WeekFacts, allowed: number): Found {
  const isMet = open <= allowed;
  const settled = `${total - open} of ${total} activities attended or excused`;
  const needed = open - allowed;
  return {
    isMet,
    reason: total === 0 ? 'No activities to attend' : isMet ? settled : `${settled}, ${total - allowed} needed`,
    standing: `${total - open} of ${total}`,
    percentage: isMet ? 100 : shareOf(total - open, total - allowed),
    stillNeeded: isMet ? [] : [`${counted(needed, ['more activity', 'more activities'])} attended or excused`],
  };
}

function accepted({ assignmentsTotal: total, assignmentsAccepted: done }: WeekFacts, needed: number): Found {
  const isMet = done * 100 >= total * needed;
  const missing = Math.ceil((total * needed) / 100) - done;
  const share = `${done} of ${total} accepted`;
  return {
    isMet,
    reason: total === 0 ? 'No assignments to hand in' : isMet || needed === 100 ? share : `${share}, ${needed}% needed`,
    standing: `${done} of ${total}`,
    percentage: shareOf(done, total),
    stillNeeded: isMet ? [] : [`${counted(missing, ['more assignment', 'more assignments'])} accepted`],
  };
}

function attendance({ activitiesTotal: total, activitiesAccessed: accessed }: WeekFacts, needed: number): Found {
  const isMet = accessed * 100 >= total * needed;
  const share = `${accessed} of ${total} activities attended (${Math.floor((100 * accessed) / total)}%)`;
  // STIP-56
  const missing = Math.ceil((total * needed) / 100) - accessed;
  return {
    isMet,
    reason: total === 0 ? 'No activities to attend' : isMet ? share : `${share}, ${needed}% needed`,
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
        ? 'No assignments to hand in'
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
  const isMet = (rating ?? 0) >= needed;
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
    assignmentsAccepted: facts.assignmentsTotal - lost.assignments,
    sessionsAttended: facts.sessionsTotal - lost.sessions,
    minutesAttended: facts.minutesTotal - lost.minutes,
    unexcusedAbsences: lost.unexcused,
    rating: facts.rating ?? bestRating,
  };
}

/**
 * In a running week, the missed activities, and the late work that was never handed in. Only those that count are here.
 */
export interface LostSoFar {
  activities: number;
  assignments: number;
  sessions: number;
  minutes: number;
  /** Missed activities that nobody excused. */
  unexcused: number;
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 100 : (100 * part) / whole;
}

import { formatCents } from './money.ts';
import { type PayPeriod, periodName, periodWords, startOfSentence } from './pay-periods.ts';
import { outOfReachLabel, type Standing } from './standing.ts';
import { type Criteria, type Criterion, failedCriteria } from './stipend-rules.ts';
import type { StipendWeek } from './stipend-weeks.ts';

/** Participants are spoken to. Staff read about somebody else. */
export type Reader = 'participant' | 'staff';

interface WeekDays {
  firstDay: string;
  lastDay: string;
}

export type WeekPhase = 'not_begun' | 'running' | 'over' | 'decided';

/** A week runs from its Monday to its Friday (TIME-07). A decision counts whatever the day is. */
export function weekPhase({ firstDay, lastDay }: WeekDays, today: string, decision: StipendWeek['state']): WeekPhase {
  if (decision !== 'pending') return 'decided';
  if (today < firstDay) return 'not_begun';
  return today <= lastDay ? 'running' : 'over';
}

export type CriterionState = 'met' | 'so_far' | 'out_of_reach' | 'waiting_for_rating' | 'not_met';

/** STIP-15 fixes the words of the admins' list. Elsewhere staff read the participant's own. */
export type CriterionReader = Reader | 'admin';

/**
 * Says how one criterion stands. Nothing has failed while its week runs, or while only the rating is missing.
 * `lostCriteria` names those that a running week can no longer meet.
 */
export function criterionStanding(
  criterion: Criterion,
  phase: WeekPhase,
  reader: CriterionReader,
  lostCriteria: readonly string[] = [],
): Standing<CriterionState> {
  const { name, isMet, standing, reason } = criterion;
  const [met, notMet] = reader === 'admin' ? ['passed', 'failed'] : ['met', 'not met'];
  if (isMet) return { state: 'met', color: 'success', label: `${name} ${met}`, sentence: reason };
  if (phase !== 'decided' && isWithoutRating(criterion)) {
    return {
      state: 'waiting_for_rating',
      color: 'info',
      label: waitingForRating[reader === 'participant' ? reader : 'staff'],
      sentence: reason,
    };
  }
  if (phase === 'running' && lostCriteria.includes(name)) {
    const label = `${name}: out of reach, ${standing} so far`;
    return { state: 'out_of_reach', color: 'danger', label, sentence: reason };
  }
  if (phase === 'not_begun' || phase === 'running') {
    return { state: 'so_far', color: 'info', label: `${name}: ${standing} so far`, sentence: reason };
  }
  return { state: 'not_met', color: 'danger', label: `${name} ${notMet}`, sentence: reason };
}

export type WeekState =
  | 'not_begun'
  | 'so_far'
  | 'waiting_for_rating'
  | 'met'
  | 'out_of_reach'
  | 'not_met'
  | 'not_counted'
  | Exclude<StipendWeek['state'], 'pending'>;

/** For a count of weeks, such as '2 not met'. */
export const weekStateWords: Record<WeekState, string> = {
  not_begun: 'not started',
  so_far: 'so far',
  waiting_for_rating: 'waiting for a rating',
  met: 'met',
  out_of_reach: 'not on track',
  not_met: 'not met',
  not_counted: 'not counted',
  approved: 'approved',
  sent: 'sent',
  paid: 'paid',
  denied: 'denied',
};

/** Not decided yet, and by now there is nothing to approve. */
const lostStates: ReadonlySet<WeekState> = new Set(['not_met', 'not_counted', 'out_of_reach']);

/** True if the week's amount is not paid, as it stands by now. */
export function isWithoutPay(state: WeekState): boolean {
  return state === 'denied' || lostStates.has(state);
}

export interface WeekStandingFacts extends WeekDays {
  weekNumber: number;
  payPeriod: PayPeriod;
  today: string;
  reader: Reader;
  decision: StipendWeek['state'];
  /** The week as it was judged. */
  criteria: Criteria;
  /** It can be false although all criteria are met, if the person left before the week was over. */
  isEligible: boolean;
  /** True if, by the rules, too much is lost for the week to meet them (`isAtRisk`). */
  isOutOfReach: boolean;
  amountCents: number;
}

/** Says how a person's week stands that is paid if it meets its criteria. */
export function weekStanding(facts: WeekStandingFacts): Standing<WeekState> {
  const { today, reader, decision, criteria, isEligible, isOutOfReach } = facts;
  const phase = weekPhase(facts, today, decision);
  if (decision !== 'pending') return decided(decision, facts);
  if (phase === 'not_begun') {
    const sentence = `${startOfSentence(periodName(facts))} ${haveOrHas(facts)} not started.`;
    return { state: 'not_begun', color: 'info', label: 'Not started', sentence };
  }
  const open = criteria.filter(({ isMet }) => !isMet);
  const states = open.map((criterion) => criterionStanding(criterion, phase, reader));
  if (open.length === 0) return isEligible ? allMet(facts) : notCounted(facts);
  if (phase === 'running' && isOutOfReach) return outOfReach(facts);
  if (states.every(({ state }) => state === 'waiting_for_rating')) return onlyRatingMissing(facts);
  if (phase === 'running') return { ...soFar(states), sentence: stillNeeded(facts) };
  return notMet(facts, open);
}

/** Says what a completed activity brought for the pay of its week. Participants read it right after. */
export function completionSentence(facts: WeekStandingFacts): string {
  const { state, sentence } = weekStanding(facts);
  if (state !== 'so_far') return sentence;
  const pay = `${periodWords[facts.payPeriod].ofPresent} ${formatCents(facts.amountCents)}`;
  const isOfActivities = ({ about }: Criterion) => about === 'activities';
  const activities = neededFor(facts.criteria.filter(isOfActivities));
  const rest = neededFor(facts.criteria.filter((criterion) => !isOfActivities(criterion)));
  if (activities === '') return `These are enough activities for ${pay}. You still need ${rest}.`;
  return `${activities} for ${pay}.${rest === '' ? '' : ` You also need ${rest}.`}`;
}

export type ActivitiesState = 'none' | 'so_far' | 'all_done';

/** Says how a week stands that nothing is paid for. It goes by the activities alone. */
export function activitiesStanding({ done, total }: { done: number; total: number }): Standing<ActivitiesState> {
  if (total === 0) {
    return { state: 'none', color: 'neutral', label: 'Nothing this week', sentence: 'No activities this week.' };
  }
  const sentence = `${done} of ${total} activities of this week are done.`;
  if (done === total) return { state: 'all_done', color: 'success', label: 'All done', sentence };
  return { state: 'so_far', color: 'info', label: `${done} of ${total} so far`, sentence };
}

interface Pace {
  done: number;
  total: number;
  isOnTrack: boolean;
  /** True if the week is paid, by a share of the activities that stands elsewhere on the screen. */
  isPaid: boolean;
}

/** FELL-19's verdict. It names the learning, because pay and programme are judged by more than this. */
export function paceSentence({ done, total, isOnTrack, isPaid }: Pace): string {
  const pay = isPaid ? ' Pay has its own requirements: see your stipend.' : '';
  if (isOnTrack)
    return `On track with learning: half of this week's activities are done, and none from an earlier week is overdue.${pay}`;
  const because =
    done * 2 < total
      ? "learning needs half of this week's activities"
      : 'one from an earlier week is more than a day overdue';
  return `Not on track with learning yet: ${because}.${pay}`;
}

export type EligibilityState = 'eligible' | 'not_yet' | 'not_eligible';

/** Its words are the same for every reader. */
export interface EligibilityFacts extends Omit<WeekStandingFacts, 'reader'> {
  /** The names of the criteria that are out of reach, where they are known. */
  lostCriteria?: readonly string[];
}

/** STIP-16: the admins' word for a week as a whole. While it can still be met, it is 'Not Eligible yet'. */
export function eligibilityStanding(facts: EligibilityFacts): Standing<EligibilityState> {
  const { label, sentence, state } = weekStanding({ ...facts, decision: 'pending', reader: 'staff' });
  if (facts.isEligible) return { state: 'eligible', color: 'success', label: 'Eligible', sentence };
  const isOpen = facts.decision === 'pending' && !lostStates.has(state);
  if (isOpen) return { state: 'not_yet', color: 'info', label: 'Not Eligible yet', sentence: label };
  const failed = failedCriteria(facts.criteria);
  const why = failed.length > 0 ? `Failed: ${failed.join(', ')}` : sentence;
  return {
    state: 'not_eligible',
    color: 'danger',
    label: 'Not Eligible',
    sentence: state === 'out_of_reach' ? whyLost(facts) || label : why,
  };
}

/** 'Attendance: 2 of 5 so far' */
function whyLost({ criteria, lostCriteria = [] }: EligibilityFacts): string {
  const deciding = criteria.filter(({ name, isMet }) => !isMet && lostCriteria.includes(name));
  return deciding.map((criterion) => criterionStanding(criterion, 'running', 'staff').label).join(', ');
}

const waitingForRating: Record<Reader, string> = {
  participant: "Waiting for your coach's rating",
  staff: "Waiting for the coach's rating",
};

/** A rating is 1.0 at least. */
function isWithoutRating({ about, isMet, percentage }: Criterion): boolean {
  return about === 'rating' && !isMet && percentage === 0;
}

function allMet({ criteria, amountCents, ...week }: WeekStandingFacts): Standing<WeekState> {
  const all = `All ${criteria.length} requirements`;
  return {
    state: 'met',
    color: 'success',
    label: `${all} met`,
    sentence: `${all} are met: ${formatCents(amountCents)} can be approved for ${periodName(week)}.`,
  };
}

function notCounted({ reader, ...week }: WeekStandingFacts): Standing<WeekState> {
  const who = reader === 'staff' ? 'The person was' : 'You were';
  return {
    state: 'not_counted',
    color: 'neutral',
    label: 'Does not count',
    sentence: `${who} not in the cohort for all of ${periodName(week)}.`,
  };
}

function outOfReach({ reader, ...week }: WeekStandingFacts): Standing<WeekState> {
  const help = reader === 'staff' ? '' : ' Your coach can tell you more.';
  const sentence = `Too much was missed or is late for ${periodName(week)} to be paid.${help}`;
  return { state: 'out_of_reach', color: 'danger', label: outOfReachLabel(week.payPeriod), sentence };
}

function onlyRatingMissing({ reader, amountCents, ...week }: WeekStandingFacts): Standing<WeekState> {
  const coach = reader === 'staff' ? 'The coach' : 'Your coach';
  const sentence = `Everything else is met. ${coach} rates ${periodName(week)}, then ${formatCents(amountCents)} can be approved.`;
  return { state: 'waiting_for_rating', color: 'info', label: waitingForRating[reader], sentence };
}

function haveOrHas({ payPeriod }: WeekStandingFacts): string {
  return payPeriod === 'two_weeks' ? 'have' : 'has';
}

/** The first thing that the person can still do something about. */
function soFar(states: Standing<CriterionState>[]): Omit<Standing<WeekState>, 'sentence'> {
  const own = states.find(({ state }) => state === 'so_far') ?? states[0];
  return { state: 'so_far', color: 'info', label: own?.label ?? '' };
}

function stillNeeded({ criteria, amountCents, reader, ...week }: WeekStandingFacts): string {
  const needs = neededFor(criteria);
  const amount = `${formatCents(amountCents)} for ${periodName(week)}`;
  return reader === 'staff' ? `Still needed for ${amount}: ${needs}.` : `For ${amount} you still need ${needs}.`;
}

function neededFor(criteria: Criteria): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(
    criteria.flatMap(({ stillNeeded: needed }) => needed),
  );
}

/** A missing rating is not a failure of the person. It is named only if nothing else is missing. */
function notMet(week: WeekStandingFacts, open: Criteria): Standing<WeekState> {
  const failed = open.filter((criterion) => !isWithoutRating(criterion));
  return {
    state: 'not_met',
    color: 'danger',
    label: `Not met: ${failed.map(({ name }) => name).join(', ')}`,
    sentence: `${startOfSentence(periodName(week))} ${week.payPeriod === 'two_weeks' ? 'are' : 'is'} over and not decided yet: ${failed.map(({ reason }) => reason).join('; ')}.`,
  };
}

function decided(
  decision: Exclude<StipendWeek['state'], 'pending'>,
  { amountCents, reader, ...week }: WeekStandingFacts,
): Standing<WeekState> {
  const amount = `${formatCents(amountCents)} for ${periodName(week)}`;
  const help = reader === 'staff' ? '' : ' Your coach can tell you more.';
  const sentences = {
    approved: `${amount} is approved.`,
    sent: `${amount} is sent to the payment system.`,
    paid: `${amount} is paid.`,
    denied: `The ${amount} was denied.${help}`,
  };
  return { state: decision, ...decisionLooks[decision], sentence: sentences[decision] };
}

/** STIP-10, STIP-17: the status of a payment, beside how the week stands. */
export const paymentLooks = {
  pending: { color: 'warning', label: 'Pending' },
  approved: { color: 'success', label: 'Approved' },
  paid: { color: 'success', label: 'Paid' },
  denied: { color: 'danger', label: 'Denied' },
} as const satisfies Record<string, Pick<Standing, 'color' | 'label'>>;

/** The words for the decision alone. */
export const decisionLooks = {
  pending: { color: 'warning', label: 'Not decided yet' },
  approved: { color: 'success', label: 'Approved' },
  sent: { color: 'success', label: 'Sent to the payment system' },
  paid: { color: 'success', label: 'Paid' },
  denied: { color: 'danger', label: 'Denied' },
} as const satisfies Record<StipendWeek['state'], Pick<Standing, 'color' | 'label'>>;

/** In charts of pay: not decided, and by now nothing is paid for it. */
export const notEligibleLook = { color: 'neutral', label: 'Not eligible' } as const satisfies Pick<
  Standing,
  'color' | 'label'
>;

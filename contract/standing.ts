import type { Progress, ProgressStatus } from './fellowship.ts';
import type { OpenMatters } from './open-matters.ts';
import { type PayPeriod, periodWords } from './pay-periods.ts';

/**
 * Names how a person stands. The week is judged by its criteria, the programme by the cohort's calendar, and each says
 * which it is. Every screen, mail and export asks here.
 */
export interface Standing<State extends string = string> {
  state: State;
  /** A status color of the theme. The label says the same in words. */
  color: 'success' | 'warning' | 'danger' | 'info' | 'neutral';
  label: string;
  /** Says why, or what comes next. It is ready to stand alone. */
  sentence: string;
}

export type ProgrammeState = 'nothing_yet' | 'complete' | 'ahead' | 'on_schedule' | 'behind';

/** A person is behind, or ahead, by whole weeks of as many days. */
export const daysOfWeek = 7;

/**
 * Says how a person stands in the whole programme, against the cohort's calendar, in whole weeks, because a programme is
 * planned by the week.
 */
export function programmeStanding({
  overallPercentage,
  daysAheadBehind,
}: Pick<Progress, 'overallPercentage' | 'daysAheadBehind'>): Standing<ProgrammeState> {
  if (daysAheadBehind === null) {
    return {
      state: 'nothing_yet',
      color: 'info',
      label: 'Nothing counted yet',
      sentence: 'Progress counts from the first activity.',
    };
  }
  const share = `${Math.round(overallPercentage)}% of the whole program is complete`;
  if (overallPercentage >= 100) {
    return { state: 'complete', color: 'success', label: 'Program complete', sentence: `${share}.` };
  }
  const weeks = Math.trunc(Math.abs(daysAheadBehind) / daysOfWeek);
  const count = counted(weeks, 'week');
  if (weeks === 0) {
    const plan = daysAheadBehind < 0 ? 'less than a week behind the plan' : 'as planned by today';
    return { state: 'on_schedule', color: 'success', label: 'On schedule', sentence: `${share}, ${plan}.` };
  }
  return daysAheadBehind > 0
    ? { state: 'ahead', color: 'success', label: `${count} ahead of schedule`, sentence: `${share}, ${count} early.` }
    : { state: 'behind', color: 'warning', label: `${count} behind schedule`, sentence: `${share}, ${count} late.` };
}

/**
 * TRACK-14's status, as what it is: a share of the whole programme. Its own words would call everybody at risk in the
 * first weeks, beside a schedule that says otherwise (docs/decisions).
 */
export const completionLabels: Record<ProgressStatus, string> = {
  ahead: 'Over 75% complete',
  on_track: '25% to 75% complete',
  behind: '10% to 25% complete',
  at_risk: 'Under 10% complete',
};

export type PersonState =
  | 'out_of_reach'
  | 'activities_overdue'
  | 'assignments_overdue'
  | 'behind'
  | 'returned'
  | 'no_show'
  | 'silent'
  | 'up_to_date';

export interface PersonStandingFacts {
  /** As in `WeekStandingFacts`. It is false for a person whom nothing is paid. */
  isOutOfReach: boolean;
  /** The pay period of the person's program. Most pay each week. */
  payPeriod?: PayPeriod | undefined;
  programme: Pick<Progress, 'overallPercentage' | 'daysAheadBehind'>;
  matters: OpenMatters;
}

export interface PersonStanding extends Standing<PersonState> {
  /** All reasons, the gravest first. It is empty for a person who is up to date. */
  reasons: string[];
}

/**
 * Says how a person stands as a whole, for staff, if a list has room for one badge. The label is the gravest reason,
 * and the sentence has them all.
 */
export function personStanding(facts: PersonStandingFacts): PersonStanding {
  const found = reasonsOf(facts);
  const reasons = found.map(({ label }) => label);
  const [gravest] = found;
  if (!gravest) {
    const sentence = `${programmeStanding(facts.programme).label}.`;
    return { state: 'up_to_date', color: 'success', label: 'Up to date', sentence, reasons };
  }
  const color = gravest.state === 'out_of_reach' ? 'danger' : 'warning';
  return { ...gravest, color, sentence: `${reasons.join('. ')}.`, reasons };
}

function reasonsOf({ isOutOfReach, payPeriod = 'week', programme, matters }: PersonStandingFacts) {
  const { state, label } = programmeStanding(programme);
  const { missedActivities, overdueAssignments, submissionsToRevise, missedSessions, isSilent } = matters;
  const reasons: { state: PersonState; label: string; applies: boolean }[] = [
    { state: 'out_of_reach', label: outOfReachLabel(payPeriod), applies: isOutOfReach },
    {
      state: 'activities_overdue',
      label: `${counted(missedActivities, 'activity', 'activities')} overdue`,
      applies: missedActivities > 0,
    },
    {
      state: 'assignments_overdue',
      label: `${counted(overdueAssignments, 'assignment')} overdue`,
      applies: overdueAssignments > 0,
    },
    { state: 'behind', label, applies: state === 'behind' },
    {
      state: 'returned',
      label: `${counted(submissionsToRevise, 'assignment')} returned`,
      applies: submissionsToRevise > 0,
    },
    { state: 'no_show', label: counted(missedSessions, 'no-show'), applies: missedSessions > 0 },
    { state: 'silent', label: 'Silent for 7 days', applies: isSilent },
  ];
  return reasons.filter(({ applies }) => applies).map(({ applies: _, ...reason }) => reason);
}

/** For a running week of which too much is lost. It says the same of the week and of the person. */
export function outOfReachLabel(payPeriod: PayPeriod): string {
  return `Not on track for ${periodWords[payPeriod].ofPresent} pay`;
}

export const standingGroups = ['atRisk', 'behind', 'onTrack'] as const;
export type StandingGroup = (typeof standingGroups)[number];

/** The words for a whole group, as in a figure of a cohort. Each person of it has theirs from the functions above. */
export const groupStandings: Record<StandingGroup, Standing<StandingGroup>> = {
  atRisk: {
    state: 'atRisk',
    color: 'danger',
    label: 'Pay at risk',
    sentence: 'Not on track for the running pay period.',
  },
  behind: {
    state: 'behind',
    color: 'warning',
    label: 'Behind schedule only',
    sentence: 'At least 1 week behind schedule, with pay not at risk.',
  },
  onTrack: { state: 'onTrack', color: 'success', label: 'On track', sentence: 'On schedule, ahead, or complete.' },
};

/** Each person is in one group. The running week's pay weighs more than the program. */
export function standingGroup({
  isOutOfReach,
  programme,
}: Pick<PersonStandingFacts, 'isOutOfReach' | 'programme'>): StandingGroup {
  if (isOutOfReach) return 'atRisk';
  return programmeStanding(programme).state === 'behind' ? 'behind' : 'onTrack';
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

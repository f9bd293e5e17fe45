import { formatCents } from '#contract/money.ts';
import { periodName, startOfSentence } from '#contract/pay-periods.ts';
import type { Criterion } from '#contract/stipend-rules.ts';
import type { StipendWeek } from '#contract/stipend-weeks.ts';
import {
  type CriterionState,
  criterionStanding,
  decisionLooks,
  eligibilityStanding,
  type WeekPhase,
  weekPhase,
} from '#contract/week-standing.ts';

const dayInWords = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

const criterionStates: Record<CriterionState, string> = {
  met: 'met',
  so_far: 'so far',
  out_of_reach: 'out of reach',
  waiting_for_rating: "waiting for the coach's rating",
  not_met: 'not met',
};

/** A week as it stands, line by line. It goes with a question, to participant and coach. */
export function factsInWords(week: StipendWeek): string[] {
  const { firstDay, lastDay, today, cohortName, criteria, lostCriteria, membershipNote, amountCents, state } = week;
  const phase = weekPhase(week, today, state);
  return [
    `${startOfSentence(periodName(week))} (${inWords(firstDay)} to ${inWords(lastDay)}), ${cohortName}`,
    ...criteria.map((criterion) => criterionInWords(criterion, phase, lostCriteria)),
    ...(membershipNote ? [membershipNote] : []),
    `${eligibilityOf(week).label}, ${formatCents(amountCents)}: ${decisionLooks[state].label}`,
  ];
}

/** For example 'Attendance: 4 of 5 activities attended (80%) (met)'. */
export function criterionInWords(criterion: Criterion, phase: WeekPhase, lostCriteria?: string[]): string {
  // Stryker disable next-line StringLiteral: The state is the same for every reader.
  const { state } = criterionStanding(criterion, phase, 'staff', lostCriteria);
  return `${criterion.name}: ${criterion.reason} (${criterionStates[state]})`;
}

export function eligibilityOf(week: StipendWeek) {
  return eligibilityStanding({ ...week, decision: week.state });
}

/** Writes a calendar day as 'Oct 6, 2025'. */
export function inWords(day: string): string {
  return dayInWords.format(new Date(`${day}T00:00:00Z`));
}

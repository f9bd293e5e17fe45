import { formatCents } from '#contract/money.ts';
import type { Criterion } from '#contract/stipend-rules.ts';
import type { StipendWeek } from '#contract/stipend-weeks.ts';

export const stateWords: Record<StipendWeek['state'], string> = {
  pending: 'Not decided yet',
  approved: 'Approved',
  sent: 'Sent to the payment system',
  paid: 'Paid',
  denied: 'Denied',
};

const dayInWords = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A week as the participant sees it, line by line. It goes with a question. */
export function factsInWords(week: StipendWeek): string[] {
  const { weekNumber, firstDay, lastDay, cohortName, criteria, isEligible, membershipNote, amountCents, state } = week;
  return [
    `Week ${weekNumber} (${inWords(firstDay)} to ${inWords(lastDay)}), ${cohortName}`,
    ...criteria.map(criterionInWords),
    ...(membershipNote ? [membershipNote] : []),
    `${isEligible ? 'Eligible' : 'Not eligible'}, ${formatCents(amountCents)}: ${stateWords[state]}`,
  ];
}

/** For example 'Attendance: 4 of 5 activities attended (80%) (met)'. */
export function criterionInWords({ name, reason, isMet }: Criterion): string {
  return `${name}: ${reason} (${isMet ? 'met' : 'not met'})`;
}

/** Writes a calendar day as 'Oct 6, 2025'. */
export function inWords(day: string): string {
  return dayInWords.format(new Date(`${day}T00:00:00Z`));
}

import { formatCents } from '#contract/money.ts';
import type { StipendWeek } from '#contract/stipend-weeks.ts';

const names = { attendance: 'Attendance', assignments: 'Assignments', performance: 'Performance' } as const;

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

/** A week as the participant sees it, a line each: what goes with a question. */
export function factsInWords(week: StipendWeek): string[] {
  const { weekNumber, firstDay, lastDay, cohortName, criteria, isEligible, membershipNote, amountCents, state } = week;
  return [
    `Week ${weekNumber} (${inWords(firstDay)} to ${inWords(lastDay)}), ${cohortName}`,
    ...(['attendance', 'assignments', 'performance'] as const).map(
      (name) => `${names[name]}: ${criteria[name].reason} (${criteria[name].isMet ? 'met' : 'not met'})`,
    ),
    ...(membershipNote ? [membershipNote] : []),
    `${isEligible ? 'Eligible' : 'Not eligible'}, ${formatCents(amountCents)}: ${stateWords[state]}`,
  ];
}

/** 'Oct 6, 2025' for a calendar day. */
export function inWords(day: string): string {
  return dayInWords.format(new Date(`${day}T00:00:00Z`));
}

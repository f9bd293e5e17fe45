import { periodName, startOfSentence } from '#contract/pay-periods.ts';
import type { StipendQuestion } from '#contract/stipend-questions.ts';
import type { StipendWeek } from '#contract/stipend-weeks.ts';
import { type Reader, weekStanding } from '#contract/week-standing.ts';
import { workStanding } from '#contract/work-standing.ts';
import { formatDay } from '../../ui/dates.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

export const questionLooks: Record<StipendQuestion['status'], { label: string; tone: Tone }> = {
  open: { label: 'Waiting for an answer', tone: 'warning' },
  answered: { label: 'Answered', tone: 'success' },
  closed: { label: 'Closed', tone: 'neutral' },
  withdrawn: { label: 'Taken back', tone: 'neutral' },
};

/** How the week stands by now, for its participant or for the staff who look at it. */
export function standingOf(week: StipendWeek, reader: Reader) {
  return weekStanding({ ...week, decision: week.state, reader });
}

/** Names the week's place on the page. */
export function placeOfWeek({ cohortId, weekNumber }: StipendWeek): string {
  return `week-${weekNumber}-${cohortId}`;
}

export function titleOfWeek(week: StipendWeek): string {
  const { firstDay, lastDay } = week;
  return `${startOfSentence(periodName(week))}, ${formatDay(firstDay)} to ${formatDay(lastDay, { withYear: true })}`;
}

/** Says by when. An activity is held on a day, and work is due on one. */
export function byWhen({ kind, day, status }: StipendWeek['missing'][number], today: string): string {
  if (kind === 'assignment') {
    const { state, label } = workStanding({ status, dueDate: day, today });
    if (state === 'returned') return label.toLowerCase();
    if (state === 'overdue') return `overdue, was due ${formatDay(day)}`;
    return day ? `to hand in, due ${formatDay(day)}` : 'to hand in before the decision';
  }
  if (day === null) return 'not attended';
  return day < today ? `not attended on ${formatDay(day)}` : `to attend on ${formatDay(day)}`;
}

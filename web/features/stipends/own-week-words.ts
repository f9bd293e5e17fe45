import type { StipendQuestion } from '#contract/stipend-questions.ts';
import type { StipendWeek } from '#contract/stipend-weeks.ts';
import { formatDay } from '../../ui/dates.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

export const weekLooks: Record<StipendWeek['state'], { label: string; tone: Tone }> = {
  pending: { label: 'Not decided yet', tone: 'warning' },
  approved: { label: 'Approved', tone: 'success' },
  sent: { label: 'Sent for payment', tone: 'success' },
  paid: { label: 'Paid', tone: 'success' },
  denied: { label: 'Denied', tone: 'danger' },
};

export const questionLooks: Record<StipendQuestion['status'], { label: string; tone: Tone }> = {
  open: { label: 'Waits for an answer', tone: 'warning' },
  answered: { label: 'Answered', tone: 'success' },
  closed: { label: 'Closed', tone: 'neutral' },
  withdrawn: { label: 'Taken back', tone: 'neutral' },
};

export function titleOfWeek({ weekNumber, firstDay, lastDay }: StipendWeek): string {
  return `Week ${weekNumber}, ${formatDay(firstDay)} to ${formatDay(lastDay, { withYear: true })}`;
}

/** Says by when. An activity is held on a day, and work is due on one. */
export function byWhen({ kind, day }: StipendWeek['missing'][number], today: string): string {
  if (kind === 'assignment') return day ? `to hand in, due ${formatDay(day)}` : 'to hand in before the week is decided';
  if (day === null) return 'not attended';
  return day < today ? `not attended on ${formatDay(day)}` : `to attend on ${formatDay(day)}`;
}

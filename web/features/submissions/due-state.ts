import { daysBetween } from '#contract/weeks.ts';

export type DueState = 'overdue' | 'soon' | 'later';

const soonInDays = 3;

/** ASSIGN-02: work handed in on the due day is still in time. */
export function dueState(dueDate: string, today: string): DueState {
  const days = daysBetween(today, dueDate);
  if (days < 0) return 'overdue';
  return days <= soonInDays ? 'soon' : 'later';
}

/** 'Overdue by 2 days', 'Due today', 'Due tomorrow', 'Due in 3 days'. */
export function dueInWords(dueDate: string, today: string): string {
  const days = daysBetween(today, dueDate);
  if (days < 0) return `Overdue by ${days === -1 ? '1 day' : `${-days} days`}`;
  if (days === 0) return 'Due today';
  return days === 1 ? 'Due tomorrow' : `Due in ${days} days`;
}

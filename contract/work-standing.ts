import type { Standing } from './standing.ts';
import { canResubmit, type SubmissionStatus } from './submissions.ts';
import { daysBetween } from './weeks.ts';

export type WorkState = 'returned' | 'overdue' | 'due_soon' | 'to_hand_in' | 'in_review' | 'accepted';

export interface WorkStandingFacts {
  /** Null if nothing was handed in. */
  status: SubmissionStatus | null;
  dueDate: string | null;
  today: string;
}

/** FELL-20, FELL-22, ASSIGN-02 */
export const soonInDays = 3;

export const returnedLabel = 'Returned: revise and hand in again';

/**
 * Says how a participant's work on an assignment stands. Returned work is never 'to hand in', because it was handed in.
 * Work handed in on its day is in time.
 */
export function workStanding({ status, dueDate, today }: WorkStandingFacts): Standing<WorkState> {
  const when = dueDate ? `${dueInWords(dueDate, today)}.` : 'It has no due date.';
  if (status === null) {
    const days = dueDate ? daysBetween(today, dueDate) : null;
    if (days !== null && days < 0) return { state: 'overdue', color: 'danger', label: 'Overdue', sentence: when };
    if (days !== null && days <= soonInDays) {
      return { state: 'due_soon', color: 'warning', label: 'Due soon', sentence: when };
    }
    return { state: 'to_hand_in', color: 'info', label: 'To hand in', sentence: when };
  }
  if (canResubmit(status)) {
    return { state: 'returned', color: 'warning', label: returnedLabel, sentence: 'Your coach asks for changes.' };
  }
  return status === 'submitted'
    ? { state: 'in_review', color: 'info', label: 'Waiting for review', sentence: 'It was handed in.' }
    : { state: 'accepted', color: 'success', label: 'Accepted', sentence: 'Nothing more is needed.' };
}

/** 'Overdue by 2 days', 'Due today', 'Due tomorrow', 'Due in 3 days'. */
export function dueInWords(dueDate: string, today: string): string {
  const days = daysBetween(today, dueDate);
  if (days < 0) return `Overdue by ${days === -1 ? '1 day' : `${-days} days`}`;
  if (days === 0) return 'Due today';
  return days === 1 ? 'Due tomorrow' : `Due in ${days} days`;
}

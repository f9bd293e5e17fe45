import { Alert } from '@mantine/core';
import { CalendarClock, CircleAlert, Clock, RotateCcw } from 'lucide-react';
import type { SubmissionStatus } from '#contract/submissions.ts';
import { daysBetween } from '#contract/weeks.ts';
import { dueInWords, type WorkState, workStanding } from '#contract/work-standing.ts';
import { formatDay } from '../../ui/dates.ts';
import { inDays } from '../../ui/due-words.ts';

interface DueBannerProps {
  dueDate: string | null;
  today: string;
  /** Null if nothing was handed in. */
  status: SubmissionStatus | null;
  /** True if the person still has to hand it in. Otherwise the banner only tells the date. */
  isOpen: boolean;
}

const looks: Partial<Record<WorkState, { color: string; icon: typeof Clock }>> = {
  returned: { color: 'yellow', icon: RotateCcw },
  overdue: { color: 'red', icon: CircleAlert },
  due_soon: { color: 'yellow', icon: Clock },
};
const plain = { color: 'gray', icon: CalendarClock };

/** ASSIGN-02 */
export function DueBanner(props: DueBannerProps) {
  const { color, icon: Icon } = (props.isOpen && looks[workStanding(props).state]) || plain;
  return (
    <Alert color={color} icon={<Icon size={18} aria-hidden />} role="note" aria-label="Due date" py="xs" radius="lg">
      {wordsFor(props)}
    </Alert>
  );
}

function wordsFor({ dueDate, today, status, isOpen }: DueBannerProps): string {
  const day = formatDay(dueDate, { withYear: true });
  const days = dueDate ? daysBetween(today, dueDate) : Number.NaN;
  const date = Number.isNaN(days) ? `Due date: ${day}` : `Due date: ${day}, ${inDays(days)}`;
  const { state, label } = workStanding({ dueDate, today, status });
  if (isOpen && state === 'returned') return dueDate ? `${label}. ${date}` : label;
  return dueDate && isOpen ? `${dueInWords(dueDate, today)}: ${day}` : date;
}

import { Alert } from '@mantine/core';
import { CalendarClock, CircleAlert, Clock } from 'lucide-react';
import { formatDay } from '../../ui/dates.ts';
import { dueInWords, dueState } from './due-state.ts';

interface DueBannerProps {
  dueDate: string | null;
  today: string;
  /** True if the person still has to hand it in. Otherwise the banner only tells the date. */
  isOpen: boolean;
}

const looks = {
  overdue: { color: 'red', icon: CircleAlert },
  soon: { color: 'yellow', icon: Clock },
  later: { color: 'gray', icon: CalendarClock },
} as const;

/** ASSIGN-02 */
export function DueBanner({ dueDate, today, isOpen }: DueBannerProps) {
  const { color, icon: Icon } = looks[dueDate && isOpen ? dueState(dueDate, today) : 'later'];
  return (
    <Alert color={color} icon={<Icon size={18} aria-hidden />} role="note" aria-label="Due date" py="xs" radius="lg">
      {wordsFor({ dueDate, today, isOpen })}
    </Alert>
  );
}

function wordsFor({ dueDate, today, isOpen }: DueBannerProps): string {
  const day = formatDay(dueDate, { withYear: true });
  return dueDate && isOpen ? `${dueInWords(dueDate, today)}: ${day}` : `Due date: ${day}`;
}

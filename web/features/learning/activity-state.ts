import { CalendarClock, CircleAlert, CircleCheck, Clock, Lock, type LucideIcon } from 'lucide-react';
import type { ActivityState } from '#contract/learning.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

/** CAL-11: color, icon and word of each state. */
export const stateLooks: Record<ActivityState, { tone: Tone; icon: LucideIcon; word: string }> = {
  completed: { tone: 'success', icon: CircleCheck, word: 'Completed' },
  overdue: { tone: 'danger', icon: CircleAlert, word: 'Overdue' },
  today: { tone: 'warning', icon: CalendarClock, word: 'Today' },
  upcoming: { tone: 'info', icon: Clock, word: 'Upcoming' },
  locked: { tone: 'neutral', icon: Lock, word: 'Locked' },
};

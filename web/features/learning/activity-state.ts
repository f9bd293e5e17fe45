import { CalendarClock, CircleAlert, CircleCheck, Clock, Lock, type LucideIcon } from 'lucide-react';
import type { ActivityState, CalendarActivity } from '#contract/learning.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

/** CAL-11: color, icon and word of each state. */
export const stateLooks: Record<ActivityState, { tone: Tone; icon: LucideIcon; word: string }> = {
  completed: { tone: 'success', icon: CircleCheck, word: 'Completed' },
  overdue: { tone: 'danger', icon: CircleAlert, word: 'Overdue' },
  today: { tone: 'warning', icon: CalendarClock, word: 'Today' },
  upcoming: { tone: 'info', icon: Clock, word: 'Upcoming' },
  locked: { tone: 'neutral', icon: Lock, word: 'Locked' },
};

/** Whose activity it is, for people who complete nothing and see several cohorts at once. Null for others. */
export function cohortInWords({ state, cohortName }: Pick<CalendarActivity, 'state' | 'cohortName'>): string | null {
  return state === null ? (cohortName ?? 'No cohort') : null;
}

export function areOfSeveralCohorts(activities: CalendarActivity[]): boolean {
  return new Set(activities.map(cohortInWords)).size > 1;
}

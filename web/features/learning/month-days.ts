import type { CalendarActivity } from '#contract/learning.ts';
import { addDays } from '#contract/weeks.ts';
import { instantIn } from '#contract/zones.ts';

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The days of a month's grid, `YYYY-MM-DD`, in weeks that run Monday to Sunday (CAL-05). */
export function weeksOfMonth(month: string): string[][] {
  const first = `${month}-01`;
  const start = mondayOf(first);
  const lastDay = addDays(`${addMonths(month, 1)}-01`, -1);
  const weeks: string[][] = [];
  for (let monday = start; monday <= lastDay; monday = addDays(monday, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(monday, index)));
  }
  return weeks;
}

/** `YYYY-MM`, some months later or earlier. */
export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** 'October 2025' */
export function monthInWords(month: string): string {
  const parts = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-US', parts).format(new Date(`${month}-01T00:00:00Z`));
}

/** The Monday of a day's week, which is the day itself on a Monday. */
export function mondayOf(day: string): string {
  const daysSince = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return addDays(day, -daysSince);
}

/**
 * The order of what happens on one day. Stored times are in order already unless activities name different zones. What
 * has no time comes last.
 */
export function inOrderOfDay(activities: CalendarActivity[]): CalendarActivity[] {
  if (new Set(activities.map(({ zone }) => zone)).size < 2) return activities;
  const startOf = ({ sessionDate, sessionTime, zone }: CalendarActivity) =>
    (sessionDate && sessionTime && instantIn(sessionDate, sessionTime, zone)?.getTime()) || Number.MAX_SAFE_INTEGER;
  return activities
    .map((activity) => ({ activity, start: startOf(activity) }))
    .sort((one, other) => one.start - other.start)
    .map(({ activity }) => activity);
}

/** CAL-06: if a day has no room for all, what is overdue or still to do comes before what is completed. */
export function firstOfDay(activities: CalendarActivity[], room: number): CalendarActivity[] {
  if (activities.length <= room) return activities;
  const isDone = ({ state }: CalendarActivity) => Number(state === 'completed');
  return activities.toSorted((one, other) => isDone(one) - isDone(other)).slice(0, room);
}

import type { CalendarActivity } from '#contract/learning.ts';
import { addDays } from '#contract/weeks.ts';
import { formatDay } from '../../ui/dates.ts';
import { mondayOf } from './month-days.ts';

export interface WeekGroup {
  key: string;
  title: string;
  isThisWeek: boolean;
  activities: CalendarActivity[];
}

export interface WeekFolds {
  earlier: CalendarActivity[];
  shown: CalendarActivity[];
  later: CalendarActivity[];
}

/**
 * A list in weeks: of the own programme, or of the year for whoever has no cohort of their own (`currentWeek` null)
 * and sees several at once. `today` is the US Eastern day.
 */
export function groupByWeek(activities: CalendarActivity[], currentWeek: number | null, today: string): WeekGroup[] {
  if (currentWeek !== null) {
    return [...Map.groupBy(activities, ({ weekNumber }) => weekNumber)].map(([week, ofWeek]) => ({
      key: `week-${week}`,
      title: `Week ${week}`,
      isThisWeek: week === currentWeek,
      activities: ofWeek,
    }));
  }
  const byMonday = Map.groupBy(activities.toSorted(byDate), ({ sessionDate }) => sessionDate && mondayOf(sessionDate));
  return [...byMonday].map(([monday, ofWeek]) => ({
    key: `from-${monday}`,
    title: monday ? `Week of ${formatDay(monday, { withYear: true })}` : 'Not scheduled',
    isThisWeek: monday === mondayOf(today),
    activities: ofWeek,
  }));
}

/** Cuts a list so that it opens at the present: this week and the next are shown, the others folded. */
export function foldWeeks(activities: CalendarActivity[], currentWeek: number | null, today: string): WeekFolds {
  const monday = mondayOf(today);
  const placeOf = ({ weekNumber, sessionDate }: CalendarActivity): keyof WeekFolds => {
    if (currentWeek !== null)
      return weekNumber < currentWeek ? 'earlier' : weekNumber > currentWeek + 1 ? 'later' : 'shown';
    if (sessionDate !== null && sessionDate < monday) return 'earlier';
    return sessionDate !== null && sessionDate < addDays(monday, 14) ? 'shown' : 'later';
  };
  const { earlier = [], shown = [], later = [] } = Object.groupBy(activities, placeOf);
  return { earlier, shown, later };
}

/** 'Week 3' or 'Weeks 1 to 4', of a list in the order of weeks. */
export function weeksInWords(activities: CalendarActivity[]): string {
  const first = activities[0]?.weekNumber;
  const last = activities.at(-1)?.weekNumber;
  return first === last ? `Week ${first}` : `Weeks ${first} to ${last}`;
}

/** What has no day comes last; of one day what has no time. */
function byDate(a: CalendarActivity, b: CalendarActivity): number {
  return (
    (a.sessionDate ?? '9999').localeCompare(b.sessionDate ?? '9999') ||
    (a.sessionTime ?? '99').localeCompare(b.sessionTime ?? '99')
  );
}

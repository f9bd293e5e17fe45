import { specifiedCalendar } from '#contract/default-programme.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { CalendarActivity, readTrainingCalendar } from '#contract/learning.ts';
import { addDays, programmeWeek } from '#contract/weeks.ts';
import { formatDay } from '../../ui/dates.ts';
import { mondayOf } from './month-days.ts';

/**
 * From the calendar. `currentWeek` is null for a person without a cohort of their own. `today` is the program's day.
 */
export type WeekFacts = Pick<ResponseOf<typeof readTrainingCalendar>, 'currentWeek' | 'holidays' | 'today'>;

export interface WeekGroup {
  key: string;
  title: string;
  isThisWeek: boolean;
  /** The holiday in this week (TIME-08). */
  holiday: string | null;
  activities: CalendarActivity[];
}

export interface WeekFolds {
  earlier: CalendarActivity[];
  shown: CalendarActivity[];
  later: CalendarActivity[];
}

/**
 * Groups a list by the weeks of a person's own programme. A person without a cohort sees several cohorts at once, so
 * their list has the weeks of the year.
 */
export function groupByWeek(activities: CalendarActivity[], { currentWeek, holidays, today }: WeekFacts): WeekGroup[] {
  if (currentWeek !== null) {
    return [...Map.groupBy(activities, ({ weekNumber }) => weekNumber)].map(([week, ofWeek]) => ({
      key: `week-${week}`,
      title: `Week ${week}`,
      isThisWeek: week === currentWeek,
      holiday: holidays.find((one) => one.week === week)?.name ?? null,
      activities: ofWeek,
    }));
  }
  const byMonday = Map.groupBy(activities.toSorted(byDate), ({ sessionDate }) => sessionDate && mondayOf(sessionDate));
  return [...byMonday].map(([monday, ofWeek]) => ({
    key: `from-${monday}`,
    title: monday ? `Week of ${formatDay(monday, { withYear: true })}` : 'Not scheduled',
    isThisWeek: monday === mondayOf(today),
    holiday: monday ? programmeWeek(monday, 1, specifiedCalendar).holiday : null,
    activities: ofWeek,
  }));
}

/** Cuts a list so that it opens at the present. It shows this week and the next, and folds the others. */
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

/** 'Week 3' or 'Weeks 1 to 4', for a list in the order of weeks. */
export function weeksInWords(activities: CalendarActivity[]): string {
  const first = activities[0]?.weekNumber;
  const last = activities.at(-1)?.weekNumber;
  return first === last ? `Week ${first}` : `Weeks ${first} to ${last}`;
}

/** Activities without a day come last. Within a day, those without a time come last. */
function byDate(a: CalendarActivity, b: CalendarActivity): number {
  return (
    (a.sessionDate ?? '9999').localeCompare(b.sessionDate ?? '9999') ||
    (a.sessionTime ?? '99').localeCompare(b.sessionTime ?? '99')
  );
}

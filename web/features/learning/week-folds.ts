import type { CalendarActivity } from '#contract/learning.ts';

export interface WeekFolds {
  earlier: CalendarActivity[];
  shown: CalendarActivity[];
  later: CalendarActivity[];
}

/** Cuts a list by weeks, so that it opens at the present: this week and the next are shown, the others folded. */
export function foldWeeks(activities: CalendarActivity[], currentWeek: number | null, today: string): WeekFolds {
  const week = currentWeek ?? weekOfToday(activities, today);
  return {
    earlier: activities.filter(({ weekNumber }) => weekNumber < week),
    shown: activities.filter(({ weekNumber }) => weekNumber === week || weekNumber === week + 1),
    later: activities.filter(({ weekNumber }) => weekNumber > week + 1),
  };
}

/** 'Week 3' or 'Weeks 1 to 4', of a list in the order of weeks. */
export function weeksInWords(activities: CalendarActivity[]): string {
  const first = activities[0]?.weekNumber;
  const last = activities.at(-1)?.weekNumber;
  return first === last ? `Week ${first}` : `Weeks ${first} to ${last}`;
}

/** Where nobody's own cohort says it: the week of whatever comes next, or of what was last. */
function weekOfToday(activities: CalendarActivity[], today: string): number {
  const byDay = activities.filter(({ sessionDate }) => sessionDate !== null).sort(byDate);
  const next = byDay.find(({ sessionDate }) => (sessionDate ?? '') >= today) ?? byDay.at(-1);
  return next?.weekNumber ?? activities[0]?.weekNumber ?? 1;
}

function byDate(a: CalendarActivity, b: CalendarActivity): number {
  return (a.sessionDate ?? '').localeCompare(b.sessionDate ?? '');
}

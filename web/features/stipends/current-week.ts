import type { ResponseOf } from '#contract/endpoint.ts';
import type { readStipendWeek } from '#contract/stipends.ts';
import { daysBetween } from '#contract/weeks.ts';
import { formatDay } from '../../ui/dates.ts';

type CurrentWeek = ResponseOf<typeof readStipendWeek>;

const daysOfWeek = 7;

/**
 * Null before the cohort begins and after it has ended. The screen then shows its first or last week, which is not the
 * present one.
 */
export function runningWeekOf({ weekNumber, firstDay }: CurrentWeek, today: string): number | null {
  if (firstDay === null || today < firstDay) return null;
  return daysBetween(firstDay, today) < daysOfWeek ? weekNumber : null;
}

export function currentWeekInWords(week: CurrentWeek, today: string): string {
  const { cohortName, firstDay, lastDay } = week;
  if (!cohortName || !firstDay || !lastDay) return 'There is no active cohort.';
  if (today < firstDay) return `${cohortName} begins on ${formatDay(firstDay, { withYear: true })}.`;
  const running = runningWeekOf(week, today);
  if (running === null) return `${cohortName} ended on ${formatDay(lastDay, { withYear: true })}.`;
  return `${cohortName} is in week ${running}, ${formatDay(firstDay)} to ${formatDay(lastDay)}.`;
}

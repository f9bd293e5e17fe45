import type { ResponseOf } from '#contract/endpoint.ts';
import { type PayPeriod, periodName } from '#contract/pay-periods.ts';
import type { readStipendWeek } from '#contract/stipends.ts';
import { daysBetween } from '#contract/weeks.ts';
import { formatDay } from '../../ui/dates.ts';

type CurrentWeek = ResponseOf<typeof readStipendWeek>;

const mostDays: Record<PayPeriod, number> = { week: 7, two_weeks: 14, month: 31 };

/**
 * Null before the cohort begins and after it has ended. The screen then shows its first or last week, which is not the
 * present one.
 */
export function runningWeekOf({ weekNumber, firstDay, payPeriod, today }: CurrentWeek): number | null {
  if (firstDay === null || today < firstDay) return null;
  return daysBetween(firstDay, today) < mostDays[payPeriod] ? weekNumber : null;
}

export function currentWeekInWords(week: CurrentWeek): string {
  const { cohortName, firstDay, lastDay, today } = week;
  if (!cohortName || !firstDay || !lastDay) return 'There is no active cohort.';
  if (today < firstDay) return `${cohortName} begins on ${formatDay(firstDay, { withYear: true })}.`;
  if (runningWeekOf(week) === null) return `${cohortName} ended on ${formatDay(lastDay, { withYear: true })}.`;
  return `${cohortName} is in ${periodName({ ...week, firstDay })}, ${formatDay(firstDay)} to ${formatDay(lastDay)}.`;
}

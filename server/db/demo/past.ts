import { addDays, startOfEasternDay } from '#contract/weeks.ts';
import { now, replaceClock } from '#server/platform/clock.ts';

const minuteInMs = 60_000;

/**
 * Runs an act as if it happened at an earlier instant, so that the demo's weeks have passed when it is first opened.
 * The clock is that of the whole process: only the filling of the demo may stand in the past, before anything is
 * served and before any job runs.
 */
export async function standingAt<Result>(instant: Date, act: () => Promise<Result>): Promise<Result> {
  const goBack = replaceClock(() => instant);
  try {
    return await act();
  } finally {
    goBack();
  }
}

/** An instant of US Eastern wall-clock time on a day; on days when the clocks change, of the time before the change. */
export function easternTime(day: string, time: string): Date {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return new Date(startOfEasternDay(day).getTime() + (hours * 60 + minutes) * minuteInMs);
}

/** The same, or the present where that is still to come. */
export function easternTimeSoFar(day: string, time: string): Date {
  const instant = easternTime(day, time);
  return instant < now() ? instant : now();
}

/** The Monday of the week in which a day lies. */
export function mondayOf(day: string): string {
  const daysSinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return addDays(day, -daysSinceMonday);
}

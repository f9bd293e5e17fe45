import { addDays, easternDay, programmeZone, startOfEasternDay } from '#contract/weeks.ts';
import { now, replaceClock } from '#server/platform/clock.ts';

const minuteInMs = 60_000;
const wallClock = new Intl.DateTimeFormat('en-US', {
  timeZone: programmeZone,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

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

/**
 * An instant of US Eastern wall-clock time `HH:MM` on a day; of an hour that comes twice the first, and of the one that
 * is left out the hour after it.
 */
export function easternTime(day: string, time: string): Date {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const sinceMidnight = startOfEasternDay(day).getTime() + (hours * 60 + minutes) * minuteInMs;
  const near = [0, -60, 60].map((minutesOff) => new Date(sinceMidnight + minutesOff * minuteInMs));
  return near.find((at) => easternDay(at) === day && wallClock.format(at) === time) ?? new Date(sinceMidnight);
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

import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt, startOfDay } from '#contract/weeks.ts';
import { now } from '#server/platform/clock.ts';

const minuteInMs = 60_000;
const wallClock = new Intl.DateTimeFormat('en-US', {
  timeZone: houseZone,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/**
 * Returns the instant of US Eastern wall-clock time `HH:MM` on a day. If an hour comes twice, the first one counts. If
 * an hour is left out, the hour after it counts.
 */
export function easternTime(day: string, time: string): Date {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const sinceMidnight = startOfDay(day, houseZone).getTime() + (hours * 60 + minutes) * minuteInMs;
  const near = [0, -60, 60].map((minutesOff) => new Date(sinceMidnight + minutesOff * minuteInMs));
  return near.find((at) => dayAt(at, houseZone) === day && wallClock.format(at) === time) ?? new Date(sinceMidnight);
}

/** Returns the instant of `easternTime`, or the present if that is still to come. */
export function easternTimeSoFar(day: string, time: string): Date {
  const instant = easternTime(day, time);
  return instant < now() ? instant : now();
}

/** Returns the Monday of the day's week. */
export function mondayOf(day: string): string {
  const daysSinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return addDays(day, -daysSinceMonday);
}

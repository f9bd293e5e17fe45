import { addDays, dayAt, startOfDay } from '#contract/weeks.ts';
import { writerOf } from '#contract/zone-writers.ts';

const quietFrom = 21;
const quietUntil = 8;

/**
 * From 9 PM to 8 AM in the zone no phone makes a sound. Returns the 8 AM that ends it, or null outside of these hours.
 */
export function endOfQuietHours(at: Date, zone: string): Date | null {
  const hour = hourOf(at, zone);
  if (hour >= quietUntil && hour < quietFrom) return null;
  const today = dayAt(at, zone);
  return hourOnDay(hour >= quietFrom ? addDays(today, 1) : today, quietUntil, zone);
}

/** Returns the 9 PM in the zone after which no phone makes a sound again. Callers ask outside of quiet hours. */
export function nextQuietHours(at: Date, zone: string): Date {
  return hourOnDay(dayAt(at, zone), quietFrom, zone);
}

/** No zone changes its clocks at these hours, so each comes once a day. */
function hourOnDay(day: string, hour: number, zone: string): Date {
  const midnight = startOfDay(day, zone);
  const near = [hour - 1, hour, hour + 1].map((hours) => new Date(midnight.getTime() + hours * hourInMs));
  const found = near.find((at) => hourOf(at, zone) === hour && dayAt(at, zone) === day);
  if (!found) throw new Error(`${day} has no hour ${hour} in ${zone}.`);
  return found;
}

const hourInMs = 3_600_000;
const hourParts = { hour: 'numeric', hourCycle: 'h23' } as const;

function hourOf(at: Date, zone: string): number {
  return Number(writerOf(hourParts, zone).format(at));
}

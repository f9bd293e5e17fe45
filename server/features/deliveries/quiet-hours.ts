import { houseZone } from '#contract/default-programme.ts';
import { addDays, dayAt } from '#contract/weeks.ts';

const quietFrom = 21;
const quietUntil = 8;
const easternHour = new Intl.DateTimeFormat('en-US', { timeZone: houseZone, hour: 'numeric', hourCycle: 'h23' });

/**
 * From 9 PM to 8 AM in US Eastern no phone makes a sound. Returns the 8 AM that ends it, or null outside of these
 * hours.
 */
export function endOfQuietHours(at: Date): Date | null {
  const hour = hourOf(at);
  if (hour >= quietUntil && hour < quietFrom) return null;
  return morningOf(hour >= quietFrom ? addDays(dayAt(at, houseZone), 1) : dayAt(at, houseZone));
}

/** Returns the 9 PM in US Eastern after which no phone makes a sound again. Callers ask outside of quiet hours. */
export function nextQuietHours(at: Date): Date {
  const day = addDays(dayAt(at, houseZone), 1);
  const early = new Date(`${day}T01:00:00Z`);
  return hourOf(early) === quietFrom ? early : new Date(`${day}T02:00:00Z`);
}

/** 8 AM in US Eastern is 12 or 13 in UTC, even on the days when the clocks change. */
function morningOf(day: string): Date {
  const early = new Date(`${day}T12:00:00Z`);
  return hourOf(early) === quietUntil ? early : new Date(`${day}T13:00:00Z`);
}

function hourOf(at: Date): number {
  return Number(easternHour.format(at));
}

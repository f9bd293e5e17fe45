import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt, startOfDay } from '#contract/weeks.ts';
import type { Config } from '#server/config.ts';

type Schedule = Pick<Config['backup'], 'everyHours' | 'at'>;

const hourInMs = 3_600_000;

/** The last moment up to `at` at which a backup should begin. The hours count anew from the time of each day. */
export function lastDueMoment(at: Date, { everyHours, at: timeOfDay }: Schedule): Date {
  const today = dayAt(at, houseZone);
  const days = [today, addDays(today, -1)].map((day) => beginningOf(day, timeOfDay));
  const from = days.find((moment) => moment <= at) ?? at;
  const steps = Math.floor((at.getTime() - from.getTime()) / (everyHours * hourInMs));
  return new Date(from.getTime() + steps * everyHours * hourInMs);
}

/**
 * A failed backup is tried again after an hour. One that has not ended was cut off, or is under way, which its lock
 * tells.
 */
export function isBackupDue(
  last: { startedAt: Date; outcome: string | null } | null,
  at: Date,
  schedule: Schedule,
): boolean {
  if (last === null || last.outcome === null) return true;
  if (last.outcome === 'failed') return at.getTime() - last.startedAt.getTime() >= hourInMs;
  return last.startedAt < lastDueMoment(at, schedule);
}

function beginningOf(day: string, timeOfDay: string): Date {
  const [hours = 0, minutes = 0] = timeOfDay.split(':').map(Number);
  return new Date(startOfDay(day, houseZone).getTime() + hours * hourInMs + minutes * 60_000);
}

import { partsOf } from './moments.ts';
import { dayAt, startOfDay } from './weeks.ts';

const nameParts = { timeZoneName: 'longGeneric' } as const;
const clockParts = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const usZones: Record<string, string> = {
  'America/New_York': 'US Eastern',
  'America/Chicago': 'US Central',
  'America/Denver': 'US Mountain',
  'America/Los_Angeles': 'US Pacific',
};

/** Returns 'US Eastern', or for a zone without such a name 'Central European Time'. */
export function zoneInWords(timeZone: string, at: Date): string {
  return usZones[timeZone] ?? partsOf(at, nameParts, timeZone)('timeZoneName');
}

/**
 * Returns the instant of a wall-clock time `HH:MM` on a day in a zone. Of a time that comes twice it is the first one. A
 * time that a change of the clocks skips has none, and so has what is no time.
 */
export function instantIn(day: string, time: string, timeZone: string): Date | null {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(time) ?? [];
  if (hours === undefined || minutes === undefined) return null;
  const sinceMidnight = startOfDay(day, timeZone).getTime() + (Number(hours) * 60 + Number(minutes)) * 60_000;
  const near = [-60, -30, 0, 30, 60].map((shift) => new Date(sinceMidnight + shift * 60_000));
  return (
    near.find((at) => {
      const part = partsOf(at, clockParts, timeZone);
      return dayAt(at, timeZone) === day && `${part('hour')}:${part('minute')}` === time.slice(0, 5);
    }) ?? null
  );
}

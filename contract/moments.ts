import { dayAt, startOfDay } from './weeks.ts';

const dayParts = { weekday: 'short', day: 'numeric', month: 'short' } as const;
const timeParts = { hour: 'numeric', minute: '2-digit' } as const;

/**
 * Returns 'Tue 3 Nov, 2:00 PM ET'. These are the words for an instant in a programme's time, the same on a page, in a
 * notice and in a mail.
 */
export function momentIn(at: Date, timeZone: string): string {
  return `${dayIn(at, timeZone)}, ${clockIn(at, timeZone)}`;
}

/** Returns '2:00 PM ET'. */
export function clockIn(at: Date, timeZone: string): string {
  return `${timeIn(at, timeZone)} ${zoneName(timeZone, at)}`;
}

/** Returns 'ET' or 'MT', also in summer. A zone without a short name has its offset, 'GMT+2'. */
export function zoneName(timeZone: string, at: Date): string {
  return partsOf(at, { timeZoneName: 'shortGeneric' }, timeZone)('timeZoneName');
}

const usZones: Record<string, string> = {
  'America/New_York': 'US Eastern',
  'America/Chicago': 'US Central',
  'America/Denver': 'US Mountain',
  'America/Los_Angeles': 'US Pacific',
};

/** Returns 'US Eastern', or for a zone without such a name 'Central European Time'. */
export function zoneInWords(timeZone: string, at: Date): string {
  return usZones[timeZone] ?? partsOf(at, { timeZoneName: 'longGeneric' }, timeZone)('timeZoneName');
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
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return (
    near.find((at) => {
      const part = partsOf(at, clock, timeZone);
      return dayAt(at, timeZone) === day && `${part('hour')}:${part('minute')}` === time.slice(0, 5);
    }) ?? null
  );
}

/** Returns 'Tue 3 Nov', or 'Tue 3 Nov 2026'. */
export function dayIn(at: Date, timeZone: string, { withYear = false }: { withYear?: boolean } = {}): string {
  const part = partsOf(at, withYear ? { ...dayParts, year: 'numeric' } : dayParts, timeZone);
  const day = `${part('weekday')} ${part('day')} ${part('month')}`;
  return withYear ? `${day} ${part('year')}` : day;
}

/** Returns '2:00 PM'. */
export function timeIn(at: Date, timeZone: string): string {
  const part = partsOf(at, timeParts, timeZone);
  return `${part('hour')}:${part('minute')} ${part('dayPeriod')}`;
}

function partsOf(at: Date, parts: Intl.DateTimeFormatOptions, timeZone: string): (type: string) => string {
  const formatted = new Intl.DateTimeFormat('en-US', { ...parts, timeZone }).formatToParts(at);
  return (type) => formatted.find((entry) => entry.type === type)?.value ?? '';
}

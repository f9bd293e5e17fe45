import { writerOf } from './zone-writers.ts';

const dayParts = { weekday: 'short', day: 'numeric', month: 'short' } as const;
const dayPartsWithYear = { ...dayParts, year: 'numeric' } as const;
const timeParts = { hour: 'numeric', minute: '2-digit' } as const;
const zoneParts = { timeZoneName: 'shortGeneric' } as const;

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
  return partsOf(at, zoneParts, timeZone)('timeZoneName');
}

/** Returns 'Tue 3 Nov', or 'Tue 3 Nov 2026'. */
export function dayIn(at: Date, timeZone: string, { withYear = false }: { withYear?: boolean } = {}): string {
  const part = partsOf(at, withYear ? dayPartsWithYear : dayParts, timeZone);
  const day = `${part('weekday')} ${part('day')} ${part('month')}`;
  return withYear ? `${day} ${part('year')}` : day;
}

/** Returns '2:00 PM'. */
export function timeIn(at: Date, timeZone: string): string {
  const part = partsOf(at, timeParts, timeZone);
  return `${part('hour')}:${part('minute')} ${part('dayPeriod')}`;
}

/** `parts` is a constant of its module. */
export function partsOf(at: Date, parts: Intl.DateTimeFormatOptions, timeZone: string): (type: string) => string {
  const formatted = writerOf(parts, timeZone).formatToParts(at);
  return (type) => formatted.find((entry) => entry.type === type)?.value ?? '';
}

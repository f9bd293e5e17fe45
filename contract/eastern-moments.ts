import { programmeZone } from './weeks.ts';

const dayParts = { weekday: 'short', day: 'numeric', month: 'short' } as const;
const timeParts = { hour: 'numeric', minute: '2-digit' } as const;

/**
 * Returns 'Tue 3 Nov, 2:00 PM ET'. These are the words for an instant in programme time, the same on a page, in a
 * notice and in a mail.
 */
export function easternMoment(at: Date): string {
  return `${dayIn(at, programmeZone)}, ${easternTime(at)}`;
}

/** Returns '2:00 PM ET'. */
export function easternTime(at: Date): string {
  return `${timeIn(at, programmeZone)} ET`;
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

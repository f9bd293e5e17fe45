import { clockIn, dayIn, momentIn, timeIn, zoneName } from '#contract/moments.ts';
import { dayAt } from '#contract/weeks.ts';
import { writerOf } from '#contract/zone-writers.ts';
import { shownZone } from '../api/shown-zone.ts';

/** TIME-03 */
export const notScheduled = 'Not scheduled';
/** TIME-04 */
export const invalidDate = 'Invalid date';

const dayWithYearParts = { month: 'short', day: 'numeric', year: 'numeric' } as const;
const instantParts = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

type Moment = string | Date | null | undefined;

/** 'Tue 3 Nov, 2:00 PM ET': an instant in programme time (TIME-01). */
export function formatDateTime(value: Moment): string {
  if (isDay(value)) return formatDay(value);
  return writeMoment(value, (at) => momentIn(at, shownZone()));
}

/** '2:00 PM ET' */
export function formatTime(value: Moment): string {
  return writeMoment(value, (at) => clockIn(at, shownZone()));
}

/** 'Tue 3 Nov' for a calendar day `YYYY-MM-DD`, which never shifts (TIME-05), or for an instant in programme time. */
export function formatDay(value: Moment, options: { withYear?: boolean } = {}): string {
  if (isDay(value)) {
    // JavaScript's Date reads 30 February as 2 March.
    return writeMoment(`${value}T12:00:00Z`, (at) => (isOnDay(at, value) ? dayIn(at, 'UTC', options) : invalidDate));
  }
  return writeMoment(value, (at) => dayIn(at, shownZone(), options));
}

/** 'Sep 8, 2:30 PM ET' (STIP-59) */
export function formatShortInstant(instant: string): string {
  const zone = shownZone();
  const written = writerOf(instantParts, zone);
  return writeMoment(instant, (at) => `${written.format(at).replaceAll('\u202f', ' ')} ${zoneName(zone, at)}`);
}

/** 'Sep 8, 2:30 PM ET' within the year of `today`, and 'Sep 8, 2025' of another year. Both fit a narrow column. */
export function formatInstantInRow(instant: string, today: string): string {
  return isInYearOf(today, instant) ? formatShortInstant(instant) : writeMoment(instant, dayWithYear);
}

/** 'Sep 8, 2:30 PM ET' within the year of `today`, and 'Sep 8, 2025, 2:30 PM ET' of another year. */
export function formatInstantWithYear(instant: string, today: string): string {
  if (isInYearOf(today, instant)) return formatShortInstant(instant);
  return writeMoment(instant, (at) => `${dayWithYear(at)}, ${formatTime(at)}`);
}

function isInYearOf(today: string, instant: string): boolean {
  const at = toDate(instant);
  return !at || dayAt(at, shownZone()).slice(0, 4) === today.slice(0, 4);
}

function dayWithYear(at: Date): string {
  return writerOf(dayWithYearParts, shownZone()).format(at);
}

/** 'Sep 8' for a calendar day */
export function formatShortDay(day: string | null): string {
  return writeMoment(day && `${day}T12:00:00Z`, (at) => shortDay.format(at));
}

/** Calls `write` only with a valid date (TIME-03, TIME-04). */
export function writeMoment(value: Moment, write: (at: Date) => string): string {
  if (value === null || value === undefined || value === '') return notScheduled;
  const at = toDate(value);
  return at ? write(at) : invalidDate;
}

function isDay(value: Moment): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
}

/** '2:00 PM ET' for a wall-clock time `HH:MM` in a zone. */
export function formatClock(value: string | null, zone: string): string {
  if (!value) return notScheduled;
  return writeMoment(`2000-01-01T${value.slice(0, 5)}:00Z`, (at) => `${timeIn(at, 'UTC')} ${zoneName(zone, at)}`);
}

/** The same instant in the browser's own zone, or null if that shows the same time as the zone. */
export function formatLocalTime(value: Moment, zone = shownZone()): string | null {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const at = toDate(value);
  if (!at || own === zone) return null;
  const local = `${dayIn(at, own)}, ${timeIn(at, own)}`;
  return local === `${dayIn(at, zone)}, ${timeIn(at, zone)}` ? null : `${local}, your time`;
}

function isOnDay(at: Date, day: string): boolean {
  return at.toISOString().startsWith(day);
}

function toDate(value: Moment): Date | null {
  if (value === null || value === undefined) return null;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? null : at;
}

import { holidaysBetween } from './holidays.ts';

/** Programme time is US Eastern for every day or hour that matters (docs/decisions/0008). */
export const programmeZone = 'America/New_York';
/** TIME-06 */
export const programmeWeeks = 16;
/** CAL-02: filters of activities offer more weeks than the programme has. */
export const activityWeeks = 20;
export const defaultUnlockedWeeks = 5;

const dayInMs = 86_400_000;
const easternParts = new Intl.DateTimeFormat('en-CA', {
  timeZone: programmeZone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** Returns the US Eastern calendar day of an instant, `YYYY-MM-DD` (TIME-02). */
export function easternDay(at: Date): string {
  return easternParts.format(at);
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayInMs).toISOString().slice(0, 10);
}

/** Returns the whole days from one calendar day to another. The number is negative if `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayInMs);
}

/** Returns the instant at which a calendar day begins in US Eastern. */
export function startOfEasternDay(day: string): Date {
  const noonUtc = Date.parse(`${day}T12:00:00Z`);
  for (const hours of [4, 5]) {
    const candidate = new Date(Date.parse(`${day}T00:00:00Z`) + hours * 3_600_000);
    if (easternDay(candidate) === day && easternDay(new Date(candidate.getTime() - 1)) !== day) return candidate;
  }
  return new Date(noonUtc - dayInMs / 2);
}

/**
 * Returns ceil(elapsed days since the start / 7), kept within 1 and 16 (TIME-09, TIME-10). Elapsed time counts from the
 * start day's midnight in US Eastern, so the second Monday is week 2.
 */
export function currentWeek(startDay: string, now: Date): number {
  const elapsedDays = daysBetween(startDay, easternDay(now)) + 1;
  return Math.min(programmeWeeks, Math.max(1, Math.ceil(elapsedDays / 7)));
}

export interface ProgrammeWeek {
  week: number;
  /** It is a Monday for a cohort that starts on a Monday, `YYYY-MM-DD`. */
  firstDay: string;
  /** It is four days later, a Friday. */
  lastDay: string;
  holiday: string | null;
}

/** Returns Monday to Friday of week n (TIME-06, TIME-07), with the holiday that falls into it (TIME-08). */
export function programmeWeek(startDay: string, week: number): ProgrammeWeek {
  const firstDay = addDays(startDay, 7 * (week - 1));
  const lastDay = addDays(firstDay, 4);
  return { week, firstDay, lastDay, holiday: holidayBetween(firstDay, lastDay) };
}

export function programmeCalendar(startDay: string): ProgrammeWeek[] {
  return Array.from({ length: programmeWeeks }, (_, index) => programmeWeek(startDay, index + 1));
}

/** TIME-08 names these two. */
const markedHolidays = ['Thanksgiving', 'Christmas'];

function holidayBetween(firstDay: string, lastDay: string): string | null {
  return holidaysBetween(firstDay, lastDay).find(({ name }) => markedHolidays.includes(name))?.name ?? null;
}

import { type Holiday, type Holidays, holidaysKept } from './holidays.ts';
import { writerOf } from './zone-writers.ts';

const dayInMs = 86_400_000;

/** What a programme says of its weeks. */
export interface WeekCalendar {
  weeks: number;
  /** A week's days, from its first on, on which something can be held or due. */
  daysPerWeek: number;
  holidays: Holidays;
}

/** The most weeks that a programme has. */
export const mostWeeks = 104;
/** CAL-02: activities may lie in more weeks than the programme has. */
export const weeksBeyond = 4;
export const mostActivityWeeks = mostWeeks + weeksBeyond;

const dayParts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;

/** Returns the calendar day of an instant in a zone, `YYYY-MM-DD` (TIME-02). */
export function dayAt(at: Date, zone: string): string {
  return writerOf(dayParts, zone, 'en-CA').format(at);
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayInMs).toISOString().slice(0, 10);
}

/** Returns the whole days from one calendar day to another. The number is negative if `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayInMs);
}

/** Returns the instant at which a calendar day begins in a zone. Where the clocks skip midnight, it is when they do. */
export function startOfDay(day: string, zone: string): Date {
  const midnightUtc = Date.parse(`${day}T00:00:00Z`);
  // No zone is further off than 14 hours, and none begins its days at other minutes than these.
  let [before, within] = [midnightUtc - 15 * 3_600_000, midnightUtc + 15 * 3_600_000];
  while (within - before > 60_000) {
    const middle = before + Math.floor((within - before) / 120_000) * 60_000;
    if (dayAt(new Date(middle), zone) < day) before = middle;
    else within = middle;
  }
  return new Date(within);
}

/**
 * Returns ceil(elapsed days since the start / 7), kept within the programme (TIME-09, TIME-10). The start day itself is
 * in week 1, so the second Monday is in week 2.
 */
export function currentWeek(startDay: string, today: string, { weeks }: Pick<WeekCalendar, 'weeks'>): number {
  return Math.min(weeks, Math.max(1, Math.ceil((daysBetween(startDay, today) + 1) / 7)));
}

export interface ProgrammeWeek {
  week: number;
  /** It is a Monday for a cohort that starts on a Monday, `YYYY-MM-DD`. */
  firstDay: string;
  lastDay: string;
  holiday: string | null;
}

/** Returns the days of week n (TIME-06, TIME-07), with the marked holiday that falls into it (TIME-08). */
export function programmeWeek(startDay: string, week: number, calendar: Omit<WeekCalendar, 'weeks'>): ProgrammeWeek {
  const { daysPerWeek, holidays } = calendar;
  const firstDay = addDays(startDay, 7 * (week - 1));
  return weekFrom(firstDay, { week, daysPerWeek, marked: markedFrom(firstDay, 7, holidays) });
}

export function programmeCalendar(startDay: string, { weeks, daysPerWeek, holidays }: WeekCalendar): ProgrammeWeek[] {
  const marked = markedFrom(startDay, 7 * weeks, holidays);
  return Array.from({ length: weeks }, (_, index) =>
    weekFrom(addDays(startDay, 7 * index), { week: index + 1, daysPerWeek, marked }),
  );
}

interface WeekOf {
  week: number;
  daysPerWeek: number;
  marked: Holiday[];
}

function weekFrom(firstDay: string, { week, daysPerWeek, marked }: WeekOf): ProgrammeWeek {
  const lastDay = addDays(firstDay, daysPerWeek - 1);
  const holiday = marked.find(({ day }) => day >= firstDay && day <= lastDay);
  return { week, firstDay, lastDay, holiday: holiday?.name ?? null };
}

function markedFrom(firstDay: string, days: number, holidays: Holidays): Holiday[] {
  const kept = holidaysKept(holidays, firstDay, addDays(firstDay, days - 1));
  return kept.filter(({ name }) => holidays.marked.includes(name));
}

import { z } from 'zod';

/** The holidays that a programme keeps. */
export const Holidays = z.object({
  /** Whether it keeps the federal holidays of the United States. */
  federal: z.boolean(),
  own: z.array(z.object({ day: z.iso.date(), name: z.string().trim().min(1).max(100) })).max(200),
  /** Weeks show the names of these (TIME-08). */
  marked: z.array(z.string().max(100)).max(50),
});
export type Holidays = z.infer<typeof Holidays>;

export interface Holiday {
  day: string;
  name: string;
}

/** Returns the federal holidays of the United States in a year, on their actual dates, even on a weekend. */
export function holidaysOf(year: number): Holiday[] {
  return [
    { day: `${year}-01-01`, name: "New Year's Day" },
    { day: weekdayOf(year, 1, monday, 3), name: 'Martin Luther King Jr. Day' },
    { day: weekdayOf(year, 2, monday, 3), name: "Presidents' Day" },
    { day: lastMondayOfMay(year), name: 'Memorial Day' },
    { day: `${year}-06-19`, name: 'Juneteenth' },
    { day: `${year}-07-04`, name: 'Independence Day' },
    { day: weekdayOf(year, 9, monday, 1), name: 'Labor Day' },
    { day: weekdayOf(year, 10, monday, 2), name: "Indigenous Peoples' Day" },
    { day: `${year}-11-11`, name: 'Veterans Day' },
    { day: weekdayOf(year, 11, thursday, 4), name: 'Thanksgiving' },
    { day: `${year}-12-25`, name: 'Christmas' },
  ];
}

/** Returns the holidays of a programme from the first to the last day, in their order. Both days are included. */
export function holidaysKept({ federal, own }: Holidays, firstDay: string, lastDay: string): Holiday[] {
  const kept = own.filter(({ day }) => day >= firstDay && day <= lastDay);
  return [...(federal ? holidaysBetween(firstDay, lastDay) : []), ...kept].sort((a, b) => a.day.localeCompare(b.day));
}

/** Returns those from the first to the last day. Both are included. */
export function holidaysBetween(firstDay: string, lastDay: string): Holiday[] {
  const [first, last] = [Number(firstDay.slice(0, 4)), Number(lastDay.slice(0, 4))];
  const years = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  return years.flatMap(holidaysOf).filter(({ day }) => day >= firstDay && day <= lastDay);
}

const monday = 1;
const thursday = 4;

/** Returns the nth Monday or Thursday of a month, `YYYY-MM-DD`. */
function weekdayOf(year: number, month: number, weekday: number, nth: number): string {
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  return dayOf(year, month, 1 + ((weekday - first + 7) % 7) + 7 * (nth - 1));
}

function lastMondayOfMay(year: number): string {
  const last = new Date(Date.UTC(year, 4, 31)).getUTCDay();
  return dayOf(year, 5, 31 - ((last - monday + 7) % 7));
}

function dayOf(year: number, month: number, day: number): string {
  return [year, ...[month, day].map((part) => String(part).padStart(2, '0'))].join('-');
}

import { z } from 'zod';
import { Holidays } from './holidays.ts';
import { addDays } from './weeks.ts';

export const payPeriods = ['week', 'two_weeks', 'month'] as const;
/** How much time one stipend pays for. */
export const PayPeriod = z.enum(payPeriods);
export type PayPeriod = z.infer<typeof PayPeriod>;

/** What a programme says of time. */
export const ProgrammeCalendar = z.object({
  weeks: z.number().int(),
  /** A week's days, from its first on, on which something can be held or due. */
  daysPerWeek: z.number().int(),
  /** A name of the tz database. */
  zone: z.string(),
  payPeriod: PayPeriod,
  holidays: Holidays,
});
export type ProgrammeCalendar = z.infer<typeof ProgrammeCalendar>;

type Counted = Pick<ProgrammeCalendar, 'weeks' | 'daysPerWeek' | 'payPeriod'>;

/** The days that one stipend pays for. */
export const PaidDays = z.object({
  /** The number of the stipend in its cohort. Where every week is paid, it is that of the week. */
  weekNumber: z.number().int(),
  firstDay: z.iso.date(),
  lastDay: z.iso.date(),
  payPeriod: PayPeriod,
});
export type PaidDays = z.infer<typeof PaidDays>;

/** The days that the nth stipend of a cohort pays for. `period_first_day` and `period_last_day` in SQL say the same. */
export function periodDays(startDay: string, number: number, { weeks, daysPerWeek, payPeriod }: Counted) {
  const lastOf = (week: number) => addDays(startDay, 7 * (Math.min(week, weeks) - 1) + daysPerWeek - 1);
  if (payPeriod === 'week') return { firstDay: addDays(startDay, 7 * (number - 1)), lastDay: lastOf(number) };
  if (payPeriod === 'two_weeks') {
    return { firstDay: addDays(startDay, 14 * (number - 1)), lastDay: lastOf(2 * number) };
  }
  const [first, next] = [firstOfMonth(startDay, number - 1), firstOfMonth(startDay, number)];
  const [end, programmeEnd] = [addDays(next, -1), lastOf(weeks)];
  return { firstDay: laterOf(first, startDay), lastDay: earlierOf(end, programmeEnd) };
}

/** The number of the stipend that pays for a day, kept within the programme. `period_on` in SQL says the same. */
export function periodOn(startDay: string, day: string, { weeks, payPeriod }: Counted): number {
  const lastDay = addDays(startDay, 7 * weeks - 1);
  const held = earlierOf(laterOf(day, startDay), lastDay);
  if (payPeriod === 'month') return 1 + monthOf(held) - monthOf(startDay);
  const week = Math.floor((Date.parse(held) - Date.parse(startDay)) / (7 * 86_400_000)) + 1;
  return payPeriod === 'week' ? week : Math.ceil(week / 2);
}

/** How many stipends a cohort pays to each participant. */
export function periodsOf(startDay: string, time: Counted): number {
  return periodOn(startDay, addDays(startDay, 7 * (time.weeks - 1) + time.daysPerWeek - 1), time);
}

/** 'week 3', 'weeks 5 and 6' or 'November 2026', within a sentence. */
export function periodName({ payPeriod, weekNumber, firstDay }: Omit<PaidDays, 'lastDay'>): string {
  if (payPeriod === 'week') return `week ${weekNumber}`;
  if (payPeriod === 'two_weeks') return `weeks ${2 * weekNumber - 1} and ${2 * weekNumber}`;
  return monthName.format(new Date(`${firstDay}T12:00:00Z`));
}

/** 'Week 3', 'Weeks 5 and 6' or 'Month 2', where no day is known. */
export function periodTitle(payPeriod: PayPeriod, number: number): string {
  if (payPeriod === 'week') return `Week ${number}`;
  return payPeriod === 'two_weeks' ? `Weeks ${2 * number - 1} and ${2 * number}` : `Month ${number}`;
}

/** The words for the time that one stipend pays for, where no certain one is meant. */
export const periodWords: Record<PayPeriod, PeriodWords> = {
  week: { one: 'week', many: 'weeks', present: 'this week', ofPresent: "this week's", inTurn: 'week by week' },
  two_weeks: {
    one: 'two-week period',
    many: 'two-week periods',
    present: 'these two weeks',
    ofPresent: "these two weeks'",
    inTurn: 'two weeks at a time',
  },
  month: { one: 'month', many: 'months', present: 'this month', ofPresent: "this month's", inTurn: 'month by month' },
};

interface PeriodWords {
  one: string;
  many: string;
  present: string;
  ofPresent: string;
  inTurn: string;
}

/** The period where a chart has little room: '3', '5–6' or 'Nov'. */
export function periodMark({ payPeriod, weekNumber, firstDay }: Omit<PaidDays, 'lastDay'>): string {
  if (payPeriod === 'week') return String(weekNumber);
  if (payPeriod === 'two_weeks') return `${2 * weekNumber - 1}–${2 * weekNumber}`;
  return monthMark.format(new Date(`${firstDay}T12:00:00Z`));
}

export function startOfSentence(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const monthMark = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });
const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

function earlierOf(day: string, other: string): string {
  // Stryker disable next-line EqualityOperator: Of two equal days it does not matter which is returned.
  return day < other ? day : other;
}

function laterOf(day: string, other: string): string {
  // Stryker disable next-line EqualityOperator: Of two equal days it does not matter which is returned.
  return day > other ? day : other;
}

function monthOf(day: string): number {
  return 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7));
}

function firstOfMonth(startDay: string, months: number): string {
  const [year, month] = [Number(startDay.slice(0, 4)), Number(startDay.slice(5, 7))];
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}

/** The most days that one stipend pays for. */
export function mostDaysOf({ daysPerWeek, payPeriod }: Pick<Counted, 'daysPerWeek' | 'payPeriod'>): number {
  return { week: daysPerWeek, two_weeks: 7 + daysPerWeek, month: 31 }[payPeriod];
}

/** The days of the stipend that pays for a day. */
export function paidDaysOn(startDay: string, day: string, calendar: Counted): PaidDays {
  const weekNumber = periodOn(startDay, day, calendar);
  return { weekNumber, ...periodDays(startDay, weekNumber, calendar), payPeriod: calendar.payPeriod };
}

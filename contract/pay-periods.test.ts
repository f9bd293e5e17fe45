import { expect, test } from 'vitest';
import { specifiedCalendar } from './default-programme.ts';
import {
  mostDaysOf,
  PaidDays,
  type PayPeriod,
  ProgrammeCalendar,
  paidDaysOn,
  payPeriods,
  periodDays,
  periodMark,
  periodName,
  periodOn,
  periodsOf,
  periodTitle,
  periodWords,
} from './pay-periods.ts';
import { addDays, daysBetween } from './weeks.ts';

const sixteenWeeks = (payPeriod: PayPeriod, weeks = 16) => ({ weeks, daysPerWeek: 5, payPeriod });

/** First and last day of every stipend of a cohort, as a list of payments has them. */
function allDays(startDay: string, time: ReturnType<typeof sixteenWeeks>): string[] {
  return Array.from({ length: periodsOf(startDay, time) }, (_, index) => {
    const { firstDay, lastDay } = periodDays(startDay, index + 1, time);
    return `${firstDay} to ${lastDay}`;
  });
}

test('where every week is paid, each stipend pays from Monday to Friday', () => {
  const days = allDays('2026-09-07', sixteenWeeks('week'));
  expect(days).toHaveLength(16);
  expect(days.slice(0, 2)).toEqual(['2026-09-07 to 2026-09-11', '2026-09-14 to 2026-09-18']);
  expect(days.at(-1)).toBe('2026-12-21 to 2026-12-25');
});

test('where two weeks are paid, an odd last week is paid alone', () => {
  expect(allDays('2026-09-07', sixteenWeeks('two_weeks', 5))).toEqual([
    '2026-09-07 to 2026-09-18',
    '2026-09-21 to 2026-10-02',
    '2026-10-05 to 2026-10-09',
  ]);
  expect(allDays('2026-09-07', sixteenWeeks('two_weeks'))).toHaveLength(8);
});

test('where months are paid, the first begins with the program and the last ends with it', () => {
  expect(allDays('2026-11-09', sixteenWeeks('month'))).toEqual([
    '2026-11-09 to 2026-11-30',
    '2026-12-01 to 2026-12-31',
    '2027-01-01 to 2027-01-31',
    '2027-02-01 to 2027-02-26',
  ]);
  expect(allDays('2026-09-01', sixteenWeeks('month', 6))).toEqual([
    '2026-09-01 to 2026-09-30',
    '2026-10-01 to 2026-10-10',
  ]);
});

test('a program whose last working day is in one month, and its last weekend in the next, has no stipend for the weekend', () => {
  // Its last Friday is 30 October 2026, its last Saturday the 31st, and its last Sunday 1 November.
  expect(periodsOf('2026-09-07', sixteenWeeks('month', 8))).toBe(2);
  expect(periodsOf('2026-09-07', { ...sixteenWeeks('month', 8), daysPerWeek: 7 })).toBe(3);
});

test.each([...payPeriods])(
  'by %s, every day of a program is paid by one stipend, and days beyond by the nearest',
  (payPeriod) => {
    const startDay = '2026-11-11';
    const time = { weeks: 13, daysPerWeek: 7, payPeriod };
    const last = periodsOf(startDay, time);
    for (let day = -40; day < 7 * 13 + 40; day += 1) {
      const at = addDays(startDay, day);
      const number = periodOn(startDay, at, time);
      const { firstDay, lastDay } = periodDays(startDay, number, time);
      if (day < 0) expect(number, at).toBe(1);
      else if (day >= 7 * 13) expect(number, at).toBe(last);
      else expect([firstDay <= at, at <= lastDay, number <= last], at).toEqual([true, true, true]);
    }
    const days = Array.from({ length: last }, (_, index) => periodDays(startDay, index + 1, time));
    expect(days.reduce((sum, { firstDay, lastDay }) => sum + daysBetween(firstDay, lastDay) + 1, 0)).toBe(7 * 13);
    for (const { firstDay, lastDay } of days) {
      expect(daysBetween(firstDay, lastDay) + 1).toBeLessThanOrEqual(mostDaysOf(time));
    }
  },
);

test('a stipend pays for at most the days of its weeks, or those of the longest month', () => {
  expect(payPeriods.map((payPeriod) => mostDaysOf({ daysPerWeek: 5, payPeriod }))).toEqual([5, 12, 31]);
});

test('the days of the stipend that pays for a day come with its number', () => {
  expect(paidDaysOn('2026-11-09', '2026-12-24', sixteenWeeks('month'))).toEqual({
    weekNumber: 2,
    firstDay: '2026-12-01',
    lastDay: '2026-12-31',
    payPeriod: 'month',
  });
  expect(paidDaysOn('2026-11-09', '2026-11-23', sixteenWeeks('two_weeks')).weekNumber).toBe(2);
  expect(paidDaysOn('2026-11-09', '2026-11-22', sixteenWeeks('week')).weekNumber).toBe(2);
});

test.each([
  ['week', 'week 3', 'Week 3', '3'],
  ['two_weeks', 'weeks 5 and 6', 'Weeks 5 and 6', '5–6'],
  ['month', 'November 2026', 'Month 3', 'Nov'],
] as const)(
  'by %s, the third stipend is that of %s, titled %s, and marked %s in a chart',
  (payPeriod, name, title, mark) => {
    const days = { payPeriod, weekNumber: 3, firstDay: '2026-11-01' };
    expect([periodName(days), periodTitle(payPeriod, 3), periodMark(days)]).toEqual([name, title, mark]);
  },
);

test.each([
  ['week', "Each week, or many weeks; so far this week; this week's pay; paid week by week."],
  [
    'two_weeks',
    "Each two-week period, or many two-week periods; so far these two weeks; these two weeks' pay; paid two weeks at a time.",
  ],
  ['month', "Each month, or many months; so far this month; this month's pay; paid month by month."],
] as const)('by %s, screens and mails say so in their sentences', (payPeriod, sentence) => {
  const { one, many, present, ofPresent, inTurn } = periodWords[payPeriod];
  expect(`Each ${one}, or many ${many}; so far ${present}; ${ofPresent} pay; paid ${inTurn}.`).toBe(sentence);
});

test('what a program says of time, and the days of a stipend, leave whole and are refused in part', () => {
  const days = paidDaysOn('2026-11-09', '2026-11-09', specifiedCalendar);
  expect([ProgrammeCalendar.parse(specifiedCalendar), PaidDays.parse(days)]).toEqual([specifiedCalendar, days]);
  expect([ProgrammeCalendar.safeParse({}).success, PaidDays.safeParse({}).success]).toEqual([false, false]);
});

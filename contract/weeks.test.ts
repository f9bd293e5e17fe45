import { describe, expect, test } from 'vitest';
import { specifiedCalendar } from './default-programme.ts';
import { houseZone } from './house-zone.ts';
import { addDays, currentWeek, dayAt, daysBetween, programmeCalendar, programmeWeek, startOfDay } from './weeks.ts';

const fixedStart = '2025-09-08';
const weekdayOf = (day: string) => new Date(`${day}T12:00:00Z`).getUTCDay();

describe('the calendar of sixteen weeks', () => {
  test('TIME-06 has 16 weeks; for the start 8 Sep 2025 week n starts 7 * (n - 1) days later', () => {
    const weeks = programmeCalendar(fixedStart, specifiedCalendar);
    expect(weeks.map(({ week }) => week)).toEqual(Array.from({ length: 16 }, (_, index) => index + 1));
    expect(weeks[0]?.firstDay).toBe('2025-09-08');
    for (const { week, firstDay } of weeks) expect(daysBetween(fixedStart, firstDay)).toBe(7 * (week - 1));
  });

  test.each([
    [1, '2025-09-08', '2025-09-12'],
    [2, '2025-09-15', '2025-09-19'],
    [8, '2025-10-27', '2025-10-31'],
    [9, '2025-11-03', '2025-11-07'],
    [12, '2025-11-24', '2025-11-28'],
    [16, '2025-12-22', '2025-12-26'],
  ])('TIME-07 week %i runs from Monday %s to Friday %s', (week, firstDay, lastDay) => {
    expect(programmeWeek(fixedStart, week, specifiedCalendar)).toMatchObject({ firstDay, lastDay });
    expect([weekdayOf(firstDay), weekdayOf(lastDay)]).toEqual([1, 5]);
  });

  test('TIME-08 marks week 12 Thanksgiving and week 16 Christmas, and no other week', () => {
    const holidays = programmeCalendar(fixedStart, specifiedCalendar).map(({ holiday }) => holiday);
    expect(holidays[11]).toBe('Thanksgiving');
    expect(holidays[15]).toBe('Christmas');
    expect(holidays.filter((holiday) => holiday !== null)).toHaveLength(2);
  });

  test.each([
    ['2024-09-09', { 12: 'Thanksgiving', 16: 'Christmas' }],
    ['2025-09-01', { 13: 'Thanksgiving' }],
    ['2026-08-10', { 16: 'Thanksgiving' }],
    ['2026-11-23', { 1: 'Thanksgiving', 5: 'Christmas' }],
    ['2026-02-02', {}],
  ])('a cohort that starts on %s has its holidays where the dates put them', (start, expected) => {
    const holidays = programmeCalendar(start, specifiedCalendar).flatMap(({ week, holiday }) =>
      holiday ? [[week, holiday]] : [],
    );
    expect(Object.fromEntries(holidays)).toEqual(expected);
  });

  test('Christmas on a weekend falls into no week of Monday to Friday', () => {
    expect(programmeWeek('2027-12-20', 1, specifiedCalendar)).toMatchObject({ lastDay: '2027-12-24', holiday: null });
  });
});

describe('the current week', () => {
  test.each([
    ['2025-08-01T16:00:00Z', 1],
    ['2025-09-07T23:00:00Z', 1],
    ['2025-09-08T04:00:00Z', 1],
    ['2025-09-08T16:00:00Z', 1],
    ['2025-09-10T16:00:00Z', 1],
    ['2025-09-15T16:00:00Z', 2],
    ['2026-01-01T05:00:00Z', 16],
    ['2026-08-01T16:00:00Z', 16],
  ])('TIME-10 for a cohort that started on 8 Sep 2025, %s is in week %i', (now, week) => {
    expect(currentWeek(fixedStart, dayAt(new Date(now), houseZone), specifiedCalendar)).toBe(week);
  });

  test('TIME-09 is the days since the start by sevens, rounded up, never below 1 nor above 16', () => {
    for (let days = -30; days < 200; days += 1) {
      const noon = new Date(startOfDay(addDays(fixedStart, days), houseZone).getTime() + 12 * 3_600_000);
      const expected = Math.min(16, Math.max(1, Math.ceil((days + 0.5) / 7)));
      expect(currentWeek(fixedStart, dayAt(noon, houseZone), specifiedCalendar), `day ${days}`).toBe(expected);
    }
  });

  test.each([
    ['Sunday evening in US Eastern', '2025-09-15T03:59:59Z', 1],
    ['Monday in US Eastern', '2025-09-15T04:00:00Z', 2],
    ['Sunday evening after daylight saving ended', '2025-11-03T04:59:59Z', 8],
    ['Monday after daylight saving ended', '2025-11-03T05:00:00Z', 9],
  ])('turns at midnight in US Eastern: %s', (_, now, week) => {
    expect(currentWeek(fixedStart, dayAt(new Date(now), houseZone), specifiedCalendar)).toBe(week);
  });

  test.each([
    ['2026-03-02', '2026-03-08T16:00:00Z', 1],
    ['2026-03-02', '2026-03-09T03:59:59Z', 1],
    ['2026-03-02', '2026-03-09T04:00:00Z', 2],
    ['2025-10-08', '2025-10-14T16:00:00Z', 1],
    ['2025-10-08', '2025-10-15T16:00:00Z', 2],
  ])('TIME-11 follows the own start: of a cohort from %s, %s is in week %i', (start, now, week) => {
    expect(currentWeek(start, dayAt(new Date(now), houseZone), specifiedCalendar)).toBe(week);
  });
});

test('TIME-02 the day of an instant is the US Eastern calendar day', () => {
  expect(dayAt(new Date('2025-09-09T03:59:59Z'), houseZone)).toBe('2025-09-08');
  expect(dayAt(new Date('2025-09-09T04:00:00Z'), houseZone)).toBe('2025-09-09');
  expect(dayAt(new Date('2025-12-09T04:59:59Z'), houseZone)).toBe('2025-12-08');
});

test.each([
  ['2025-09-08', '2025-09-08T04:00:00.000Z'],
  ['2025-11-02', '2025-11-02T04:00:00.000Z'],
  ['2025-11-03', '2025-11-03T05:00:00.000Z'],
  ['2026-03-08', '2026-03-08T05:00:00.000Z'],
  ['2026-03-09', '2026-03-09T04:00:00.000Z'],
])('%s begins in US Eastern at %s', (day, instant) => {
  expect(startOfDay(day, houseZone).toISOString()).toBe(instant);
});

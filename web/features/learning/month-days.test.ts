import { expect, test } from 'vitest';
import { addMonths, monthInWords, weeksOfMonth } from './month-days.ts';

test('CAL-05 the weeks of a month run Monday to Sunday and cover it whole', () => {
  const october = weeksOfMonth('2025-10');
  expect(october[0]).toEqual([
    '2025-09-29',
    '2025-09-30',
    '2025-10-01',
    '2025-10-02',
    '2025-10-03',
    '2025-10-04',
    '2025-10-05',
  ]);
  expect(october).toHaveLength(5);
  expect(october.at(-1)?.at(-1)).toBe('2025-11-02');
  expect(weeksOfMonth('2026-02')).toHaveLength(5);
  expect(weeksOfMonth('2027-02').map((week) => week[0])).toEqual([
    '2027-02-01',
    '2027-02-08',
    '2027-02-15',
    '2027-02-22',
  ]);
  expect(weeksOfMonth('2026-08')).toHaveLength(6);
});

test('months go over the turn of the year', () => {
  expect(addMonths('2025-12', 1)).toBe('2026-01');
  expect(addMonths('2026-01', -1)).toBe('2025-12');
  expect(monthInWords('2026-01')).toBe('January 2026');
});

import { expect, test } from 'vitest';
import { inDays, isSoon } from './due-words.ts';

test.each([
  { days: -1, isExpected: false },
  { days: 0, isExpected: true },
  { days: 3, isExpected: true },
  { days: 4, isExpected: false },
])('FELL-20 FELL-22 $days days from today is soon: $isExpected', ({ days, isExpected }) => {
  expect(isSoon(days)).toBe(isExpected);
});

test('distances are said as people say them', () => {
  expect([-8, -1, 0, 1, 3].map(inDays)).toEqual(['8 days ago', 'yesterday', 'today', 'tomorrow', 'in 3 days']);
});

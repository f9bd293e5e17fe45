import { expect, test } from 'vitest';
import { currentWeekInWords, runningWeekOf } from './current-week.ts';

const week = { cohortId: '1', cohortName: 'Fall 2025', weekNumber: 16, firstDay: '2025-12-22', lastDay: '2025-12-26' };
const programme = { payPeriod: 'week', weeks: 16 } as const;

test.each([
  ['2025-12-21', null, 'Fall 2025 begins on Mon 22 Dec 2025.'],
  ['2025-12-22', 16, 'Fall 2025 is in week 16, Mon 22 Dec to Fri 26 Dec.'],
  ['2025-12-28', 16, 'Fall 2025 is in week 16, Mon 22 Dec to Fri 26 Dec.'],
  ['2025-12-29', null, 'Fall 2025 ended on Fri 26 Dec 2025.'],
])('on %s the running week is %s', (today, running, words) => {
  expect(runningWeekOf({ ...week, ...programme, today })).toBe(running);
  expect(currentWeekInWords({ ...week, ...programme, today })).toBe(words);
});

test('without an active cohort no week runs', () => {
  const none = {
    cohortId: null,
    cohortName: null,
    weekNumber: 1,
    firstDay: null,
    lastDay: null,
    ...programme,
    today: '2025-12-22',
  };
  expect(runningWeekOf(none)).toBeNull();
  expect(currentWeekInWords(none)).toBe('There is no active cohort.');
});

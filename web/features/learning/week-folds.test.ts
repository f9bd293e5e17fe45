import { expect, test } from 'vitest';
import type { CalendarActivity } from '#contract/learning.ts';
import { foldWeeks, weeksInWords } from './week-folds.ts';

const today = '2025-10-08';

function activity(weekNumber: number, sessionDate: string | null): CalendarActivity {
  return {
    id: `${weekNumber}-${sessionDate}`,
    title: 'Session',
    weekNumber,
    sessionDate,
    sessionTime: null,
    durationMinutes: null,
    moduleName: null,
    deliveryMedium: null,
    cohortName: null,
    state: null,
  };
}

const weeksOf = (activities: CalendarActivity[]) => activities.map(({ weekNumber }) => weekNumber);

test('a list opens at the own week and the next', () => {
  const list = [1, 4, 5, 5, 6, 7, 16].map((week) => activity(week, today));
  const { earlier, shown, later } = foldWeeks(list, 5, today);
  expect([weeksOf(earlier), weeksOf(shown), weeksOf(later)]).toEqual([
    [1, 4],
    [5, 5, 6],
    [7, 16],
  ]);
  expect([weeksInWords(earlier), weeksInWords(later), weeksInWords(shown.slice(0, 2))]).toEqual([
    'Weeks 1 to 4',
    'Weeks 7 to 16',
    'Week 5',
  ]);
});

test.each([
  { name: 'the week of what comes next', days: ['2025-10-01', '2025-10-07', '2025-10-09'], week: 3 },
  { name: 'the week of today', days: ['2025-10-01', '2025-10-08', '2025-10-09'], week: 2 },
  { name: 'the last week when all is over', days: ['2025-09-01', '2025-09-08', '2025-09-15'], week: 3 },
  { name: 'the first week where nothing has a day', days: [null, null, null], week: 1 },
])('without an own week a list opens at $name', ({ days, week }) => {
  const { earlier, shown } = foldWeeks(
    days.map((day, index) => activity(index + 1, day)),
    null,
    today,
  );
  expect(earlier).toHaveLength(week - 1);
  expect(shown[0]?.weekNumber).toBe(week);
});

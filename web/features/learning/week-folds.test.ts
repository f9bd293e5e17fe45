import { expect, test } from 'vitest';
import type { CalendarActivity } from '#contract/learning.ts';
import { foldWeeks, groupByWeek, weeksInWords } from './week-folds.ts';

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
    zone: 'America/New_York',
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
  expect(
    groupByWeek(shown, { currentWeek: 5, holidays: [], today }).map(({ title, isThisWeek }) => [title, isThisWeek]),
  ).toEqual([
    ['Week 5', true],
    ['Week 6', false],
  ]);
  expect([weeksInWords(earlier), weeksInWords(later), weeksInWords(shown.slice(0, 2))]).toEqual([
    'Weeks 1 to 4',
    'Weeks 7 to 16',
    'Week 5',
  ]);
});

test('without an own week a list is in weeks of the year, by day and time, and opens at that of today', () => {
  const days = ['2025-11-03', null, '2025-10-06', '2025-10-05', '2025-10-19', '2025-10-20', '2025-09-08'];
  const list = days.map((day, index) => activity(index + 1, day));
  const { earlier, shown, later } = foldWeeks(list, null, today);
  const daysOf = (activities: CalendarActivity[]) => activities.map(({ sessionDate }) => sessionDate);
  expect([daysOf(earlier), daysOf(shown), daysOf(later)]).toEqual([
    ['2025-10-05', '2025-09-08'],
    ['2025-10-06', '2025-10-19'],
    ['2025-11-03', null, '2025-10-20'],
  ]);
  const groups = groupByWeek(list, { currentWeek: null, holidays: [], today });
  expect(groups.map(({ title, isThisWeek }) => [title, isThisWeek])).toEqual([
    ['Week of Mon 8 Sep 2025', false],
    ['Week of Mon 29 Sep 2025', false],
    ['Week of Mon 6 Oct 2025', true],
    ['Week of Mon 13 Oct 2025', false],
    ['Week of Mon 20 Oct 2025', false],
    ['Week of Mon 3 Nov 2025', false],
    ['Not scheduled', false],
  ]);
  const sameDay = ['14:00', null, '09:00'].map((sessionTime) => ({ ...activity(1, today), sessionTime }));
  const [group] = groupByWeek(sameDay, { currentWeek: null, holidays: [], today });
  expect(group?.activities.map(({ sessionTime }) => sessionTime)).toEqual(['09:00', '14:00', null]);
});

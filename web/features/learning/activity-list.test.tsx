import { cleanup, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { CalendarActivity } from '#contract/learning.ts';
import { draw } from '#test/support/draw.tsx';
import { Somewhere } from '#test/support/somewhere.tsx';
import { ActivityList } from './ActivityList.tsx';
import type { WeekFacts } from './week-folds.ts';

function activity(weekNumber: number, sessionDate: string): CalendarActivity {
  const nothing = {
    sessionTime: null,
    durationMinutes: null,
    moduleName: null,
    deliveryMedium: null,
    cohortName: null,
    zone: 'America/New_York',
  };
  return { ...nothing, id: `${weekNumber}`, title: `Session ${weekNumber}`, weekNumber, sessionDate, state: null };
}

const activities = [activity(11, '2025-11-18'), activity(12, '2025-11-25'), activity(16, '2025-12-23')];

function headingsWith(weeks: WeekFacts): (string | null)[] {
  cleanup();
  draw(
    <Somewhere>
      <ActivityList activities={activities} weeks={weeks} />
    </Somewhere>,
  );
  return screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
}

test('TIME-08 the weeks of Thanksgiving and Christmas say so in the calendar, whichever week it is now', () => {
  const holidays = [
    { week: 12, name: 'Thanksgiving' },
    { week: 16, name: 'Christmas' },
  ];
  expect(headingsWith({ currentWeek: 11, holidays, today: '2025-11-18' })).toEqual([
    'Week 11 · this week',
    'Week 12 · with Thanksgiving',
    'Week 16 · with Christmas',
  ]);
  expect(headingsWith({ currentWeek: null, holidays: [], today: '2025-12-23' })).toEqual([
    'Week of Mon 17 Nov 2025',
    'Week of Mon 24 Nov 2025 · with Thanksgiving',
    'Week of Mon 22 Dec 2025 · this week · with Christmas',
  ]);
});

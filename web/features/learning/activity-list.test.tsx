import { MantineProvider } from '@mantine/core';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CalendarActivity } from '#contract/learning.ts';
import { Somewhere } from '#test/support/somewhere.tsx';
import { ActivityList } from './ActivityList.tsx';
import type { WeekFacts } from './week-folds.ts';

let root: Root;
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  document.body.innerHTML = '<div id="root"></div>';
  root = createRoot(document.getElementById('root') as Element);
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.innerHTML = '';
  vi.unstubAllGlobals();
});

function activity(weekNumber: number, sessionDate: string): CalendarActivity {
  const nothing = {
    sessionTime: null,
    durationMinutes: null,
    moduleName: null,
    deliveryMedium: null,
    cohortName: null,
  };
  return { ...nothing, id: `${weekNumber}`, title: `Session ${weekNumber}`, weekNumber, sessionDate, state: null };
}

const activities = [activity(11, '2025-11-18'), activity(12, '2025-11-25'), activity(16, '2025-12-23')];

async function headingsWith(weeks: WeekFacts): Promise<string[]> {
  await act(async () =>
    root.render(
      <MantineProvider env="test">
        <Somewhere>
          <ActivityList activities={activities} weeks={weeks} />
        </Somewhere>
      </MantineProvider>,
    ),
  );
  return [...document.querySelectorAll('h2')].map(({ textContent }) => textContent);
}

test('TIME-08 the weeks of Thanksgiving and Christmas say so in the calendar, whichever week it is now', async () => {
  const holidays = [
    { week: 12, name: 'Thanksgiving' },
    { week: 16, name: 'Christmas' },
  ];
  expect(await headingsWith({ currentWeek: 11, holidays, today: '2025-11-18' })).toEqual([
    'Week 11 · this week',
    'Week 12 · with Thanksgiving',
    'Week 16 · with Christmas',
  ]);
  expect(await headingsWith({ currentWeek: null, holidays: [], today: '2025-12-23' })).toEqual([
    'Week of Mon 17 Nov 2025',
    'Week of Mon 24 Nov 2025 · with Thanksgiving',
    'Week of Mon 22 Dec 2025 · this week · with Christmas',
  ]);
});

import { cleanup, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { CalendarActivity } from '#contract/learning.ts';
import { draw } from '#test/support/draw.tsx';
import { Somewhere } from '#test/support/somewhere.tsx';
import { MonthView } from './MonthView.tsx';

function activity(id: string, facts: Partial<CalendarActivity>): CalendarActivity {
  return {
    id,
    title: `Session ${id}`,
    weekNumber: 1,
    sessionDate: '2025-11-18',
    sessionTime: null,
    durationMinutes: null,
    moduleName: null,
    deliveryMedium: null,
    cohortName: null,
    zone: 'America/New_York',
    state: null,
    ...facts,
  };
}

function itemsOf(activities: CalendarActivity[]): string[] {
  cleanup();
  const place = { month: '2025-11', day: undefined };
  draw(
    <Somewhere>
      <MonthView
        activities={activities}
        today="2025-11-18"
        place={place}
        isFiltered={false}
        isPhone={false}
        onChange={() => undefined}
      />
    </Somewhere>,
  );
  return screen.getAllByRole('link').map(({ textContent }) => textContent ?? '');
}

const ofAutumn = activity('1', { cohortName: 'Fellowship October 2025' });
const ofSpring = activity('2', { cohortName: 'Line Workers 2026' });
const ofNone = activity('3', {});

test('the month names the cohort of each activity if staff see several, and the whole name is a tooltip', () => {
  expect(itemsOf([ofAutumn, ofSpring, ofNone])).toEqual([
    'Session 1Week 1Fellowship October 2025',
    'Session 2Week 1Line Workers 2026',
    'Session 3Week 1No cohort',
  ]);
  expect(screen.getByTitle('Fellowship October 2025').textContent).toBe('Fellowship October 2025');
});

test('the month names no cohort if there is only one, or to a participant, who is in one', () => {
  expect(itemsOf([ofAutumn, activity('4', { cohortName: ofAutumn.cohortName })])).toEqual([
    'Session 1Week 1',
    'Session 4Week 1',
  ]);
  const own = [ofAutumn, ofNone].map((one): CalendarActivity => ({ ...one, state: 'upcoming' }));
  expect(itemsOf(own)).toEqual(['Session 1Upcoming', 'Session 3Upcoming']);
});

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

test('a day has its activities as they really follow each other, in whichever zone each is, and those without a time last', () => {
  const eastern = activity('1', { sessionTime: '11:00' });
  const pacific = activity('2', { sessionTime: '09:00', zone: 'America/Los_Angeles' });
  const untimed = activity('3', {});
  expect(itemsOf([pacific, eastern, untimed]).map((words) => words.slice(0, 9))).toEqual([
    'Session 1',
    'Session 2',
    'Session 3',
  ]);
});

test('CAL-06 a day without room for all shows what is overdue or to do before what is completed', () => {
  const [done, late, other, next] = (['completed', 'overdue', 'completed', 'today'] as const).map((state, place) =>
    activity(String(place + 1), { state }),
  ) as [CalendarActivity, CalendarActivity, CalendarActivity, CalendarActivity];
  expect(itemsOf([done, late, other, next])).toEqual(['Session 2Overdue', 'Session 4Today', 'Session 1Completed']);
  expect(screen.getByText('+1 more')).toBeDefined();
  expect(itemsOf([done, late])).toEqual(['Session 1Completed', 'Session 2Overdue']);
});

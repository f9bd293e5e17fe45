import { expect, test } from 'vitest';
import { activityState } from './learning-access.ts';

const today = '2025-10-08';

test.each([
  { sessionDate: '2025-10-01', weekNumber: 4, isCompleted: true, state: 'completed' },
  { sessionDate: '2025-11-05', weekNumber: 9, isCompleted: true, state: 'completed' },
  { sessionDate: '2025-10-07', weekNumber: 5, isCompleted: false, state: 'overdue' },
  { sessionDate: '2025-10-07', weekNumber: 9, isCompleted: false, state: 'overdue' },
  { sessionDate: '2025-10-08', weekNumber: 5, isCompleted: false, state: 'today' },
  { sessionDate: '2025-10-08', weekNumber: 9, isCompleted: false, state: 'today' },
  { sessionDate: '2025-10-09', weekNumber: 5, isCompleted: false, state: 'upcoming' },
  { sessionDate: '2025-10-09', weekNumber: 6, isCompleted: false, state: 'locked' },
  { sessionDate: null, weekNumber: 5, isCompleted: false, state: 'upcoming' },
  { sessionDate: null, weekNumber: 6, isCompleted: false, state: 'locked' },
])('an activity of week $weekNumber on $sessionDate, completed: $isCompleted, is $state', ({ state, ...activity }) => {
  expect(activityState(activity, today, 5)).toBe(state);
});

test('CAL-13 CAL-14 CAL-15 CAL-16 weeks that a cohort has unlocked are upcoming, later ones locked', () => {
  const inWeek = (weekNumber: number) => ({ sessionDate: '2025-12-01', weekNumber, isCompleted: false });
  expect(activityState(inWeek(8), today, 8)).toBe('upcoming');
  expect(activityState(inWeek(9), today, 8)).toBe('locked');
  expect(activityState({ ...inWeek(9), sessionDate: today }, today, 8)).toBe('today');
  expect(activityState({ ...inWeek(9), sessionDate: '2025-10-07' }, today, 8)).toBe('overdue');
});

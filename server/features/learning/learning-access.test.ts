import { expect, test } from 'vitest';
import { defaultUnlockedWeeks } from '#contract/default-programme.ts';
import { activityState } from './learning-access.ts';

const today = '2025-10-08';

test('CAL-12 CAL-13 CAL-14 CAL-15 CAL-16 completed comes before overdue, today, locked and upcoming', () => {
  const cases = [
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
  ];
  for (const { state, ...activity } of cases) {
    expect(activityState(activity, today, defaultUnlockedWeeks), JSON.stringify(activity)).toBe(state);
  }
});

test('weeks that a cohort has unlocked are upcoming, later ones locked', () => {
  const inWeek = (weekNumber: number) => ({ sessionDate: '2025-12-01', weekNumber, isCompleted: false });
  expect(activityState(inWeek(8), today, 8)).toBe('upcoming');
  expect(activityState(inWeek(9), today, 8)).toBe('locked');
  expect(activityState({ ...inWeek(9), sessionDate: today }, today, 8)).toBe('today');
  expect(activityState({ ...inWeek(9), sessionDate: '2025-10-07' }, today, 8)).toBe('overdue');
});

import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { readBooking } from '#contract/booking.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { type Fellowship, readFellowship } from '#contract/fellowship.ts';
import { readTrainingCalendar, type TrainingCalendar } from '#contract/learning.ts';
import { listOwnStipendWeeks } from '#contract/stipend-weeks.ts';
import { listSubmissions } from '#contract/submissions.ts';
import { answers, open, refused, robin, sees, serveScreens, sessionOf } from '#test/support/web-screens.tsx';

serveScreens();

const calendar: TrainingCalendar = {
  activities: [],
  hasMore: false,
  currentWeek: null,
  holidays: [],
  today: '2026-03-02',
  audiences: [],
  modules: [],
};
const fellowship: Fellowship = {
  cohort: null,
  courses: [],
  progress: { overallPercentage: 0, status: 'on_track', daysAheadBehind: null },
  coreModules: { completed: 0, total: 0 },
  modules: [],
  tracks: [],
  selection: null,
  can: { selectTrack: false, lockTrack: false },
};
const booking: ResponseOf<typeof readBooking> = {
  coaches: [],
  coachId: null,
  slots: [],
  mostOpenSessions: 4,
  can: { book: true },
  sessions: [],
};
const weeks: ResponseOf<typeof listOwnStipendWeeks> = {
  person: { id: robin.id, name: 'Robin Reyes' },
  rows: [],
  nextCursor: null,
  totals: { earnedCents: 0, paidCents: 0 },
  rules: null,
  can: { ask: false },
};
const noWork: ResponseOf<typeof listSubmissions> = { rows: [], nextCursor: null, pendingCount: 0 };

test.each([
  ['/training-calendar', 'No training activities yet'],
  ['/fellowship', 'No Active Fellowship'],
  ['/coaching', 'No coach yet'],
  ['/my-stipends', 'No weeks yet'],
  ['/submissions', 'You are not in an active cohort.'],
])('at %s a participant without a cohort is led to where they read what happens next', async (place, title) => {
  answers.set(readSession, () => sessionOf(robin));
  answers.set(readTrainingCalendar, () => calendar);
  answers.set(readFellowship, () => fellowship);
  answers.set(readBooking, () => booking);
  answers.set(listOwnStipendWeeks, () => weeks);
  answers.set(listSubmissions, () => noWork);
  await open(place);
  await sees(title);
  expect(screen.getByText('See what happens next').closest('a')?.getAttribute('href')).toBe('/dashboard');
});

test.each([
  ['participant', 'You are not in an active cohort.', 'Sessions of the program'],
  ['coach', 'Sessions of the program', 'You are not in an active cohort.'],
] as const)('an empty calendar says to a %s: %s', async (role, words, others) => {
  answers.set(readSession, () => sessionOf({ ...robin, role }));
  answers.set(readTrainingCalendar, () => calendar);
  await open('/training-calendar');
  await sees(words);
  expect(document.body.textContent).not.toContain(others);
});

test('a participant who handed in nothing finds assignments in the calendar, also if their cohort is not known', async () => {
  answers.set(readSession, () => sessionOf(robin));
  answers.set(listSubmissions, () => noWork);
  answers.set(readFellowship, refused('not_found', 'It is away.'));
  await open('/submissions');
  const words = 'Find your assignments in the Training Calendar';
  await sees(words);
  expect(screen.getByText(words).closest('a')?.getAttribute('href')).toBe('/training-calendar');
});

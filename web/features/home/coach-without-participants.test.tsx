import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { type CoachDashboard, readCoachDashboard } from '#contract/home.ts';
import { listSubmissions } from '#contract/submissions.ts';
import { answers, open, robin, sees, serveScreens, sessionOf } from '#test/support/web-screens.tsx';

serveScreens();

const nothing: CoachDashboard = {
  counts: { participants: 0, pendingReviews: 0, todaysSessions: 0, completionRate: 0 },
  participants: [],
  pendingEvaluations: [],
  todaysSessions: [],
  upcomingSessions: [],
  firstSteps: { hasTimes: true, hasSessions: true },
};

test('COACH-07 a coach without participants reads 0% as the share of nobody', async () => {
  answers.set(readSession, () => sessionOf({ ...robin, role: 'coach' }));
  answers.set(readCoachDashboard, () => nothing);
  await open('/dashboard');
  await sees('No participants yet');
  expect(screen.getByLabelText('Completion Rate').textContent).toBe('Completion Rate0%No participants yet');
});

test.each([
  ['all', 'No work from your participants yet'],
  ['pending', 'No work from your participants to review'],
])('a coach without participants reads that an admin assigns them, under the tab %s', async (tab, title) => {
  answers.set(readSession, () => sessionOf({ ...robin, role: 'coach' }));
  answers.set(listSubmissions, () => ({ rows: [], nextCursor: null, pendingCount: 0 }));
  await open(`/submissions?tab=${tab}`);
  await sees(title);
  await sees('An admin assigns participants to you.');
});

import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { listCoachWeeks, readCohortStandings, readCohortWeeks, readWaitingAges } from '#contract/programme-figures.ts';
import { listStipendCohorts } from '#contract/stipend-cohorts.ts';
import { alerts, drawAsking, press } from '#test/support/draw.tsx';
import { answers, refused, serveScreens } from '#test/support/web-screens.tsx';
import { AdminCohortWeeks } from './AdminCohortWeeks.tsx';
import { AdminStandings } from './AdminStandings.tsx';
import { AdminWaiting } from './AdminWaiting.tsx';
import { CoachWeeks } from './CoachWeeks.tsx';

serveScreens();

const id = '00000000-0000-7000-8000-00000000000a';
const cohort = { id, name: 'Spring', status: 'active', needsSecondApprover: false, askedOff: null, isDocumented: true };
const none = { underOneDay: 0, underThreeDays: 0, underSevenDays: 0, fromSevenDays: 0 };

const figures: [string, Endpoint, () => React.ReactNode, object, RegExp][] = [
  ['how people stand', readCohortStandings, AdminStandings, { cohorts: [] }, /No active cohort has members/],
  [
    'what waits',
    readWaitingAges,
    AdminWaiting,
    { reviews: none, stipends: none, questions: none, corrections: none, stipendWeeks: [] },
    /Nothing waits.*show here as they come/,
  ],
  [
    'the weeks of a cohort',
    readCohortWeeks,
    AdminCohortWeeks,
    { id, name: 'Spring', parts: [], weeks: [] },
    /No week is calculated/,
  ],
  ['the weeks of a coach', listCoachWeeks, CoachWeeks, { rows: [], nextCursor: null }, /No weeks yet/],
];

test.each(figures)(
  '%s: a read that fails is said and is no zero, and an empty answer has words',
  async (_, read, Shown, empty, words) => {
    vi.spyOn(console, 'error').mockReturnValue(undefined);
    answers.set(listStipendCohorts, () => ({ cohorts: [cohort] }));
    answers.set(read, refused('internal', 'The figures are away.'));
    const routeTree = createRootRoute({ component: () => <Shown /> });
    const router = createRouter({ routeTree, history: createMemoryHistory() });
    await drawAsking(<RouterProvider router={router as never} />);
    await waitFor(() => expect(alerts()).toEqual([expect.stringContaining('The figures are away.')]));
    expect(document.querySelector('figure, table')).toBeNull();
    answers.set(read, () => empty);
    await press('Try again');
    await waitFor(() => expect(document.body.textContent).toMatch(words));
    expect(alerts()).toEqual([]);
  },
);

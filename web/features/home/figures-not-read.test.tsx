import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { readAdminDashboard, readParticipantDashboard } from '#contract/home.ts';
import { listCoachWeeks, readCohortStandings, readCohortWeeks, readWaitingAges } from '#contract/programme-figures.ts';
import { listStipendCohorts } from '#contract/stipend-cohorts.ts';
import { alerts, drawAsking, press } from '#test/support/draw.tsx';
import { answers, open, refused, robin, serveScreens, sessionOf } from '#test/support/web-screens.tsx';
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

const offline = "We could not load your dashboard. Figures marked 'Not loaded' are placeholders.";

test.each([
  ['ADMIN-20', 'admin', readAdminDashboard, 'The figures could not be loadedTell them: 5f0c6ad21b7e.Try again'],
  ['FELL-28', 'participant', readParticipantDashboard, `Connection Issue${offline} Tell them: 5f0c6ad21b7e.Try again`],
] as const)('%s the alert of the dashboard of a %s ends with the reference', async (_, role, read, words) => {
  answers.set(readSession, () => sessionOf({ ...robin, role }));
  answers.set(read, refused('not_found', 'Tell them: 5f0c6ad21b7e.'));
  await open('/dashboard');
  await waitFor(() => expect(alerts()).toContain(words));
});

/** The texts that are figures, with their color and weight. */
const shownFigures = () =>
  [...document.querySelectorAll<HTMLElement>('main .mantine-Text-root')]
    .filter(({ textContent }) => /^(0|0%|0\/0|0 \(0%\)|\$0|\$500|–)$/.test(textContent ?? ''))
    .map(({ textContent, style }) => `${textContent} ${style.color} ${style.fontWeight}`);
const dimmed = (figure: string) => `${figure} var(--mantine-color-dimmed) 400`;

test('ADMIN-20 no zero that stands in for a figure of an admin looks like a figure', async () => {
  answers.set(readSession, () => sessionOf({ ...robin, role: 'admin' }));
  answers.set(readAdminDashboard, refused('not_found', 'The figures are away.'));
  await open('/dashboard');
  await waitFor(() => expect(shownFigures()).toHaveLength(22));
  const shares = Array.from({ length: 7 }, () => dimmed('0 (0%)'));
  expect(shownFigures().toSorted()).toEqual([...shares, ...Array.from({ length: 15 }, () => dimmed('0'))]);
  // The alert reads all of them again, so no figure has a button of its own.
  const buttons = [...document.querySelectorAll('main button')].map(({ textContent }) => textContent);
  expect(buttons).toContain('Try again');
  expect(buttons.filter((name) => name?.startsWith('Try again '))).toEqual([]);
});

test('FELL-28 no figure that stands in for one of a participant looks like it', async () => {
  answers.set(readSession, () => sessionOf(robin));
  answers.set(readParticipantDashboard, refused('not_found', 'The figures are away.'));
  await open('/dashboard');
  await waitFor(() => expect(shownFigures()).toEqual(['0%', '0/0', '$0', '$500'].map(dimmed)));
  expect(document.body.textContent).not.toContain('Your stipend for week');
  const toCalendar = [...document.querySelectorAll('main a')].find(
    ({ textContent }) => textContent === 'This week in the calendar',
  );
  expect(toCalendar?.getAttribute('href')).toBe('/training-calendar');
});

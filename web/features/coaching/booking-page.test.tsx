import { notifications } from '@mantine/notifications';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { readBooking } from '#contract/booking.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { problemFor } from '#server/platform/errors.ts';
import { drawAsking, press } from '#test/support/draw.tsx';
import { queryClient } from '../../api/query-for.ts';
import { BookingPage } from './BookingPage.tsx';

type Booking = ResponseOf<typeof readBooking>;

const told: unknown[] = [];
const coach = {
  id: '0190b7a0-0000-7000-8000-000000000002',
  firstName: 'Casey',
  lastName: 'Cole',
  externalLink: null,
  instructions: null,
};
const nothing: Booking = {
  coaches: [],
  coachId: null,
  slots: [],
  mostOpenSessions: 4,
  can: { book: true },
  sessions: [],
};
const session: Booking['sessions'][number] = {
  id: '0190b7a0-0000-7000-8000-000000000001',
  coachId: coach.id,
  coachName: 'Casey Cole',
  scheduledAt: '2026-03-04T15:00:00.000Z',
  durationMinutes: 30,
  agenda: null,
  teamsLink: null,
  can: { move: true, cancel: true },
};
/** Three days before Thanksgiving. */
const monday = '2026-11-23T12:00:00.000Z';
const offered: Booking = {
  ...nothing,
  coaches: [coach],
  coachId: coach.id,
  slots: ['2026-11-24T15:00:00.000Z', '2026-11-25T15:00:00.000Z', '2026-11-25T19:30:00.000Z'],
  sessions: [{ ...session, scheduledAt: '2026-11-25T20:00:00.000Z' }],
};

beforeEach(() => {
  told.length = 0;
  vi.stubGlobal('scrollTo', () => undefined);
  vi.spyOn(notifications, 'show').mockImplementation(({ title, message }) => {
    told.push([title, message]);
    return 'shown';
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** The server refuses every write as a conflict. */
const refuse = () => Response.json(problemFor('conflict', 'It was changed meanwhile.', 'r', null), { status: 409 });

/** Draws the page from the server's answer to each read and write. */
async function open(reads: () => Booking, { writes = refuse, address = '/' } = {}) {
  vi.stubGlobal('fetch', async (_: string, { method = 'GET' }: RequestInit) =>
    method === 'GET' ? Response.json(reads()) : writes(),
  );
  const router = createRouter({
    routeTree: createRootRoute({ component: BookingPage }),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  await drawAsking(<RouterProvider router={router as never} />);
  await waitFor(() => {
    expect(screen.queryByRole('heading', { level: 1 })).not.toBeNull();
    expect(document.querySelector('[aria-busy]')).toBeNull();
  });
  return router;
}

const days = () => screen.getAllByRole('tab').map(({ textContent }) => textContent);
const times = () =>
  within(screen.getByRole('tabpanel'))
    .getAllByRole('button')
    .map(({ textContent }) => textContent);

test('COACH-46 without a coach the scheduler asks to check back in 24-48 hours, and has no time to press', async () => {
  await open(() => nothing);
  expect(document.body.textContent).toContain('Please check back in 24-48 hours');
  expect(screen.queryAllByRole('button')).toEqual([]);
});

test('a session that changed since it was shown is said so; its question closes, and the sessions are read again', async () => {
  const answers = [{ ...nothing, sessions: [session] }];
  await open(() => answers.shift() ?? nothing);
  await press(/^Cancel the session on/);
  await press('Cancel the session');
  await waitFor(() => expect(told).toEqual([['Cancel Failed', 'It was changed meanwhile.']]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.body.textContent).not.toContain('with Casey Cole'));
});

test('a person chooses one of the days, by arrow keys too, and then one of its times; the address holds the day', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(monday) });
  const router = await open(() => offered);
  expect(days()).toEqual(['Tue 24 Nov1 time', 'Wed 25 Nov2 timesYour session', 'Thu 26 NovNo timesHoliday']);
  expect(screen.getByRole('tab', { selected: true, name: /Tue 24 Nov/ })).toBeTruthy();
  expect(times()).toEqual(['10:00 AM']);

  await act(async () => fireEvent.keyDown(screen.getByRole('tab', { selected: true }), { key: 'ArrowRight' }));
  expect(screen.getByRole('tab', { selected: true })).toBe(document.activeElement);
  expect(router.state.location.search).toEqual({ day: '2026-11-25' });
  expect(times()).toEqual(['10:00 AM', '2:30 PM']);
  expect(screen.getByRole('tabpanel').textContent).toContain('You have a session at 3:00 PM ET.');
});

test('a day without a free time says why, and one that the address does not know is not chosen', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(monday) });
  const router = await open(() => offered, { address: '/?day=2026-11-26' });
  const panel = screen.getByRole('tabpanel');
  expect(panel.textContent).toContain('This day is a holiday: Thanksgiving.');
  expect(panel.textContent).toContain('No time is free on this day.');
  await act(() => router.navigate({ to: '.', search: { day: '2026-11-30' } as never }));
  expect(times()).toEqual(['10:00 AM']);
});

test('a booked session is told with its day and time', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(monday) });
  await open(() => offered, { writes: () => Response.json({ id: session.id }) });
  await press('Tue 24 Nov, 10:00 AM ET');
  await press('Book this session');
  await waitFor(() => expect(told).toEqual([['Session booked', 'Tue 24 Nov, 10:00 AM ET']]));
});

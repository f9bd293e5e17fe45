import { notifications } from '@mantine/notifications';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { readBooking } from '#contract/booking.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { problemFor } from '#server/platform/errors.ts';
import { drawAsking, press } from '#test/support/draw.tsx';
import { queryClient } from '../../api/query-for.ts';
import { BookingPage } from './BookingPage.tsx';

type Booking = ResponseOf<typeof readBooking>;

const told: unknown[] = [];
const nothing: Booking = {
  coaches: [],
  coachId: null,
  slots: [],
  mostOpenSessions: 4,
  can: { book: true },
  sessions: [],
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
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Draws the page from the server's answer to each read. The server refuses every write as a conflict. */
async function open(reads: () => Booking) {
  const refusal = problemFor('conflict', 'It was changed meanwhile.', 'r', null);
  vi.stubGlobal('fetch', async (_: string, { method = 'GET' }: RequestInit) =>
    method === 'GET' ? Response.json(reads()) : Response.json(refusal, { status: 409 }),
  );
  const router = createRouter({
    routeTree: createRootRoute({ component: BookingPage }),
    history: createMemoryHistory(),
  });
  await drawAsking(<RouterProvider router={router as never} />);
  await waitFor(() => {
    expect(screen.queryByRole('heading', { level: 1 })).not.toBeNull();
    expect(document.querySelector('[aria-busy]')).toBeNull();
  });
}

test('COACH-46 without a coach the scheduler asks to check back in 24-48 hours, and has no time to press', async () => {
  await open(() => nothing);
  expect(document.body.textContent).toContain('Please check back in 24-48 hours');
  expect(screen.queryAllByRole('button')).toEqual([]);
});

test('a session that changed since it was shown is said so; its question closes, and the sessions are read again', async () => {
  const session = {
    id: '0190b7a0-0000-7000-8000-000000000001',
    coachId: '0190b7a0-0000-7000-8000-000000000002',
    coachName: 'Casey Cole',
    scheduledAt: '2026-03-04T15:00:00.000Z',
    durationMinutes: 30,
    agenda: null,
    teamsLink: null,
    can: { move: true, cancel: true },
  };
  const answers = [{ ...nothing, sessions: [session] }];
  await open(() => answers.shift() ?? nothing);
  await press(/^Cancel the session of/);
  await press('Cancel the session');
  await waitFor(() => expect(told).toEqual([['Cancel Failed', 'It was changed meanwhile.']]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.body.textContent).not.toContain('with Casey Cole'));
});

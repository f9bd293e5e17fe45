import { notifications } from '@mantine/notifications';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CoachSession } from '#contract/coach-sessions.ts';
import { problemFor } from '#server/platform/errors.ts';
import { drawAsking } from '#test/support/draw.tsx';
import { Somewhere } from '#test/support/somewhere.tsx';
import { queryClient } from '../../api/query-for.ts';
import { BookingPage } from './BookingPage.tsx';
import { CoachSessions } from './CoachSessions.tsx';

const hourInMs = 3_600_000;
const told: unknown[] = [];

beforeEach(() => {
  told.length = 0;
  vi.spyOn(notifications, 'show').mockImplementation(({ title, message, ...toast }) => {
    const type = (toast as { 'data-toast'?: string })['data-toast'];
    told.push(message ? [type, title, message] : [type, title]);
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

function someSession(facts: Partial<CoachSession> = {}): CoachSession {
  return {
    id: '0190b7a0-0000-7000-8000-000000000001',
    participantId: '0190b7a0-0000-7000-8000-000000000002',
    firstName: 'Ana',
    lastName: 'Alvarez',
    email: 'ana@people.example',
    scheduledAt: new Date(Date.now() + 24 * hourInMs).toISOString(),
    durationMinutes: 30,
    agenda: 'Career plan',
    notes: null,
    status: 'scheduled',
    teamsLink: null,
    cancelReason: null,
    noShowReason: null,
    isOverdue: false,
    can: { complete: true, cancel: true, markNoShow: false, writeNotes: false, reopen: false, openPerson: true },
    ...facts,
  };
}
const none = { complete: false, cancel: false, markNoShow: false, writeNotes: false, reopen: false, openPerson: true };

interface Answers {
  upcoming?: CoachSession[];
  cancelled?: CoachSession[];
  past?: CoachSession[];
  olderOverdue?: CoachSession[];
  olderOverdueCount?: number;
  /** The answer to every write. By default it is the session itself. */
  write?: Response;
}

const draw = () =>
  drawAsking(
    <Somewhere>
      <CoachSessions />
    </Somewhere>,
  );

/** Draws the tab from these answers. Returns the writes that are sent. */
async function open({ write, ...given }: Answers) {
  const { upcoming = [], cancelled = [], past = [], olderOverdue = [], olderOverdueCount = 0 } = given;
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (address: string, { body }: RequestInit) => {
    if (typeof body !== 'string')
      return Response.json({
        ...{ upcoming, upcomingCount: upcoming.length, cancelled },
        ...{ past, olderOverdue, olderOverdueCount },
      });
    sent.push([String(address).replace(/^.*\/api/, '/api'), JSON.parse(body)]);
    return write ?? Response.json(upcoming[0] ?? past[0]);
  });
  await draw();
  await waitFor(() => expect(document.querySelector('[aria-busy]')).toBeNull());
  return sent;
}

const named = (name: RegExp) => screen.queryByRole('button', { name });
const click = (name: RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const field = () => document.querySelector<HTMLTextAreaElement>('[role=dialog] textarea');
const type = (value: string) => fireEvent.input(field() as Element, { target: { value } });
const refusal = () => Response.json(problemFor('conflict', 'It was changed meanwhile.', 'r', null), { status: 409 });
const place = '/api/coach/sessions/0190b7a0-0000-7000-8000-000000000001';

test('COACH-29 COACH-30 COACH-32 upcoming and past sessions with person, time, length, agenda, notes and every status', async () => {
  await open({
    upcoming: [someSession()],
    cancelled: [someSession({ id: 'c', status: 'cancelled', cancelReason: 'Cancelled by coach', can: none })],
    past: [
      someSession({ id: 'b', status: 'completed', notes: 'On track.', can: { ...none, writeNotes: true } }),
      someSession({ id: 'd', status: 'no_show', noShowReason: 'No answer by phone.', can: none }),
    ],
  });
  const [upcoming, cancelled, past] = [...document.querySelectorAll('section')].map(
    ({ textContent }) => textContent ?? '',
  );
  for (const words of [
    'Upcoming sessions',
    'Ana Alvarez',
    'ana@people.example',
    ' ET',
    '30 minutes',
    'Career plan',
    'Scheduled',
  ]) {
    expect(upcoming).toContain(words);
  }
  for (const words of ['Upcoming sessions that were cancelled', 'Cancelled', 'Cancelled by coach']) {
    expect(cancelled).toContain(words);
  }
  for (const words of ['Past sessions', 'Completed', 'On track.', 'No show', 'No answer by phone.']) {
    expect(past).toContain(words);
  }
});

test('COACH-33 COACH-36 only a scheduled session offers to complete and to cancel, and a completed one its notes', async () => {
  await open({ past: [someSession({ status: 'completed', can: { ...none, writeNotes: true } })] });
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Add notes']);
});

test('COACH-33 COACH-40 a running and a past scheduled session can each be completed, all others neither completed nor cancelled', async () => {
  const [running, over] = [0.2, 2].map((hours) => new Date(Date.now() - hours * hourInMs).toISOString());
  const scheduled = [
    someSession({ scheduledAt: running, can: { ...none, complete: true, markNoShow: true } }),
    someSession({ scheduledAt: over, isOverdue: true, can: { ...none, complete: true, writeNotes: true } }),
  ];
  for (const session of scheduled) {
    told.length = 0;
    const sent = await open(session.isOverdue ? { past: [session] } : { upcoming: [session] });
    click(/^Complete the session with Ana Alvarez$/);
    await waitFor(() => expect(told).toEqual([['success', 'Session Updated']]));
    expect(sent).toEqual([[place, { status: 'completed' }]]);
    queryClient.clear();
    cleanup();
  }
  await open({
    past: (['completed', 'cancelled', 'no_show'] as const).map((status) =>
      someSession({ id: status, status, can: { ...none, writeNotes: status !== 'cancelled' } }),
    ),
  });
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
  expect([named(/^Complete/), named(/^Cancel/), named(/^No-show/)]).toEqual([null, null, null]);
});

test('COACH-33 a session that has not begun does not offer to be completed', async () => {
  await open({ upcoming: [someSession({ can: { ...none, cancel: true } })] });
  expect([named(/^Complete/), named(/^No-show/)]).toEqual([null, null]);
  expect(named(/^Cancel the session with Ana Alvarez$/)).not.toBeNull();
});

test('a name leads to the page of the person only where that opens', async () => {
  const other = { id: 'other', firstName: 'Bo', participantId: '0190b7a0-0000-7000-8000-000000000009' };
  await open({ past: [someSession(), someSession({ ...other, can: { ...none, openPerson: false } })] });
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Ana Alvarez']);
  expect(document.body.textContent).toContain('Bo Alvarez');
});

test('somebody who did not come is marked as no-show, only where the server says that it can be', async () => {
  const sent = await open({
    upcoming: [
      someSession({ id: 'later' }),
      someSession({ firstName: 'Bo', can: { ...none, complete: true, markNoShow: true } }),
    ],
  });
  expect(screen.getAllByText('No-show', { selector: 'button *' })).toHaveLength(1);
  click(/^No-show: Bo Alvarez did not come$/);
  click(/^Mark as no-show$/);
  expect(document.querySelector('[role=dialog]')?.textContent).toContain('Please say what happened');
  expect(sent).toEqual([]);
  type(' No answer by phone. ');
  click(/^Mark as no-show$/);
  await waitFor(() => expect(told).toEqual([['success', 'Session Updated']]));
  expect(sent).toEqual([[place, { status: 'no_show', noShowReason: 'No answer by phone.' }]]);
});

test('COACH-40 what could not be completed or marked as no-show says Update Failed, with the reason', async () => {
  const upcoming = [someSession({ can: { ...none, complete: true, markNoShow: true } })];
  for (const button of [/^Complete/, /^No-show/]) {
    told.length = 0;
    await open({ upcoming, write: refusal() });
    click(button);
    if (document.querySelector('[role=dialog]')) {
      type('Ill');
      click(/^Mark as no-show$/);
    }
    await waitFor(() => expect(told).toEqual([['error', 'Update Failed', 'It was changed meanwhile.']]));
    cleanup();
  }
});

test('COACH-40 notes that are saved say Session Updated, and their dialog closes', async () => {
  const sent = await open({
    past: [someSession({ status: 'completed', notes: 'Good talk.', can: { ...none, writeNotes: true } })],
  });
  click(/^Edit notes/);
  click(/^Save notes/);
  await waitFor(() => expect(told).toEqual([['success', 'Session Updated']]));
  expect(sent).toEqual([[place, { notes: 'Good talk.' }]]);
  await waitFor(() => expect(document.querySelector('[role=dialog]')).toBeNull());
});

test('typed notes outlive Escape until the person agrees to lose them', async () => {
  const sent = await open({ past: [someSession({ status: 'completed', can: { ...none, writeNotes: true } })] });
  click(/^Add notes/);
  const pressEscape = () => fireEvent.keyDown(field() as Element, { key: 'Escape' });
  type('She wants to see a substation.');
  pressEscape();
  await waitFor(() => expect(document.body.textContent).toContain('Discard your changes?'));
  click(/^Cancel$/);
  await waitFor(() => expect(document.body.textContent).not.toContain('Discard your changes?'));
  expect(field()?.value).toBe('She wants to see a substation.');
  pressEscape();
  await waitFor(() => expect(named(/^Discard changes$/)).toBeTruthy());
  click(/^Discard changes$/);
  await waitFor(() => expect(field()).toBeNull());
  expect(sent).toEqual([]);
});

test('COACH-38 a session whose time has passed is marked as overdue, in yellow and in a word', async () => {
  await open({ past: [someSession({ isOverdue: true, can: { ...none, complete: true, writeNotes: true } })] });
  const row = document.querySelector('li');
  expect(row?.className).toContain('overdue');
  const badge = [...document.querySelectorAll<HTMLElement>('[data-tone]')].find(
    ({ textContent }) => textContent === 'Overdue',
  );
  expect(badge?.dataset.tone).toBe('warning');
});

test('of more overdue sessions than are listed the number of the others is told', async () => {
  await open({ olderOverdue: [someSession({ isOverdue: true })], olderOverdueCount: 8 });
  expect(document.body.textContent).toContain('And 7 more. They appear as you complete these.');
});

test('COACH-33 COACH-40 completing a scheduled session says Session Updated', async () => {
  const sent = await open({ upcoming: [someSession()] });
  click(/^Complete/);
  await waitFor(() => expect(told).toEqual([['success', 'Session Updated']]));
  expect(sent).toEqual([[place, { status: 'completed' }]]);
});

test('COACH-40 notes that could not be saved say Update Failed, and what was typed is still there', async () => {
  const sent = await open({
    past: [someSession({ isOverdue: true, notes: 'Good talk.', can: { ...none, complete: true, writeNotes: true } })],
    write: refusal(),
  });
  click(/^Edit notes/);
  click(/^Save and complete/);
  await waitFor(() => expect(told).toEqual([['error', 'Update Failed', 'It was changed meanwhile.']]));
  expect(sent).toEqual([[place, { notes: 'Good talk.' }]]);
  expect(document.querySelector<HTMLTextAreaElement>('[role=dialog] textarea')?.value).toBe('Good talk.');
});

test('COACH-34 COACH-41 cancelling is asked first: declined nothing is sent, confirmed it says Session Cancelled', async () => {
  const sent = await open({ upcoming: [someSession()] });
  click(/^Cancel the session with/);
  expect(document.querySelector('[role=dialog]')?.textContent).toContain('Ana Alvarez');
  click(/^Keep the session/);
  expect(sent).toEqual([]);
  click(/^Cancel the session with/);
  click(/^Cancel the session$/);
  await waitFor(() => expect(told).toEqual([['success', 'Session Cancelled']]));
  expect(sent).toEqual([[`${place}/cancellation`, { reason: null }]]);
});

test('COACH-41 a cancel that fails says Cancel Failed; of a session that has changed since nothing is left to confirm', async () => {
  for (const [code, status] of [
    ['internal', 500],
    ['conflict', 409],
  ] as const) {
    told.length = 0;
    const refused = problemFor(code, 'It was changed meanwhile.', 'r', null);
    await open({ upcoming: [someSession()], write: Response.json(refused, { status }) });
    click(/^Cancel the session with/);
    click(/^Cancel the session$/);
    await waitFor(() => expect(told).toEqual([['error', 'Cancel Failed', 'It was changed meanwhile.']]));
    await waitFor(() => expect(document.querySelectorAll('[role=dialog]')).toHaveLength(code === 'conflict' ? 0 : 1));
    queryClient.clear();
    cleanup();
  }
});

test('COACH-39 Join can be pressed within its time, says before that when it opens, and is not there without a meeting link', async () => {
  const teamsLink = 'https://meet.example/1';
  const soon = new Date(Date.now() + hourInMs / 6).toISOString();
  await open({
    upcoming: [
      someSession({ id: 'a', scheduledAt: soon, teamsLink }),
      someSession({ id: 'b', teamsLink }),
      someSession({ id: 'c', scheduledAt: soon }),
    ],
  });
  const joins = [...document.querySelectorAll('li')].map((row) =>
    [...row.querySelectorAll('a, button')]
      .filter(({ textContent }) => textContent === 'Join')
      .map((join) => join.getAttribute('href') ?? (join as HTMLButtonElement).disabled),
  );
  expect(joins).toEqual([[teamsLink], [true], []]);
  const words = [...document.querySelectorAll('li')].map(
    ({ textContent }) => /Opens 15 minutes before|No meeting link yet/.exec(textContent ?? '')?.[0],
  );
  expect(words).toEqual([undefined, 'Opens 15 minutes before', 'No meeting link yet']);
  const closed = screen.getByRole('button', { name: 'Join' });
  expect(document.getElementById(closed.getAttribute('aria-describedby') ?? '')?.textContent).toBe(words[1]);
});

test('COACH-42 sessions that cannot be loaded are said to be, and can be tried again', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json(problemFor('forbidden', 'Not for you.', 'r', null), { status: 403 }),
  );
  await draw();
  await waitFor(() => expect(document.body.textContent).toContain('Failed to load coaching sessions'));
  expect(named(/^Try again$/)).toBeTruthy();
});

test('SEC-20 markup in an agenda and in notes is shown as it was typed, and nothing of it is drawn', async () => {
  const [agenda, notes] = ['<img src=x onerror=alert(1)> plan', '<script>alert(2)</script><b>bold</b>'];
  const completed = { status: 'completed', agenda, notes, can: { ...none, writeNotes: true } } as const;
  await open({ upcoming: [someSession({ agenda })], past: [someSession({ id: 'b', ...completed })] });
  expect(document.body.textContent?.split(agenda)).toHaveLength(3);
  expect(document.body.textContent).toContain(notes);
  click(/^Edit notes/);
  expect(field()?.value).toBe(notes);
  expect(document.querySelector('img, script, [onerror]')).toBeNull();
});

test('COACH-38 a tab that stays in front sees a session become overdue', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const upcoming = [someSession()];
  await open({ upcoming });
  expect(document.body.textContent).not.toContain('Overdue');
  upcoming[0] = someSession({ isOverdue: true, can: { ...none, complete: true, writeNotes: true } });
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  await waitFor(() => expect(document.body.textContent).toContain('Overdue'));
  expect(named(/^Add notes/)).toBeTruthy();
});

test('the page of a participant that stays in front sees that a session can no longer be moved', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.stubGlobal('scrollTo', () => undefined);
  const { id, scheduledAt, durationMinutes, agenda, teamsLink } = someSession();
  const session = { id, coachId: 'coach', coachName: 'Casey Cole', scheduledAt, durationMinutes, agenda, teamsLink };
  let can = { move: true, cancel: true };
  vi.stubGlobal('fetch', async () =>
    Response.json({ coaches: [], coachId: null, slots: [], sessions: [{ ...session, can }] }),
  );
  const router = createRouter({
    routeTree: createRootRoute({ component: BookingPage }),
    history: createMemoryHistory(),
  });
  await drawAsking(<RouterProvider router={router as never} />);
  await waitFor(() => expect(named(/^Move the session/)).toBeTruthy());
  can = { move: false, cancel: false };
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  await waitFor(() => expect(named(/^Move the session/)).toBeNull());
});

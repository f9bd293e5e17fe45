import { notifications } from '@mantine/notifications';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listRatedWeeks, type RatedWeek } from '#contract/rated-weeks.ts';
import { problemFor } from '#server/platform/errors.ts';
import { drawAsking, press as pressButton } from '#test/support/draw.tsx';
import { queryClient } from '../../api/query-for.ts';
import { WeeklyRatingRow } from './WeeklyRatingRow.tsx';
import { WeeklyRatings } from './WeeklyRatings.tsx';

const row = {
  participantId: '0190b7a0-0000-7000-8000-000000000001',
  firstName: 'Ana',
  lastName: 'Alvarez',
  cohortId: '0190b7a0-0000-7000-8000-000000000002',
  cohortName: 'October',
  weekNumber: 5,
  rating: null,
  comment: null,
  updatedAt: null,
  can: { rate: true },
};

const ratedWeek: RatedWeek = {
  ...{ participantId: row.participantId, cohortId: row.cohortId, today: '2026-02-04' },
  ...{ weekNumber: 5, payPeriod: 'week', firstDay: '2026-02-02', lastDay: '2026-02-06' },
  activities: { accessed: 5, total: 5 },
  assignments: { submitted: 0, accepted: 0, total: 0 },
  ...{ isPaid: true, ratingNeeded: 3, criteriaAtBest: [], isOutOfReach: false, amountCents: 50_000, state: 'pending' },
};

let sent: unknown[];
beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', async (address: string, { body }: RequestInit) => {
    const given = JSON.parse(String(body));
    sent.push(given);
    const participantId = /weekly-ratings\/([^/]+)/.exec(address)?.[1];
    return Response.json({ ...row, ...given, participantId, updatedAt: new Date().toISOString() });
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const open = (people: (typeof row)[]) =>
  drawAsking(
    <table>
      <tbody>
        {people.map((one) => (
          <WeeklyRatingRow key={one.participantId} row={one} week={ratedWeek} tellUnsaved={() => undefined} />
        ))}
      </tbody>
    </table>,
  );

/** Types into the field that has the focus. */
const type = (value: string) =>
  act(async () => fireEvent.input(document.activeElement as Element, { target: { value } }));
const press = (key: string) => act(async () => fireEvent.keyDown(document.activeElement as Element, { key }));
const states = () => screen.queryAllByRole('status').map(({ textContent }) => textContent);
const place = () => document.activeElement?.getAttribute('aria-label');

test('Enter saves the last rating too, where there is no next row to go on to', async () => {
  await open([row]);
  await act(async () => document.querySelector('input')?.focus());
  await type('4,5');
  await press('Enter');
  await waitFor(() => expect(states()).toEqual(['Saved']));
  expect(sent).toEqual([{ rating: 4.5, comment: null }]);
});

test('once a rating is saved, the row says what it brought instead of what it would bring', async () => {
  await open([row]);
  expect(screen.getByText('A rating of 3.0 or more brings $500 for week 5.')).toBeDefined();
  await act(async () => document.querySelector('input')?.focus());
  await type('3.5');
  await press('Enter');
  await waitFor(() => expect(screen.getByText('Rated 3.5: $500 can be approved for week 5.')).toBeDefined());
  expect(screen.queryByText(/A rating of/)).toBeNull();
});

test('forty people are rated by keyboard alone, each saved once as it is left; a decided week is passed over', async () => {
  const people = Array.from({ length: 40 }, (_, index) => ({
    ...row,
    participantId: `0190b7a0-0000-7000-8000-${String(index).padStart(12, '0')}`,
    firstName: `Ana ${index + 1}`,
    can: { rate: index !== 20 },
  }));
  await open(people);
  await act(async () => document.querySelector('input')?.focus());
  const visited: unknown[] = [];
  for (let number = 0; number < 39; number += 1) {
    visited.push(place());
    await type(['3', '35', '4.5'][number % 3] ?? '');
    await press('Enter');
  }
  const rated = people.filter(({ can }) => can.rate);
  expect(visited).toEqual(rated.map(({ firstName }) => `Rating of ${firstName} Alvarez`));
  await waitFor(() => expect(states().filter((state) => state === 'Saved')).toHaveLength(39));
  expect(sent).toEqual(rated.map((_, index) => ({ rating: [3, 3.5, 4.5][index % 3], comment: null })));

  // Goes up again, over to the comment, and takes a typing mistake back.
  await press('ArrowUp');
  expect(place()).toBe('Rating of Ana 39 Alvarez');
  await press('ArrowRight');
  await type('Led the lab.');
  await press('ArrowDown');
  expect(place()).toBe('Comment on Ana 40 Alvarez');
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ comment: 'Led the lab.' }));
  await press('ArrowLeft');
  await type('9');
  await press('ArrowUp');
  await waitFor(() => expect(states().at(-1)).toBe('From 1.0 to 5.0 in halves.'));
  await press('ArrowDown');
  await press('Escape');
  expect(states().at(-1)).toBe('Saved');
  expect(sent).toHaveLength(40);
});

/** Draws the panel on its screen, with another screen to go to. Each save waits for its answer. */
async function openPanel() {
  const told: unknown[] = [];
  vi.spyOn(notifications, 'show').mockImplementation(({ title, message }) => {
    told.push([title, message]);
    return 'shown';
  });
  vi.stubGlobal('scrollTo', () => undefined);
  const answers: ((answer: Response) => void)[] = [];
  vi.stubGlobal('fetch', (address: string, { body }: RequestInit) => {
    if (address.startsWith(listRatedWeeks.path))
      return Promise.resolve(Response.json({ weeks: [], today: '2026-02-04' }));
    if (typeof body !== 'string') return Promise.resolve(Response.json({ ratings: [row] }));
    sent.push(JSON.parse(body));
    return new Promise<Response>((answer) => answers.push(answer));
  });
  const rootRoute = createRootRoute();
  const panel = createRoute({ getParentRoute: () => rootRoute, path: '/', component: WeeklyRatings });
  const elsewhere = createRoute({ getParentRoute: () => rootRoute, path: '/elsewhere', component: () => 'Elsewhere' });
  const router = createRouter({
    routeTree: rootRoute.addChildren([panel, elsewhere]),
    history: createMemoryHistory(),
  });
  await drawAsking(<RouterProvider router={router as never} />);
  await waitFor(() => expect(document.querySelector('[data-grid-column=rating]')).toBeTruthy());
  const leave = (address = '/elsewhere') => act(async () => router.history.push(address));
  return { told, answers, leave, address: () => router.state.location.href };
}

const enter = (column: 'rating' | 'comment') =>
  act(async () => document.querySelector<HTMLElement>(`[data-grid-column=${column}]`)?.focus());
const blur = () => act(async () => (document.activeElement as HTMLElement).blur());
const isAsked = () => document.body.textContent?.includes('A rating that you typed is not saved.') ?? false;
const saved = (body: unknown) => Response.json({ ...row, ...(body as object), updatedAt: new Date().toISOString() });

test('only who has keys reads which keys go on', async () => {
  await openPanel();
  expect(document.body.textContent).toContain('Enter and the arrow keys go on to the next one. Each is saved as');
  cleanup();
  vi.stubGlobal('matchMedia', (media: string) =>
    Object.assign(new EventTarget(), { media, matches: media.includes('pointer: coarse') }),
  );
  await openPanel();
  expect(document.body.textContent).toContain('Each is saved as you leave it.');
  expect(document.body.textContent).not.toContain('arrow keys');
});

test('a person who leaves while the last rating is on its way is not asked, and is told when it was refused', async () => {
  const { told, answers, leave, address } = await openPanel();
  await enter('rating');
  await type('4.5');
  await blur();
  await leave();
  await waitFor(() => expect(document.body.textContent).toContain('Elsewhere'));
  expect(isAsked()).toBe(false);
  const refusal = problemFor('conflict', 'This week is decided.', 'r', null);
  await act(async () => answers[0]?.(Response.json(refusal, { status: 409 })));
  await waitFor(() => expect(told).toEqual([['Rating not saved', 'Ana Alvarez, week 5: This week is decided.']]));
  expect(address()).toBe('/elsewhere');
});

test('a comment that waits for the save before it is not left in silence, and is sent', async () => {
  const { answers, leave, address } = await openPanel();
  await enter('rating');
  await type('4.5');
  await press('Enter');
  await enter('comment');
  await type('Led the lab.');
  await blur();
  await leave();
  await waitFor(() => expect(isAsked()).toBe(true));
  await pressButton('Cancel');
  expect(address()).toBe('/');
  await act(async () => answers[0]?.(saved(sent[0])));
  await waitFor(() => expect(sent.at(-1)).toEqual({ rating: 4.5, comment: 'Led the lab.' }));
  await act(async () => answers[1]?.(saved(sent[1])));
  await waitFor(() => expect(states()).toEqual(['Saved']));
  await leave();
  await waitFor(() => expect(address()).toBe('/elsewhere'));
});

test('another week is shown only after the person agrees to lose a rating that is none', async () => {
  const { leave, address } = await openPanel();
  await enter('rating');
  await type('9');
  await blur();
  await leave('/?ratingWeek=3');
  await waitFor(() => expect(isAsked()).toBe(true));
  expect(address()).toBe('/');
  await pressButton('Discard changes');
  await waitFor(() => expect(address()).toBe('/?ratingWeek=3'));
  expect(sent).toEqual([]);
});

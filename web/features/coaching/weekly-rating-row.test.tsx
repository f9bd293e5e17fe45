import { MantineProvider } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { problemFor } from '#server/platform/errors.ts';
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

let root: Root;
let sent: unknown[];
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  sent = [];
  vi.stubGlobal('fetch', async (address: string, { body }: RequestInit) => {
    const given = JSON.parse(String(body));
    sent.push(given);
    const participantId = /weekly-ratings\/([^/]+)/.exec(address)?.[1];
    return Response.json({ ...row, ...given, participantId, updatedAt: new Date().toISOString() });
  });
  document.body.innerHTML = '<table><tbody id="root"></tbody></table>';
  root = createRoot(document.getElementById('root') as Element);
});
afterEach(async () => {
  await act(async () => root.unmount());
  queryClient.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function open(people: (typeof row)[]) {
  await act(async () =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <MantineProvider env="test">
          {people.map((one) => (
            <WeeklyRatingRow key={one.participantId} row={one} tellUnsaved={() => undefined} />
          ))}
        </MantineProvider>
      </QueryClientProvider>,
    ),
  );
}

/** Types into the field that has the focus. */
async function type(text: string) {
  const field = document.activeElement;
  const { prototype } = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  await act(async () => {
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text);
    field?.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
const press = (key: string) =>
  act(async () => document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })));
const states = () => [...document.querySelectorAll('[role=status]')].map(({ textContent }) => textContent);
const place = () => document.activeElement?.getAttribute('aria-label');

test('Enter saves the last rating too, where there is no next row to go on to', async () => {
  await open([row]);
  await act(async () => document.querySelector('input')?.focus());
  await type('4,5');
  await press('Enter');
  await vi.waitFor(() => act(async () => expect(states()).toEqual(['Saved'])));
  expect(sent).toEqual([{ rating: 4.5, comment: null }]);
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
  await vi.waitFor(() => act(async () => expect(states().filter((state) => state === 'Saved')).toHaveLength(39)));
  expect(sent).toEqual(rated.map((_, index) => ({ rating: [3, 3.5, 4.5][index % 3], comment: null })));

  // Goes up again, over to the comment, and takes a typing mistake back.
  await press('ArrowUp');
  expect(place()).toBe('Rating of Ana 39 Alvarez');
  await press('ArrowRight');
  await type('Led the lab.');
  await press('ArrowDown');
  expect(place()).toBe('Comment on Ana 40 Alvarez');
  await vi.waitFor(() => act(async () => expect(sent.at(-1)).toMatchObject({ comment: 'Led the lab.' })));
  await press('ArrowLeft');
  await type('9');
  await press('ArrowUp');
  await vi.waitFor(() => act(async () => expect(states().at(-1)).toBe('From 1.0 to 5.0 in halves.')));
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
  vi.stubGlobal('fetch', (_: string, { body }: RequestInit) => {
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
  document.body.innerHTML = '<div id="root"></div>';
  root = createRoot(document.body.firstElementChild as Element);
  await act(async () =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <MantineProvider env="test">
          <RouterProvider router={router as never} />
        </MantineProvider>
      </QueryClientProvider>,
    ),
  );
  await settled(() => expect(document.querySelector('[data-grid-column=rating]')).toBeTruthy());
  const leave = (address = '/elsewhere') => act(async () => router.history.push(address));
  return { told, answers, leave, address: () => router.state.location.href };
}

const settled = (seen: () => void) => vi.waitFor(() => act(async () => seen()));
const enter = (column: 'rating' | 'comment') =>
  act(async () => document.querySelector<HTMLElement>(`[data-grid-column=${column}]`)?.focus());
const blur = () => act(async () => (document.activeElement as HTMLElement).blur());
const isAsked = () => document.body.textContent?.includes('A rating that you typed is not saved.') ?? false;
const click = (name: string) =>
  act(async () => [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)?.click());
const saved = (body: unknown) => Response.json({ ...row, ...(body as object), updatedAt: new Date().toISOString() });

test('a person who leaves while the last rating is on its way is not asked, and is told when it was refused', async () => {
  const { told, answers, leave, address } = await openPanel();
  await enter('rating');
  await type('4.5');
  await blur();
  await leave();
  await settled(() => expect(document.body.textContent).toContain('Elsewhere'));
  expect(isAsked()).toBe(false);
  const refusal = problemFor('conflict', 'This week is decided.', 'r', null);
  await act(async () => answers[0]?.(Response.json(refusal, { status: 409 })));
  await settled(() => expect(told).toEqual([['Rating not saved', 'Ana Alvarez, week 5: This week is decided.']]));
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
  await settled(() => expect(isAsked()).toBe(true));
  await click('Cancel');
  expect(address()).toBe('/');
  await act(async () => answers[0]?.(saved(sent[0])));
  await settled(() => expect(sent.at(-1)).toEqual({ rating: 4.5, comment: 'Led the lab.' }));
  await act(async () => answers[1]?.(saved(sent[1])));
  await settled(() => expect(states()).toEqual(['Saved']));
  await leave();
  await settled(() => expect(address()).toBe('/elsewhere'));
});

test('another week is shown only after the person agrees to lose a rating that is none', async () => {
  const { leave, address } = await openPanel();
  await enter('rating');
  await type('9');
  await blur();
  await leave('/?ratingWeek=3');
  await settled(() => expect(isAsked()).toBe(true));
  expect(address()).toBe('/');
  await click('Discard changes');
  await settled(() => expect(address()).toBe('/?ratingWeek=3'));
  expect(sent).toEqual([]);
});

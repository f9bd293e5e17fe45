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
import { listParticipantsWithoutCoach } from '#contract/coach-assignment.ts';
import { queryClient, refresh } from '../../api/query-for.ts';
import { AssignParticipantsPage } from './AssignParticipantsPage.tsx';

const personCalled = (firstName: string, number: number) => ({
  id: `00000000-0000-7000-8000-00000000000${number}`,
  ...{ firstName, lastName: 'Alvarez', email: `${firstName}@people.example`, trackType: null, cohortName: null },
});
const [amy, bob, cid] = [personCalled('Amy', 1), personCalled('Bob', 2), personCalled('Cid', 3)];
const coach = { ...personCalled('Nora', 9), participantCount: 4 };
let waiting = [amy, bob, cid];
let assigned: unknown[];
let root: Root;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('scrollTo', () => undefined);
  vi.spyOn(notifications, 'show').mockReturnValue('shown');
  waiting = [amy, bob, cid];
  assigned = [];
  vi.stubGlobal('fetch', async (address: string, { body }: RequestInit) => {
    if (typeof body === 'string') {
      assigned.push(JSON.parse(body));
      return Response.json({ assigned: 2, coachName: 'Nora' });
    }
    const { pathname, searchParams } = new URL(address, 'http://test.example');
    if (pathname === '/api/coaches') return Response.json({ rows: [coach], nextCursor: null });
    const search = searchParams.get('search') ?? '';
    const rows = waiting.filter(({ firstName }) => firstName.includes(search));
    return Response.json({ rows, nextCursor: null, matching: rows.length });
  });
  document.body.innerHTML = '<div id="root"></div>';
  root = createRoot(document.body.firstElementChild as Element);
});
afterEach(() => {
  act(() => root.unmount());
  queryClient.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function open() {
  const rootRoute = createRootRoute();
  const path = '/admin/assign-participants';
  const page = createRoute({ getParentRoute: () => rootRoute, path, component: AssignParticipantsPage });
  const router = createRouter({
    routeTree: rootRoute.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [path] }),
  });
  await act(async () =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <MantineProvider env="test">
          <RouterProvider router={router as never} />
        </MantineProvider>
      </QueryClientProvider>,
    ),
  );
  return (search: string) => act(async () => router.history.push(search ? `${path}?search=${search}` : path));
}

const settled = (seen: () => void) => vi.waitFor(() => act(async () => seen()));
const boxes = () => [...document.querySelectorAll<HTMLInputElement>('tbody input[type=checkbox]')];
const isListed = (names: string[]) =>
  settled(() => expect(boxes().map((box) => box.ariaLabel ?? box.getAttribute('aria-label'))).toEqual(names));
const tick = (name: string) =>
  act(async () => document.querySelector<HTMLElement>(`[aria-label="Select ${name} Alvarez"]`)?.click());
const button = (name: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name);
const press = (name: string) => act(async () => button(name)?.click());

test('a person who was chosen by one search stays chosen by the next, is named there, and is assigned with the others', async () => {
  const search = await open();
  await isListed(['Select Amy Alvarez', 'Select Bob Alvarez', 'Select Cid Alvarez']);
  await tick('Amy');
  await search('Bob');
  await isListed(['Select Bob Alvarez']);
  expect(document.body.textContent).toContain('Also selected, and not in the list below: Amy Alvarez.');
  await press('Deselect them');
  expect(document.body.textContent).not.toContain('Also selected');
  await search('');
  await isListed(['Select Amy Alvarez', 'Select Bob Alvarez', 'Select Cid Alvarez']);
  await tick('Amy');
  await tick('Cid');
  await search('Bob');
  await isListed(['Select Bob Alvarez']);
  await tick('Bob');
  expect(button('Assign 3 participants')).toBeTruthy();

  // Somebody else gives Cid a coach.
  waiting = [amy, bob];
  await search('');
  await act(async () => void (await refresh([listParticipantsWithoutCoach])));
  await isListed(['Select Amy Alvarez', 'Select Bob Alvarez']);
  expect(boxes().map(({ checked }) => checked)).toEqual([true, true]);
  const field = document.querySelector<HTMLInputElement>('input[aria-haspopup=listbox]');
  await act(async () => field?.click());
  const option = () => [...document.querySelectorAll<HTMLElement>('[role=option]')].at(0);
  await settled(() => expect(option()).toBeTruthy());
  await act(async () => option()?.click());
  await press('Assign 2 participants');
  await settled(() => expect(assigned).toEqual([{ participantIds: [amy.id, bob.id], coachId: coach.id }]));
});

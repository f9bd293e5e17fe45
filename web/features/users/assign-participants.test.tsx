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
import { listParticipantsWithoutCoach } from '#contract/coach-assignment.ts';
import { drawAsking, press } from '#test/support/draw.tsx';
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

beforeEach(() => {
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
});
afterEach(() => {
  cleanup();
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
  await drawAsking(<RouterProvider router={router as never} />);
  return (search: string) => act(async () => router.history.push(search ? `${path}?search=${search}` : path));
}

const boxes = () => [...document.querySelectorAll<HTMLInputElement>('tbody input[type=checkbox]')];
const isListed = (names: string[]) =>
  waitFor(() => expect(boxes().map((box) => box.ariaLabel ?? box.getAttribute('aria-label'))).toEqual(names));
const tick = (name: string) =>
  act(async () => fireEvent.click(screen.getByRole('checkbox', { name: `Select ${name} Alvarez` })));

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
  expect(screen.getByRole('button', { name: 'Assign 3 participants' })).toBeTruthy();

  // Somebody else gives Cid a coach.
  waiting = [amy, bob];
  await search('');
  await act(async () => void (await refresh([listParticipantsWithoutCoach])));
  await isListed(['Select Amy Alvarez', 'Select Bob Alvarez']);
  expect(boxes().map(({ checked }) => checked)).toEqual([true, true]);
  await act(async () => fireEvent.click(screen.getByRole('combobox')));
  const [option] = await screen.findAllByRole('option');
  await act(async () => fireEvent.click(option as Element));
  await press('Assign 2 participants');
  await waitFor(() => expect(assigned).toEqual([{ participantIds: [amy.id, bob.id], coachId: coach.id }]));
});

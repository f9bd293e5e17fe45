import { notifications } from '@mantine/notifications';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AvailabilityRange } from '#contract/booking-setup.ts';
import { drawAsking } from '#test/support/draw.tsx';
import { queryClient } from '../../api/query-for.ts';
import { BookingSetup } from './BookingSetup.tsx';

const week = '2026-11-22';
const link = { schedulingEnabled: true, schedulingLink: 'https://book.example/cole', instructions: 'One line.' };
let saves: { body: { ranges?: AvailabilityRange[]; instructions?: string }; answer: () => void }[];

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => undefined);
  vi.spyOn(notifications, 'show').mockReturnValue('shown');
  saves = [];
  let ranges: AvailabilityRange[] = [];
  let setup = link;
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const isTimes = address.includes('/availability/');
    if (typeof init.body === 'string') {
      const body = JSON.parse(init.body);
      await new Promise<void>((answer) => saves.push({ body, answer }));
      if (isTimes) ranges = body.ranges;
      else setup = body;
    }
    if (isTimes) return Response.json({ weekStartDate: address.split('/').at(-1), ranges });
    return Response.json(address.includes('/booking-setup') ? setup : { leave: [] });
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
  const screen = createRoute({ getParentRoute: () => rootRoute, path: '/coach', component: BookingSetup });
  const router = createRouter({
    routeTree: rootRoute.addChildren([screen]),
    history: createMemoryHistory({ initialEntries: [`/coach?tab=booking&week=${week}`] }),
  });
  await drawAsking(<RouterProvider router={router as never} />);
  await waitFor(() => expect([cells().length > 0, field() !== null]).toEqual([true, true]));
  return {
    address: () => router.state.location.href,
    go: (address: string) => act(async () => router.history.push(address)),
  };
}

const cells = () => [...document.querySelectorAll<HTMLElement>('[role=gridcell]')];
const field = () => document.querySelector<HTMLTextAreaElement>('textarea:not([aria-hidden])');
const offered = () => document.querySelectorAll('[role=gridcell][aria-selected=true]').length;
const isAsked = () => document.body.textContent?.includes('Discard your changes?') ?? false;
const click = (name: string) =>
  act(async () => [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)?.click());

/** Presses Space in the first cell, then the down arrow with Shift. */
async function paint(halfHours: number) {
  for (let number = 0; number < halfHours; number += 1) {
    const cell = document.querySelector<HTMLElement>('[role=gridcell][tabindex="0"]');
    const isFirst = cell?.getAttribute('aria-selected') === 'false';
    const key = isFirst ? { key: ' ' } : { key: 'ArrowDown', shiftKey: true };
    await act(async () => cell?.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true })));
  }
}

async function type(text: string) {
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field(), text);
    field()?.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

test('what is painted and typed while a save is on its way stays, and can be saved', async () => {
  await open();
  await paint(2);
  await click('Save the week');
  await paint(2);
  expect(offered()).toBe(4);
  await act(async () => saves[0]?.answer());
  await waitFor(() => expect(document.querySelector('[data-loading]')).toBeNull());
  expect(offered()).toBe(4);
  expect(document.body.textContent).toContain('Not saved yet.');
  await click('Save the week');
  expect(saves.map(({ body }) => body.ranges)).toEqual([
    [{ dayOfWeek: 1, startTime: '09:00', endTime: '10:00' }],
    [{ dayOfWeek: 1, startTime: '09:00', endTime: '11:00' }],
  ]);
  await act(async () => saves[1]?.answer());
  await waitFor(() => expect(document.body.textContent).toContain('2 hours offered.'));

  await type('Two lines.');
  await click('Save');
  await type('Three lines.');
  await act(async () => saves[2]?.answer());
  await waitFor(() => expect(document.querySelector('[data-loading]')).toBeNull());
  expect(field()?.value).toBe('Three lines.');
});

test('painted times are kept when weeks are turned, and lost on other ways only after a question', async () => {
  const { address, go } = await open();
  await paint(1);
  await go('/coach?tab=booking&week=2026-11-29');
  await waitFor(() => expect(address()).toContain('2026-11-29'));
  expect(isAsked()).toBe(false);
  await go('/coach?tab=sessions');
  await waitFor(() => expect(isAsked()).toBe(true));
  await click('Cancel');
  expect(address()).toContain('tab=booking');
  await go('/coach?tab=sessions');
  await waitFor(() => expect(isAsked()).toBe(true));
  await click('Discard changes');
  await waitFor(() => expect(address()).toBe('/coach?tab=sessions'));
});

test('last week cannot be copied into a week whose times are not read', async () => {
  const { go } = await open();
  const copy = () =>
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Copy last week');
  expect(copy()?.disabled).toBe(false);
  vi.stubGlobal('fetch', async () => Response.json({}, { status: 404 }));
  await go('/coach?tab=booking&week=2026-12-06');
  await waitFor(() => expect(document.body.textContent).toContain('Your times could not be loaded'));
  expect(copy()?.disabled).toBe(true);
  expect(document.body.textContent).not.toContain('hours offered');
});

test('an instruction that is typed is lost only after a question', async () => {
  const { address, go } = await open();
  await go('/coach?tab=booking');
  await type('Ring twice.');
  await go('/coach?tab=overview');
  await waitFor(() => expect(isAsked()).toBe(true));
  expect(address()).toBe('/coach?tab=booking');
  await type(link.instructions);
  await click('Cancel');
  await go('/coach?tab=overview');
  await waitFor(() => expect(address()).toBe('/coach?tab=overview'));
});

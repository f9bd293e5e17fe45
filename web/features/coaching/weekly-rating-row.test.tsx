import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../api/query-for.ts';
import { WeeklyRatingRow } from './WeeklyRatingRow.tsx';

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
  vi.unstubAllGlobals();
});

async function open(people: (typeof row)[]) {
  await act(async () =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <MantineProvider env="test">
          {people.map((one) => (
            <WeeklyRatingRow key={one.participantId} row={one} />
          ))}
        </MantineProvider>
      </QueryClientProvider>,
    ),
  );
}

/** Into the field that the keyboard is in. */
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

  // Up again, over to the comment, and a slip of the fingers taken back.
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

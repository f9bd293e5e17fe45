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
  const silent = { matches: false, addEventListener() {}, removeEventListener() {} };
  vi.stubGlobal('matchMedia', () => silent);
  Object.defineProperty(document, 'fonts', { value: silent, configurable: true });
  sent = [];
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    sent.push(JSON.parse(String(body)));
    return Response.json({ ...row, rating: 4.5, updatedAt: new Date().toISOString() });
  });
  document.body.innerHTML = '<table><tbody id="root"></tbody></table>';
  root = createRoot(document.getElementById('root') as Element);
});
afterEach(async () => {
  await act(async () => root.unmount());
  queryClient.clear();
  vi.unstubAllGlobals();
});

test('Enter saves the last rating too, where there is no next row to go on to', async () => {
  await act(async () =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <MantineProvider env="test">
          <WeeklyRatingRow row={row} />
        </MantineProvider>
      </QueryClientProvider>,
    ),
  );
  const field = document.querySelector<HTMLInputElement>('input');
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, '4,5');
    field?.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await act(async () => field?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })));
  await vi.waitFor(() => act(async () => expect(document.querySelector('[role=status]')?.textContent).toBe('Saved')));
  expect(sent).toEqual([{ rating: 4.5, comment: null }]);
});

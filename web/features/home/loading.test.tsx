import { waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { answers, open, robin, serveScreens, sessionOf } from '#test/support/web-screens.tsx';

serveScreens();

test.each([
  ['participant', '/fellowship-dashboard'],
  ['coach', '/coach'],
  ['admin', '/admin'],
] as const)(
  'while the dashboard of a %s loads, its four cards and the rows below keep their places',
  async (role, place) => {
    answers.set(readSession, () => sessionOf({ ...robin, role }));
    const answer = globalThis.fetch;
    vi.stubGlobal('fetch', (address: string, init?: RequestInit) =>
      address.includes('/api/dashboards/') ? new Promise(() => undefined) : answer(address, init),
    );
    await open(place);
    await waitFor(() => expect(document.querySelectorAll('[role=status] [data-card]')).toHaveLength(4));
  },
);

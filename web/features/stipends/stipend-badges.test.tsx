import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import type { StipendRow } from '#contract/stipends.ts';
import { aStipendRow } from '#test/support/a-stipend-row.ts';
import { Somewhere } from '#test/support/somewhere.tsx';
import { queryClient } from '../../api/query-for.ts';
import { StipendDetail } from './StipendDetail.tsx';
import { StipendTable } from './StipendTable.tsx';

const pending = ['Pending', 'yellow'];
const approved = ['Approved', 'teal'];
const paid = ['Paid', 'teal'];
const denied = ['Denied', 'red'];
const eligible = ['Eligible', 'teal'];
const notEligible = ['Not Eligible', 'red'];

const states: [Partial<StipendRow>, string[][]][] = [
  [{ paymentStatus: 'pending' }, [eligible, pending]],
  [{ paymentStatus: 'approved' }, [eligible, approved]],
  [{ paymentStatus: 'paid' }, [eligible, paid]],
  [{ paymentStatus: 'denied' }, [eligible, denied]],
  [{ paymentStatus: 'pending', overallEligible: false }, [notEligible, pending]],
];

/** Word and color of each badge, in their order. */
async function badgesOf(screen: ReactNode): Promise<(string | undefined)[][]> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  document.body.innerHTML = '<div id="root"></div>';
  const root = createRoot(document.getElementById('root') as Element);
  await act(async () =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <MantineProvider env="test">
          <Somewhere>{screen}</Somewhere>
        </MantineProvider>
      </QueryClientProvider>,
    ),
  );
  const badges = [...document.querySelectorAll<HTMLElement>('.mantine-Badge-root')].map((badge) => [
    badge.textContent,
    /--mantine-color-([a-z]+)-/.exec(badge.getAttribute('style') ?? '')?.[1],
  ]);
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
  return badges;
}

test('STIP-16 STIP-17 a row has a badge for eligibility and one for the payment, each with its word and color', async () => {
  for (const [facts, badges] of states) {
    const row = { ...aStipendRow, ...facts };
    const table = <StipendTable rows={[row]} changes={new Map()} onOpen={() => undefined} />;
    expect(await badgesOf(table)).toEqual(badges);
  }
});

test('STIP-50 the dialog shows the status of the week and of its payment by the same two badges', async () => {
  const nothing = { assignments: [], attendance: [], ratingComment: null, requirements: null, history: [] };
  for (const [facts, badges] of states) {
    expect(await badgesOf(<StipendDetail stipend={{ ...aStipendRow, ...nothing, ...facts }} />)).toEqual(badges);
  }
});

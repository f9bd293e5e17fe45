import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import type { StipendRow } from '#contract/stipends.ts';
import { aStipendRow } from '#test/support/a-stipend-row.ts';
import { draw } from '#test/support/draw.tsx';
import { Somewhere } from '#test/support/somewhere.tsx';
import { queryClient } from '../../api/query-for.ts';
import { StipendDetail } from './StipendDetail.tsx';
import { StipendTable } from './StipendTable.tsx';

const pending = ['Pending', 'warning'];
const approved = ['Approved', 'success'];
const paid = ['Paid', 'success'];
const denied = ['Denied', 'danger'];
const eligible = ['Eligible', 'success'];
const notEligible = ['Not Eligible', 'danger'];

const states: [Partial<StipendRow>, string[][]][] = [
  [{ paymentStatus: 'pending' }, [eligible, pending]],
  [{ paymentStatus: 'approved' }, [eligible, approved]],
  [{ paymentStatus: 'paid' }, [eligible, paid]],
  [{ paymentStatus: 'denied' }, [eligible, denied]],
  [{ paymentStatus: 'pending', overallEligible: false }, [notEligible, pending]],
];

/** The word and tone of each badge, in the order of the screen. */
function badgesOf(screen: ReactNode): (string | undefined)[][] {
  cleanup();
  const { container } = draw(
    <QueryClientProvider client={queryClient}>
      <Somewhere>{screen}</Somewhere>
    </QueryClientProvider>,
  );
  return [...container.querySelectorAll<HTMLElement>('[data-tone]')].map((badge) => [
    badge.textContent,
    badge.dataset.tone,
  ]);
}

test('STIP-16 STIP-17 a row has a badge for eligibility and one for the payment, each with its word and color', () => {
  for (const [facts, badges] of states) {
    const row = { ...aStipendRow, ...facts };
    const table = <StipendTable rows={[row]} changes={new Map()} onOpen={() => undefined} />;
    expect(badgesOf(table)).toEqual(badges);
  }
});

test('STIP-50 the dialog shows the status of the week and of its payment by the same two badges', () => {
  const nothing = { assignments: [], attendance: [], ratingComment: null, requirements: null, history: [] };
  for (const [facts, badges] of states) {
    expect(badgesOf(<StipendDetail stipend={{ ...aStipendRow, ...nothing, ...facts }} />)).toEqual(badges);
  }
});

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { StipendWeek } from '#contract/stipend-weeks.ts';
import { criteriaOf } from '#test/support/a-stipend-row.ts';
import { draw, drawAsking } from '#test/support/draw.tsx';
import { Somewhere } from '#test/support/somewhere.tsx';
import { OwnStipendWeek } from './OwnStipendWeek.tsx';
import { OwnWeekCharts } from './OwnWeekCharts.tsx';

const week: StipendWeek = {
  cohortId: '0',
  cohortName: 'Spring 2027',
  weekNumber: 1,
  payPeriod: 'week',
  firstDay: '2025-09-08',
  lastDay: '2025-09-12',
  today: '2025-09-15',
  isWorkedOut: true,
  criteria: criteriaOf(),
  isEligible: true,
  isOutOfReach: false,
  lostCriteria: [],
  activities: { accessed: 5, total: 5 },
  assignments: { submitted: 1, total: 1 },
  rating: 4,
  membershipNote: null,
  missing: [],
  amountCents: 50_000,
  amountLines: [],
  rulesVersion: 1,
  amountAwaitsApproval: false,
  state: 'pending',
  decidedAt: null,
  denialReason: null,
  sentAt: null,
  payment: null,
  changes: [],
  corrections: [],
  questions: [],
};

/** The weight and color of the amount, as the screen sets them. */
function looksOfAmount(facts: Partial<StipendWeek>): string[] {
  cleanup();
  const { getByText } = draw(
    <QueryClientProvider client={new QueryClient()}>
      <Somewhere>
        <OwnStipendWeek week={{ ...week, ...facts }} canAsk={false} />
      </Somewhere>
    </QueryClientProvider>,
  );
  const { style } = getByText('$500');
  return [style.fontWeight, style.color];
}

const missed = { criteria: criteriaOf({ activitiesAccessed: 2 }), isEligible: false };

test('the amount of a week that pays nothing is muted, and that of any other week is bold', () => {
  const muted = ['400', 'var(--mantine-color-dimmed)'];
  const bold = ['650', ''];
  for (const [facts, looks] of [
    [{}, bold],
    [{ state: 'approved' }, bold],
    [{ state: 'paid' }, bold],
    [{ ...missed, today: '2025-09-10' }, bold],
    [{ state: 'denied' }, muted],
    [missed, muted],
    [{ ...missed, today: '2025-09-10', isOutOfReach: true }, muted],
    [{ isEligible: false }, muted],
  ] as [Partial<StipendWeek>, string[]][]) {
    expect(looksOfAmount(facts), JSON.stringify(facts)).toEqual(looks);
  }
});

test('the chart of pay has a week that pays nothing as not eligible, and one that still can as not decided', async () => {
  const running = { today: '2025-09-10', ...missed };
  const facts: Partial<StipendWeek>[] = [
    { ...running, isOutOfReach: true },
    missed,
    running,
    { criteria: criteriaOf({ rating: null }), isEligible: false },
    { state: 'sent' },
  ];
  await drawAsking(
    <Somewhere>
      <OwnWeekCharts weeks={facts.map((one, index) => ({ ...week, ...one, weekNumber: index + 1 }))} />
    </Somewhere>,
  );
  const pay = await screen.findByRole('table', { name: 'Pay by week' });
  const heads = within(pay).getAllByRole('columnheader');
  expect(heads.map(({ textContent }) => textContent)).toEqual([
    'Week',
    'Approved or sent',
    'Not decided yet',
    'Not eligible',
  ]);
  const figures = within(pay)
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .findIndex(({ textContent }) => textContent === '$500'),
    );
  expect(figures).toEqual([2, 2, 1, 1, 0]);
});

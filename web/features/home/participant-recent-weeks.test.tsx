import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup } from '@testing-library/react';
import { expect, test } from 'vitest';
import { specifiedRules } from '#contract/default-programme.ts';
import type { Stipend } from '#contract/own-week-standing.ts';
import { notCounted } from '#contract/stipend-facts.ts';
import { judge } from '#contract/stipend-rules.ts';
import { drawAsking } from '#test/support/draw.tsx';
import { ParticipantRecentWeeks } from './ParticipantRecentWeeks.tsx';

const base = { ...notCounted, activitiesTotal: 5, assignmentsTotal: 1, assignmentsUntouched: 0 };
const good = judge({ ...base, activitiesAccessed: 5, assignmentsSubmitted: 1, rating: 4 }, specifiedRules);
const poor = judge({ ...base, activitiesAccessed: 5, assignmentsSubmitted: 0, rating: 4 }, specifiedRules);
type Week = Stipend['recentWeeks'][number];
const week = (weekNumber: number, firstDay: string, lastDay: string, facts: Partial<Week>): Week => ({
  ...{ weekNumber, firstDay, lastDay, payPeriod: 'week', amountCents: 50_000 },
  ...{ criteria: good, isEligible: true, paymentStatus: 'pending' },
  ...facts,
});
const weeks = [
  week(5, '2025-10-06', '2025-10-10', { criteria: poor, isEligible: false }),
  week(4, '2025-09-29', '2025-10-03', { criteria: poor, isEligible: false }),
  week(3, '2025-09-22', '2025-09-26', { paymentStatus: 'approved' }),
  week(2, '2025-09-15', '2025-09-19', { paymentStatus: 'paid' }),
];
const place = { today: '2025-10-08', present: 5, isOutOfReach: true };

async function foldedWords(shown: Week[], where = place) {
  cleanup();
  const component = () => <ParticipantRecentWeeks weeks={shown} place={where} isFolded />;
  const router = createRouter({ routeTree: createRootRoute({ component }), history: createMemoryHistory() });
  const { container } = await drawAsking(<RouterProvider router={router as never} />);
  return container.querySelector('h2')?.parentElement?.parentElement?.textContent;
}

test('folded, the recent weeks are counted by what their badges say', async () => {
  expect(await foldedWords(weeks)).toBe('Recent weeks1 not on track, 1 not met, 1 approved, 1 paid');
  expect(await foldedWords(weeks.slice(0, 2), { ...place, isOutOfReach: false })).toBe(
    'Recent weeks1 so far, 1 not met',
  );
  expect(await foldedWords([])).toBe('Recent weeksNone yet');
});

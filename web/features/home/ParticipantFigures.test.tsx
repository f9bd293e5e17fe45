import { expect, test } from 'vitest';
import { specifiedRules } from '#contract/default-programme.ts';
import type { ParticipantDashboard } from '#contract/home.ts';
import type { Criterion } from '#contract/stipend-rules.ts';
import { draw } from '#test/support/draw.tsx';
import { ParticipantFigures } from './ParticipantFigures.tsx';

type Figures = Parameters<typeof ParticipantFigures>[0]['dashboard'];

const stipend: NonNullable<ParticipantDashboard['stipend']> = {
  present: { weekNumber: 5, payPeriod: 'week', firstDay: '2025-10-06', lastDay: '2025-10-10' },
  rules: { criteria: specifiedRules.criteria },
  weeklyCents: 50_000,
  totalEarnedCents: 142_550,
  isEligible: true,
  isOutOfReach: false,
  decidedAt: null,
  criteria: [],
  recentWeeks: [],
};
const missing: Criterion = {
  ...{ name: 'Attendance', about: 'activities', isMet: false, standing: '1 of 5', percentage: 20 },
  reason: '1 of 5 activities, 4 needed',
  stillNeeded: ['3 more activities'],
};
const figures: Figures = {
  today: '2025-10-08',
  progress: { overallPercentage: 31.25, status: 'on_track', daysAheadBehind: -8 },
  thisWeek: { done: 3, total: 4, isOnTrack: true },
  stipend,
  notLoaded: [],
};

/** The words of each card. */
function cardsOf(dashboard: Figures): string[] {
  const { container } = draw(<ParticipantFigures dashboard={dashboard} />);
  const page = container.cloneNode(true) as Element;
  for (const style of page.querySelectorAll('style')) style.remove();
  return [...page.querySelectorAll('section')].map((card) => card.textContent ?? '');
}

test('FELL-12 FELL-13 FELL-14 FELL-15 STIP0-07 four cards: progress, this week, total earned, and Eligible when the criteria are met', () => {
  expect(cardsOf(figures)).toEqual([
    'Overall progress31%1 week behind schedule',
    "This week's activities3/43 of 4 done",
    'Total earned$1,425.50Approved and paid weeks',
    'Stipend statusEligible$500 for this week',
  ]);
});

test('FELL-15 STIP0-07 the status is Pending while a criterion is not met', () => {
  const pending = { ...stipend, isEligible: false, criteria: [missing] };
  expect(cardsOf({ ...figures, stipend: pending }).at(-1)).toBe('Stipend statusPending$500 for this week');
});

test('STIP0-07 a week that can no longer be paid promises no amount', () => {
  const lost = { ...stipend, isEligible: false, isOutOfReach: true, criteria: [missing] };
  expect(cardsOf({ ...figures, stipend: lost }).at(-1)).toBe("Stipend statusPendingNot on track for this week's pay");
});

test('somebody who did well from the first day on is not told that they are at risk', () => {
  const [progress] = cardsOf({
    ...figures,
    progress: { overallPercentage: 2, status: 'at_risk', daysAheadBehind: 0 },
  });
  expect(progress).toBe('Overall progress2%On schedule');
});

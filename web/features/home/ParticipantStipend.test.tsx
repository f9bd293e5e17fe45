import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { specifiedRules } from '#contract/default-programme.ts';
import type { ParticipantDashboard } from '#contract/home.ts';
import { notCounted } from '#contract/stipend-facts.ts';
import { judge } from '#contract/stipend-rules.ts';
import { draw } from '#test/support/draw.tsx';
import { ParticipantStipend } from './ParticipantStipend.tsx';

type Stipend = NonNullable<ParticipantDashboard['stipend']>;

const facts = {
  ...notCounted,
  activitiesTotal: 5,
  activitiesAccessed: 5,
  assignmentsTotal: 1,
  assignmentsSubmitted: 1,
  assignmentsUntouched: 0,
  rating: 4,
};
const criteria = judge(facts, specifiedRules);

const present = { weekNumber: 5, payPeriod: 'week' as const, firstDay: '2025-10-06', lastDay: '2025-10-10' };

function show(paymentStatus: Stipend['recentWeeks'][number]['paymentStatus']): void {
  const stipend: Stipend = {
    present,
    rules: { criteria: specifiedRules.criteria },
    weeklyCents: 45_000,
    totalEarnedCents: 0,
    isEligible: true,
    isOutOfReach: false,
    decidedAt: paymentStatus === 'pending' ? null : '2025-10-10T15:00:00Z',
    criteria,
    recentWeeks: [{ ...present, criteria, isEligible: true, paymentStatus, amountCents: 45_000 }],
  };
  draw(
    <ParticipantStipend
      stipend={stipend}
      week={{ number: 5, firstDay: '2025-10-06', lastDay: '2025-10-10', holiday: null }}
      today="2025-10-08"
      isNotLoaded={false}
      retry={{ onRetry: () => undefined, isRetrying: false }}
    />,
  );
}

test.each([
  ['pending', 'All 3 requirements are met: $450 can be approved for week 5.'],
  ['approved', '$450 for week 5 is approved.'],
  ['paid', '$450 for week 5 is paid.'],
  ['denied', 'The $450 for week 5 was denied. Your coach can tell you more.'],
] as const)('STIP0-05 a week that is %s says so to the participant', (paymentStatus, sentence) => {
  show(paymentStatus);
  expect(screen.queryByText(sentence)).not.toBeNull();
  expect(screen.queryByText(/what it was decided on/) !== null).toBe(paymentStatus !== 'pending');
  expect(screen.queryByText("Needed for this week's pay") !== null).toBe(paymentStatus === 'pending');
});

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { StipendRow } from '#contract/stipends.ts';
import { aStipendRow, criteriaOf } from '#test/support/a-stipend-row.ts';
import { draw } from '#test/support/draw.tsx';
import { StipendTable } from './StipendTable.tsx';

const today = '2025-10-10';

/** The words of each cell, by its column. */
function cellsOf(facts: Partial<StipendRow>): Record<string, string> {
  const { container: frame } = draw(
    <QueryClientProvider client={new QueryClient()}>
      <StipendTable rows={[{ ...aStipendRow, today, ...facts }]} changes={new Map()} onOpen={() => undefined} />
    </QueryClientProvider>,
  );
  return Object.fromEntries([...frame.querySelectorAll('td')].map((cell) => [cell.dataset.label, cell.textContent]));
}

const approved = { paymentStatus: 'approved', can: { ...aStipendRow.can, approve: false, deny: false } } as const;
const at = '2025-10-08T14:00:00Z';

test('STIP-20 ineligible rows say so where their actions would be, and rows that are not pending their status', () => {
  const refused = { ...aStipendRow.can, approve: false, deny: false };
  expect(cellsOf({ overallEligible: false, can: refused }).Actions).toBe('Not eligible');
  for (const [paymentStatus, label] of [
    ['approved', 'Approved'],
    ['paid', 'Paid'],
    ['denied', 'Denied'],
  ] as const) {
    expect(cellsOf({ paymentStatus, can: refused }).Actions).toBe(label);
    expect(cellsOf({ overallEligible: false, paymentStatus, can: refused }).Actions).toBe(label);
  }
});

test('STIP-16 a row that is not eligible names the criterion that decides it, also while its week runs', () => {
  const running = { firstDay: '2025-10-06', lastDay: '2025-10-10', overallEligible: false };
  const missed = { ...running, criteria: criteriaOf({ activitiesAccessed: 2, rating: null }) };
  const lost = { ...missed, isOutOfReach: true, lostCriteria: ['Attendance'] };
  expect(cellsOf(missed)['Overall Status']).toBe('Not Eligible yetAttendance: 2 of 5 so far');
  expect(cellsOf(lost)['Overall Status']).toBe('Not EligibleAttendance: 2 of 5 so far');
  expect(cellsOf(missed)['Eligibility Criteria']).toContain('Attendance: 2 of 5 so far.');
  expect(cellsOf(lost)['Eligibility Criteria']).toContain('Attendance: out of reach, 2 of 5 so far.');
  expect(cellsOf({ ...lost, membershipNote: 'Left the cohort on Oct 8' })['Overall Status']).toBe(
    'Not EligibleAttendance: 2 of 5 so far · Left the cohort on Oct 8',
  );
});

test('STIP-17 the payment status is a badge of its own word for each status, with the day of the decision and its year if that is past', () => {
  for (const [paymentStatus, label] of [
    ['pending', 'Pending'],
    ['approved', 'Approved'],
    ['paid', 'Paid'],
    ['denied', 'Denied'],
  ] as const) {
    expect(cellsOf({ paymentStatus })['Payment Status']).toBe(label);
    const decided = cellsOf({ paymentStatus, approvedAt: at, denialReason: null })['Payment Status'];
    expect(decided).toBe(`${label}Oct 8, 10:00 AM ET`);
  }
  const decided = { paymentStatus: 'approved', approvedAt: at } as const;
  expect(cellsOf({ ...decided, today: '2026-01-05' })['Payment Status']).toBe('ApprovedOct 8, 2025');
  const denied = { paymentStatus: 'denied', denialReason: 'Not at the site' } as const;
  expect(cellsOf(denied)['Payment Status']).toBe('DeniedReason: Not at the site');
});

test('a new amount is approved by another admin, and the one who changed it reads why they cannot', () => {
  const changed = { ...approved, amountCents: 60_000, amountAwaitsApproval: true };
  const forOther = cellsOf({ ...changed, can: { ...approved.can, approveAmount: true } });
  expect(forOther.Actions).toBe('Approve amount');
  expect(forOther['Payment Status']).toContain('Amount changed since: another admin has to approve $600');
  expect(cellsOf({ ...changed, approvalRefusal: 'You changed the amount.' }).Actions).toBe('You changed the amount.');
});

test('a batch that waits, and a rest that waits, have words in the row, and a payment in parts its dates', () => {
  expect(cellsOf({ ...approved, handover: 'queued', handedCents: 50_000 })['Payment Status']).toContain(
    'Waiting to be sent',
  );
  const parts = [
    { amountCents: 40_000, at },
    { amountCents: 5_000, at: '2025-10-09T14:00:00Z' },
  ];
  const payment = { amountCents: 45_000, at: '2025-10-09T14:00:00Z', byName: null, reference: 'PAY-1', parts };
  const paid = cellsOf({ ...approved, paymentStatus: 'paid', payment, dueCents: 5_000, restWaits: true });
  for (const words of [
    '$450 paid Oct 9, 10:00 AM ET, PAY-1',
    '$400 of it on Oct 8, 10:00 AM ET',
    '$50 of it on Oct 9, 10:00 AM ET',
    '$50 still to pay',
    'The rest is on hold: the payment system may still pay it.',
  ]) {
    expect(paid['Payment Status']).toContain(words);
  }
  expect(cellsOf({ ...approved, paymentStatus: 'paid', payment })['Payment Status']).not.toContain('The rest waits');
});

import { expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { listReconciliation, type ReconciliationRow } from '#contract/payments.ts';
import { listStipendCohorts } from '#contract/stipend-cohorts.ts';
import { answers, open, robin, sees, serveScreens, sessionOf } from '#test/support/web-screens.tsx';

serveScreens();

const approved: ReconciliationRow = {
  stipendId: '00000000-0000-7000-8000-000000000009',
  participantName: 'Nadia Ng',
  participantEmail: 'nadia@people.example',
  cohortName: 'Fellowship October 2026',
  weekNumber: 4,
  owedCents: 50_000,
  handedCents: 0,
  paidCents: 0,
  since: '2026-11-21T15:15:00Z',
  handover: null,
  version: 1,
  can: { markPaid: true, recall: false },
};

test('a row names its week before its cohort, and what was not handed over is as quiet as the rest', async () => {
  const none = { rows: 0, cents: 0 };
  const counts = {
    approved_not_sent: { rows: 1, cents: 50_000 },
    sent_not_paid: none,
    paid_not_owed: none,
    paid_twice: none,
    adjusted: none,
  };
  answers.set(readSession, () => sessionOf({ ...robin, role: 'admin', trackType: null }));
  answers.set(listStipendCohorts, () => ({ cohorts: [] }));
  answers.set(listReconciliation, () => ({ rows: [approved], nextCursor: null, counts }));
  await open('/admin/stipend-management?tab=reconciliation');
  await sees('Nadia Ng');
  const cell = (label: string) => document.querySelector(`td[data-label='${label}']`);
  expect(cell('Participant')?.textContent).toBe('Nadia NgWeek 4 · Fellowship October 2026');
  expect(cell('Hand-over')?.textContent).toBe('None');
  expect(cell('Hand-over')?.firstElementChild?.className).toBe(cell('Approved')?.firstElementChild?.className);
});

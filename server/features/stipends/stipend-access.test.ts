import { expect, test } from 'vitest';
import * as access from './stipend-access.ts';
import type { LastPayment } from './stipend-standing-queries.ts';

const actor = { id: 'ada' };
const own = 'ada';

/** An eligible, pending stipend of somebody else, in a cohort where one admin is enough. */
const pending = {
  fellowId: 'fellow',
  overallEligible: true,
  paymentStatus: 'pending',
  needsSecondApprover: false,
  firstApprovedBy: null as string | null,
  amountSetters: [] as string[],
  mayBeSecond: false,
  mayApproveAmount: false,
  approvesFrom: null as access.ApprovesFrom,
  amountAwaitsApproval: false,
  stipendAmountCents: 50_000,
  paidCents: null as number | null,
  handover: null as string | null,
  isPayeeOutdated: false,
  isPayeeSettled: false,
  lastPayment: null as LastPayment | null,
};
type Row = typeof pending;

const approved: Row = { ...pending, paymentStatus: 'approved' };
const lastPayment = {
  id: 'payment',
  part: 1,
  amountCents: 50_000,
  source: 'admin',
  isConfirmed: false,
  isFollowed: false,
} as LastPayment;
const paid: Row = { ...pending, paymentStatus: 'paid', paidCents: 50_000, lastPayment };

const ownRow = 'forbidden: This is your own. Somebody else has to decide about it.';
const newAdmin =
  'conflict: You were made an admin less than 7 days ago. You can approve from Mon 9 Mar, 8:00 AM ET on; another admin can now.';
const ownAmount = 'conflict: You changed the amount of this stipend. Another admin has to approve it.';
const bound =
  'conflict: Two admins decide this together, and one of you made the other an admin. A third admin has to approve it.';

type Case = [about: string, row: Row, refusal: string | null];

function judge(refuse: (row: Row, actor: { id: string }) => { code: string; message: string } | null, row: Row) {
  const refusal = refuse(row, actor);
  return refusal && `${refusal.code}: ${refusal.message}`;
}

const denials: Case[] = [
  ['pending and eligible', pending, null],
  ['approved', approved, 'stale: This stipend is approved already.'],
  ['denied', { ...pending, paymentStatus: 'denied' }, 'stale: This stipend is denied already.'],
  ['not eligible', { ...pending, overallEligible: false }, 'conflict: This participant is not eligible for the week.'],
  ['own', { ...pending, fellowId: own }, ownRow],
];

test.each(denials)('a stipend that is %s is denied, or refused in words', (_, row, refusal) => {
  expect(judge(access.denialRefusal, row)).toBe(refusal);
  expect(access.stipendCan(row, actor).deny).toBe(refusal === null);
});

const second: Row = { ...pending, needsSecondApprover: true, firstApprovedBy: 'bea' };

test.each<Case>([
  ...denials,
  ['of a new admin', { ...pending, approvesFrom: '2026-03-09T12:00:00Z' }, newAdmin],
  ['first of two', { ...second, firstApprovedBy: null }, null],
  ['second of two', { ...second, mayBeSecond: true }, null],
  ['second where one is enough', { ...second, needsSecondApprover: false }, null],
  [
    'approved by the same admin first',
    { ...second, firstApprovedBy: 'ada', amountSetters: ['ada'] },
    'conflict: You approved this stipend first. Another admin has to approve it too.',
  ],
  ['of an amount that the admin set', { ...second, amountSetters: ['carol', 'ada'] }, ownAmount],
  ['second to the admin who made this one', { ...second, amountSetters: ['carol'] }, bound],
])('a stipend that is %s is approved, or refused in words', (_, row, refusal) => {
  expect(judge(access.approvalRefusal, row)).toBe(refusal);
  expect(access.stipendCan(row, actor).approve).toBe(refusal === null);
});

test.each<Case>([
  ['of somebody else', paid, null],
  ['own', { ...paid, fellowId: own }, ownRow],
])('the amount of a stipend that is %s is set, or refused in words', (_, row, refusal) => {
  expect(judge(access.amountRefusal, row)).toBe(refusal);
  expect(access.stipendCan(row, actor).changeAmount).toBe(refusal === null);
});

const awaiting: Row = { ...approved, amountAwaitsApproval: true };

test.each<Case>([
  ['not new', approved, 'stale: This stipend has no new amount to approve.'],
  ['new', { ...awaiting, mayApproveAmount: true }, null],
  ['of the admin', { ...awaiting, mayApproveAmount: true, fellowId: own }, ownRow],
  ['new to a new admin', { ...awaiting, mayApproveAmount: true, approvesFrom: '2026-03-09T12:00:00Z' }, newAdmin],
  ['set by the admin', { ...awaiting, amountSetters: ['ada'] }, ownAmount],
  ['set by the admin who made this one', { ...awaiting, amountSetters: ['bea'] }, bound],
])('an amount that is %s is approved, or refused in words', (_, row, refusal) => {
  expect(judge(access.amountApprovalRefusal, row)).toBe(refusal);
  expect(access.stipendCan(row, actor).approveAmount).toBe(refusal === null);
});

const onItsWay =
  'conflict: This stipend is on its way to the payment system. Recall the batch in Reconciliation before you mark it as paid.';

test.each<Case>([
  ['approved', approved, null],
  ['approved and accepted by the payment system', { ...approved, handover: 'sent' }, null],
  ['in a batch that failed', { ...approved, handover: 'failed' }, onItsWay],
  ['in a batch that waits', { ...paid, paidCents: 1, handover: 'queued' }, onItsWay],
  ['paid', paid, 'stale: This stipend is paid already.'],
  ['paid with more than is owed', { ...paid, paidCents: 50_001 }, 'stale: This stipend is paid already.'],
  ['paid but for a cent', { ...paid, paidCents: 49_999 }, null],
  ['approved, of nothing', { ...approved, stipendAmountCents: 0 }, null],
  ['pending', pending, 'conflict: Only an approved stipend can be marked as paid.'],
  ['own', { ...approved, fellowId: own }, ownRow],
  [
    'of an amount that waits',
    awaiting,
    'conflict: Its amount was changed after the approval. Another admin has to approve it first.',
  ],
])('a stipend that is %s is marked as paid, or refused in words', (_, row, refusal) => {
  expect(judge(access.paymentRefusal, row)).toBe(refusal);
  expect(access.stipendCan(row, actor).markPaid).toBe(refusal === null);
});

test('what is left to pay is what is owed without what was paid, and below zero if that was more', () => {
  const due = [null, 0, 20_000, 60_000].map((paidCents) => access.dueCents({ stipendAmountCents: 50_000, paidCents }));
  expect(due).toEqual([50_000, 50_000, 30_000, -10_000]);
});

test.each<Case>([
  ['recorded by an admin', paid, null],
  ['not there', approved, 'conflict: No payment of this stipend is on record.'],
  ['own', { ...paid, fellowId: own }, ownRow],
  [
    'told by the payment system',
    { ...paid, lastPayment: { ...lastPayment, source: 'confirmation' } },
    'conflict: You can only take back a payment that an admin recorded.',
  ],
  [
    'told by the payment system too',
    { ...paid, lastPayment: { ...lastPayment, isConfirmed: true } },
    'conflict: The payment system says it paid this stipend too. If you take the payment back, it could be paid twice.',
  ],
  [
    'followed by a batch',
    { ...paid, lastPayment: { ...lastPayment, isFollowed: true } },
    'conflict: The rest of this stipend was sent since then. Recall that batch first.',
  ],
])('a payment that is %s is taken back, or refused in words', (_, row, refusal) => {
  expect(judge(access.reversalRefusal, row)).toBe(refusal);
  expect(access.stipendCan(row, actor).takePaymentBack).toBe(refusal === null);
});

const outdated: Row = { ...approved, isPayeeOutdated: true };

test.each<Case>([
  ['outdated', outdated, null],
  [
    'as approved',
    approved,
    "stale: This stipend is not approved yet, or already has the person's current name and email.",
  ],
  ['the admin', { ...outdated, fellowId: own }, ownRow],
  ['outdated for a new admin', { ...outdated, approvesFrom: '2026-03-09T12:00:00Z' }, newAdmin],
  [
    'settled',
    { ...outdated, isPayeeSettled: true },
    'conflict: This stipend was sent or paid under the earlier name and email. If the payment system does not have it, recall the batch in Reconciliation first.',
  ],
])('a payee who is %s is renewed, or refused in words', (_, row, refusal) => {
  expect(judge(access.payeeRefusal, row)).toBe(refusal);
  expect(access.stipendCan(row, actor).renewPayee).toBe(refusal === null);
});

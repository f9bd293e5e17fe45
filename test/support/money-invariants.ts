import { sql } from 'kysely';
import { expect } from 'vitest';
import { listReconciliation } from '#contract/payments.ts';
import type { MoneyWeek } from './money-acts.ts';
import { findStanding, findUnsound, type Standing } from './money-standing.ts';

/** Each stipend of the week is paid at most once and no more than was owed, in its lines as in its parts. */
export async function expectSoundMoney(week: MoneyWeek): Promise<Standing[]> {
  const standing = await findStanding(week.app.db, week.cohortId);
  expect(standing).toHaveLength(week.stipendIds.length);
  expect(standing.flatMap(findUnsound)).toEqual([]);
  return standing;
}

/** Everything approved is on its way or listed. Everything paid twice, or otherwise than owed, is listed. */
export async function expectNothingLost(week: MoneyWeek, standing: Standing[]): Promise<void> {
  const countOf = (isMeant: (stipend: Standing) => boolean) => standing.filter(isMeant).length;
  const listed = await countListed(week);
  const approved = countOf(({ paymentStatus }) => paymentStatus === 'approved');
  expect(listed.approved_not_sent + listed.sent_not_paid, 'nothing is lost').toBe(approved);
  const otherwise = countOf((one) => one.paymentStatus === 'paid' && one.paidCents !== one.amountCents);
  expect(listed.paid_not_owed, 'what was paid otherwise is listed').toBe(otherwise);
  const contradicted = countOf(({ isContradicted }) => isContradicted);
  expect(listed.paid_twice, 'what contradicts is listed').toBe(contradicted);
}

/** Counts the rows of each kind in Reconciliation. */
async function countListed({ admins, cohortId: cohort }: MoneyWeek) {
  const { counts } = await admins.ada.call(listReconciliation, { query: { kind: 'paid_twice', cohort } });
  return {
    approved_not_sent: counts.approved_not_sent.rows,
    sent_not_paid: counts.sent_not_paid.rows,
    paid_not_owed: counts.paid_not_owed.rows,
    paid_twice: counts.paid_twice.rows,
  };
}

/**
 * Assumes a payment system that pays each batch that reached it once, whatever answer it gave and whatever it reported.
 * It never has more of a stipend than was owed, unless an admin decided so.
 */
export async function expectReceiverHasNoMoreThanOwed(week: MoneyWeek): Promise<void> {
  const { app, receiver, cohortId } = week;
  const reached = receiver.received.filter(
    ({ answer }) => answer === 'cut' || answer === 'none' || answer.status < 300,
  );
  const batches = [...reached.map(({ headers }) => String(headers['webhook-id']))];
  const told = week.messages.map(({ body }) => body.handover_id);
  const more = await sql<{ id: string }>`
    select stipend.id from stipend_eligibility stipend
    where stipend.cohort_id = ${cohortId} and stipend.stipend_amount_cents < (
      select sum(handed.amount_cents) from stipend_handover_rows handed
      where handed.stipend_id = stipend.id and handed.handover_id = any(${[...batches, ...told]}::uuid[]))`.execute(
    app.db,
  );
  expect(more.rows, 'the payment system has no more of a stipend than is owed').toEqual([]);
}

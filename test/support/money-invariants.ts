import { sql } from 'kysely';
import { expect } from 'vitest';
import { listReconciliation } from '#contract/payments.ts';
import type { MoneyWeek } from './money-acts.ts';

interface Standing {
  id: string;
  paymentStatus: string;
  amountCents: number;
  kinds: string[];
  /** The parts that were paid and not taken back. */
  parts: number[];
  paidCents: number;
  ledgerPaidCents: number;
  ledgerOwedCents: number;
  /** The most that was ever owed of it. */
  mostOwedCents: number;
  /** The largest number of open batches that hold the same part. */
  openBatches: number;
  /** Batches that paid more of it than they handed over. */
  overpaidBatches: number;
  /** Whether the payment system reported something that is not on record. */
  isContradicted: boolean;
}

/** Each stipend of the week is paid at most once and no more than was owed, in its lines as in its parts. */
export async function expectSoundMoney(week: MoneyWeek): Promise<Standing[]> {
  const standing = await findStanding(week);
  expect(standing).toHaveLength(week.stipendIds.length);
  for (const stipend of standing) {
    const { id, paymentStatus, amountCents, kinds, parts, paidCents } = stipend;
    const count = (kind: string) => kinds.filter((one) => one === kind).length;
    const isOwed = paymentStatus === 'approved' || paymentStatus === 'paid';
    expect(count('approval') + count('denial'), id).toBe(paymentStatus === 'pending' ? 0 : 1);
    expect(parts, 'each part once, none before the one before it').toEqual(parts.map((_, index) => index + 1));
    expect(count('payment') - count('reversal'), id).toBe(parts.length);
    expect(paymentStatus === 'paid', id).toBe(parts.length > 0);
    expect(stipend.ledgerPaidCents, 'the parts add up to the amount').toBe(paidCents);
    expect(stipend.ledgerOwedCents, id).toBe(isOwed ? amountCents : 0);
    expect(paidCents, 'no more than was owed').toBeLessThanOrEqual(stipend.mostOwedCents);
    expect(stipend.openBatches, 'in one open batch').toBeLessThanOrEqual(1);
    expect(stipend.overpaidBatches, id).toBe(0);
    if (count('handover') + count('payment') > 0) expect(count('approval'), 'only what was approved').toBe(1);
  }
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

async function findStanding({ app, cohortId }: MoneyWeek): Promise<Standing[]> {
  const found = await sql<Standing>`
    select stipend.id, stipend.payment_status, stipend.stipend_amount_cents as amount_cents,
      array(select kind from stipend_ledger where stipend_id = stipend.id order by position) as kinds,
      array(select part.part from standing_payment_parts part where part.stipend_id = stipend.id order by part.part) as parts,
      (select coalesce(sum(part.amount_cents), 0) from standing_payment_parts part where part.stipend_id = stipend.id)
        as paid_cents,
      (select coalesce(sum(line.paid_cents), 0) from stipend_ledger line where line.stipend_id = stipend.id)
        as ledger_paid_cents,
      (select coalesce(sum(line.owed_cents), 0) from stipend_ledger line where line.stipend_id = stipend.id)
        as ledger_owed_cents,
      (select coalesce(max((line.after ->> 'amountCents')::integer), 0) from stipend_ledger line
        where line.stipend_id = stipend.id and line.after ->> 'paymentStatus' in ('approved', 'paid')) as most_owed_cents,
      (select coalesce(max(open.batches), 0) from (
        select count(*) as batches from stipend_handover_rows handed
        join stipend_handovers batch on batch.id = handed.handover_id and batch.status not in ('sent', 'recalled')
        where handed.stipend_id = stipend.id group by handed.part) open) as open_batches,
      (select count(*) from stipend_handover_rows handed where handed.stipend_id = stipend.id
        and handed.amount_cents < (select sum(part.amount_cents) from standing_payment_parts part
          where part.stipend_id = stipend.id and part.handover_id = handed.handover_id)) as overpaid_batches,
      exists (select from stipend_confirmation_rows told where told.stipend_id = stipend.id
        and told.outcome in ('paid_twice', 'conflict')) as is_contradicted
    from stipend_eligibility stipend where stipend.cohort_id = ${cohortId} order by stipend.id`.execute(app.db);
  return found.rows;
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

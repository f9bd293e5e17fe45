import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

export interface Standing {
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

/** How the stipends of a cohort stand, or all of them. */
export async function findStanding(db: Db, cohortId: string | null = null): Promise<Standing[]> {
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
    from stipend_eligibility stipend where ${cohortId}::uuid is null or stipend.cohort_id = ${cohortId}
    order by stipend.id`.execute(db);
  return found.rows;
}

/** Says in words what is wrong with a stipend: it is paid at most once and no more than was owed, in its lines as in its parts. */
export function findUnsound(stipend: Standing): string[] {
  const { id, paymentStatus, amountCents, kinds, parts, paidCents } = stipend;
  const count = (kind: string) => kinds.filter((one) => one === kind).length;
  const isOwed = paymentStatus === 'approved' || paymentStatus === 'paid';
  const rules: [isHeld: boolean, rule: string][] = [
    [count('approval') + count('denial') === (paymentStatus === 'pending' ? 0 : 1), 'is decided once'],
    [parts.every((part, index) => part === index + 1), 'has each part once, none before the one before it'],
    [count('payment') - count('reversal') === parts.length, 'has a line for each part'],
    [(paymentStatus === 'paid') === parts.length > 0, 'is paid if a part is'],
    [stipend.ledgerPaidCents === paidCents, 'has parts that add up to the amount of its lines'],
    [stipend.ledgerOwedCents === (isOwed ? amountCents : 0), 'is owed what its lines say'],
    [paidCents <= stipend.mostOwedCents, 'is paid no more than was owed'],
    [stipend.openBatches <= 1, 'is in one open batch'],
    [stipend.overpaidBatches === 0, 'is paid by no batch more than it handed over'],
    [count('handover') + count('payment') === 0 || count('approval') === 1, 'is handed over only if approved'],
  ];
  return rules.flatMap(([isHeld, rule]) => (isHeld ? [] : [`Of the stipend ${id} it does not hold that it ${rule}.`]));
}

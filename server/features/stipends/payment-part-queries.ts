import { type Expression, type SqlBool, sql } from 'kysely';

/** Of what was paid and not taken back; null where nothing was. A column of any query. */
export function paidCentsOf(stipendId: Expression<string>) {
  return sql<number | null>`(select sum(part.amount_cents)::integer from standing_payment_parts part
    where part.stipend_id = ${stipendId})`;
}

/** The part of a stipend that is to be paid next: 1 until it is paid, later ones are differences. */
export function nextPartOf(stipendId: Expression<string>) {
  return sql<number>`(select coalesce(max(part.part), 0) + 1 from standing_payment_parts part
    where part.stipend_id = ${stipendId})`;
}

/** Paid rows of `stipends` whose owed and paid amounts can differ: both indexes name few of them. */
const canDiffer = sql<SqlBool>`(stipends.payment_status = 'paid' and (
  stipends.id in (select stipend_id from stipend_ledger where kind in ('adjustment', 'amount') and owed_cents <> 0)
  or stipends.id in (select stipend_id from stipend_ledger
    where kind = 'payment' and paid_cents <> (after ->> 'amountCents')::integer)))`;

/** Rows of `stipends` that were paid, but more or less than is owed. */
export const isPaidOtherwise = sql<SqlBool>`(${canDiffer}
  and stipends.stipend_amount_cents <> ${paidCentsOf(sql.ref('stipends.id'))})`;

/** Rows of `stipends` that were paid less than is owed: what is missing can be paid. */
export const isPaidShort = sql<SqlBool>`(${canDiffer}
  and stipends.stipend_amount_cents > ${paidCentsOf(sql.ref('stipends.id'))})`;

/** Rows of `stipends` with something left to pay. */
export const isPayable = sql<SqlBool>`(stipends.payment_status = 'approved' or ${isPaidShort})`;

/** What a first hand-over takes: payable rows whose next part was in no batch, or only in recalled ones. */
export const isNotHandedOver = sql<SqlBool>`(${isPayable} and not ${isNextPartIn(['queued', 'failed', 'given_up', 'sent'])})`;

/** What 'send all again' takes: payable rows of which the receiver accepted the next part, and did not pay it yet. */
export const isSentUnpaid = sql<SqlBool>`(${isPayable} and ${isNextPartIn(['sent'])})`;

/** Of them those that really go: a new amount may wait for the approval of another admin. */
export const isReadyToGoAgain = sql<SqlBool>`(${isSentUnpaid} and not amount_awaits_approval(stipends))`;

function isNextPartIn(statuses: string[]) {
  return sql<SqlBool>`exists (select from stipend_handover_rows handed
    join stipend_handovers batch on batch.id = handed.handover_id
    where handed.stipend_id = stipends.id and batch.status = any(${statuses}::text[])
      and handed.part = ${nextPartOf(sql.ref('stipends.id'))})`;
}

/** Of batches that may still be tried. */
export const openStatuses = ['queued', 'failed', 'given_up'];

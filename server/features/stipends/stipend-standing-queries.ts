import { type Expression, type SqlBool, sql } from 'kysely';
import type { StipendRow } from '#contract/stipends.ts';

/** Of batches that may still be tried. */
export const openStatuses = ['queued', 'failed', 'given_up'];

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

export interface PaidAt {
  amountCents: number;
  at: string;
}

/** What was paid and not taken back, the first part first. A column of any query. */
export function paymentPartsOf(stipendId: Expression<string>) {
  return sql<PaidAt[]>`(
    select coalesce(jsonb_agg(jsonb_build_object('amountCents', part.amount_cents, 'at', utc_text(part.paid_at))
      order by part.part), '[]')
    from standing_payment_parts part where part.stipend_id = ${stipendId})`;
}

export interface LastPayment {
  id: string;
  part: number;
  amountCents: number;
  source: string;
  /** The payment system tells of the same amount of that part too. */
  isConfirmed: boolean;
  /** More was handed over after it. */
  isFollowed: boolean;
}

/** The last part that was paid and not taken back; null where nothing was. A column of any query. */
export function lastPaymentOf(stipendId: Expression<string>) {
  return sql<LastPayment | null>`(
    select jsonb_build_object('id', last.id, 'part', last.part, 'amountCents', last.amount_cents, 'source', last.source,
      'isConfirmed', exists (select from stipend_confirmation_rows told
        join stipend_confirmations confirmation on confirmation.id = told.confirmation_id
        join stipend_handover_rows handed
          on handed.handover_id = confirmation.handover_id and handed.stipend_id = told.stipend_id
        where told.stipend_id = last.stipend_id and handed.part = last.part and told.outcome <> 'paid'
          and told.amount_cents = last.amount_cents),
      'isFollowed', exists (select from stipend_handover_rows handed
        join stipend_handovers batch on batch.id = handed.handover_id
        where handed.stipend_id = last.stipend_id and handed.part > last.part and batch.status <> 'recalled'))
    from standing_payment_parts last where last.stipend_id = ${stipendId}
    order by last.part desc limit 1)`;
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

/** Where a `batch` stands: a recalled one that the payment system told of was accepted after all. */
export const batchStanding = sql<string>`case
  when batch.status = 'recalled' and exists (select from stipend_confirmations told where told.handover_id = batch.id)
  then 'sent' else batch.status end`;

/** Where the last batch with a stipend stands, a column of any query; null where it is in none. */
export function lastHandoverOf(stipendId: Expression<string>) {
  return sql<StipendRow['handover']>`(
    select ${batchStanding} as standing from stipend_handover_rows handed
    join stipend_handovers batch on batch.id = handed.handover_id
    where handed.stipend_id = ${stipendId} and ${batchStanding} <> 'recalled'
    order by (${batchStanding} = 'sent'), batch.created_at desc limit 1)`;
}

/**
 * Rows of `stipends` of whose earlier parts the receiver accepted more than it paid, or of which it told something that
 * contradicts what is on record: it may still pay the rest by itself.
 */
const isRestHeldThere = sql<SqlBool>`(stipends.payment_status = 'paid' and (
  exists (select from stipend_handover_rows handed
    join stipend_handovers batch on batch.id = handed.handover_id
    where handed.stipend_id = stipends.id and ${batchStanding} = 'sent'
      and handed.part < ${nextPartOf(sql.ref('stipends.id'))}
      and handed.amount_cents > (select coalesce(sum(paid.amount_cents), 0) from standing_payment_parts paid
        where paid.stipend_id = handed.stipend_id and (paid.part = handed.part or paid.handover_id in (
          select same.handover_id from stipend_handover_rows same
          where same.stipend_id = handed.stipend_id and same.part = handed.part))))
  or exists (select from stipend_confirmation_rows told
    join stipend_confirmations message on message.id = told.confirmation_id
    where told.stipend_id = stipends.id and told.outcome in ('paid_twice', 'conflict')
      and not exists (select from standing_payment_parts paid where paid.stipend_id = told.stipend_id
        and paid.reference = message.reference and paid.amount_cents = told.amount_cents))))`;

/**
 * What a first hand-over takes: payable rows whose next part was in no batch, or only in recalled ones. A rest that the
 * receiver may still pay by itself waits.
 */
export const isNotHandedOver = sql<SqlBool>`(${isPayable} and not ${isNextPartIn([...openStatuses, 'sent'])}
  and not ${isRestHeldThere})`;

/** Of them those whose rest is in no batch: no press of a button but 'send all again' sends it. */
export const isRestWaiting = sql<boolean>`(${isRestHeldThere} and not ${isNextPartIn([...openStatuses, 'sent'])})`;

/**
 * What 'send all again' takes: payable rows of which the receiver accepted the next part, and did not pay it yet, and
 * rests that wait.
 */
export const isSentUnpaid = sql<SqlBool>`(${isPayable} and (${isNextPartIn(['sent'])}
  or (${isRestHeldThere} and not ${isNextPartIn(openStatuses)})))`;

/** Of them those that really go: a new amount may wait for the approval of another admin, a person be deleted. */
export const isReadyToGoAgain = sql<SqlBool>`(${isSentUnpaid} and not amount_awaits_approval(stipends)
  and exists (select from profiles person where person.id = stipends.fellow_id and person.deleted_at is null))`;

/** Rows of `stipends` that name their `fellow` otherwise than they are called now. A column of any query. */
export const isPayeeOutdated = sql<boolean>`coalesce((stipends.payee_name, stipends.payee_email)
  is distinct from (fellow.full_name, fellow.email::text)
  and stipends.payee_name is not null, false)`;

export const isPayeeSettled = sql<boolean>`coalesce(is_payee_settled(stipends), false)`;

function isNextPartIn(statuses: string[]) {
  return sql<SqlBool>`exists (select from stipend_handover_rows handed
    join stipend_handovers batch on batch.id = handed.handover_id
    where handed.stipend_id = stipends.id and ${batchStanding} = any(${statuses}::text[])
      and handed.part = ${nextPartOf(sql.ref('stipends.id'))})`;
}

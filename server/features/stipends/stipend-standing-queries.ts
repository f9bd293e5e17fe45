import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { StipendRow } from '#contract/stipends.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';

/** A batch in one of these may still be tried. */
export const openStatuses = ['queued', 'failed', 'given_up'];

/** A column of any query. The sum that was paid and not taken back, or null if nothing was. */
export function paidCentsOf(stipendId: Expression<string>) {
  return sql<number | null>`(select sum(part.amount_cents)::integer from standing_payment_parts part
    where part.stipend_id = ${stipendId})`;
}

/** The part of a stipend that is to be paid next. It is 1 until the stipend is paid. Later parts are differences. */
export function nextPartOf(stipendId: Expression<string>) {
  return sql<number>`(select coalesce(max(part.part), 0) + 1 from standing_payment_parts part
    where part.stipend_id = ${stipendId})`;
}

export interface PaidAt {
  amountCents: number;
  at: string;
}

interface StandingPayment {
  id: string;
  part: number;
  /** Of the last part alone. */
  amountCents: number;
  source: string;
  paidAt: Date;
  recordedBy: string | null;
  reference: string | null;
  /** Of all parts. */
  paidCents: number;
  /** The first part first. */
  parts: PaidAt[];
}

/**
 * A part of any query, for a lateral join: the last payment of a stipend that was not taken back, with what was paid in
 * all. It has no row if nothing was paid.
 */
export function standingPaymentOf(stipendId: Expression<string>) {
  return sql<StandingPayment>`(
    select last.*, sum(last.amount_cents) over all_parts::integer as paid_cents,
      jsonb_agg(jsonb_build_object('amountCents', last.amount_cents, 'at', utc_text(last.paid_at))) over all_parts as parts
    from standing_payment_parts last
    where last.stipend_id = ${stipendId}
    window all_parts as (order by last.part rows between unbounded preceding and unbounded following)
    order by last.part desc limit 1)`;
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

/** A column of any query. The last part that was paid and not taken back, or null if there is none. */
export function lastPaymentOf(stipendId: Expression<string>) {
  return sql<LastPayment | null>`(
    select ${lastPaymentIn('last')} from standing_payment_parts last where last.stipend_id = ${stipendId}
    order by last.part desc limit 1)`;
}

/** The same of a query that joins the payment. "offset 0" has PostgreSQL look up this stipend alone. */
function lastPaymentIn(payment: 'last' | 'payment') {
  const of = sql.raw(payment);
  return sql<LastPayment | null>`case when ${of}.id is not null then jsonb_build_object(
    'id', ${of}.id, 'part', ${of}.part, 'amountCents', ${of}.amount_cents, 'source', ${of}.source,
    'isConfirmed', exists (select from stipend_confirmation_rows told
      join stipend_confirmations confirmation on confirmation.id = told.confirmation_id
      join stipend_handover_rows handed
        on handed.handover_id = confirmation.handover_id and handed.stipend_id = told.stipend_id
      where told.stipend_id = ${of}.stipend_id and handed.part = ${of}.part and told.outcome <> 'paid'
        and told.amount_cents = ${of}.amount_cents offset 0),
    'isFollowed', exists (select from stipend_handover_rows handed
      join stipend_handovers batch on batch.id = handed.handover_id
      where handed.stipend_id = ${of}.stipend_id and handed.part > ${of}.part and batch.status <> 'recalled' offset 0)) end`;
}

/** The ids of stipends whose owed and paid amounts can differ. Both indexes name few of them. */
const idsThatCanDiffer = sql`
  select stipend_id from stipend_ledger where kind in ('adjustment', 'amount') and owed_cents <> 0
  union all
  select stipend_id from stipend_ledger where kind = 'payment' and paid_cents <> (after ->> 'amountCents')::integer`;

const canDiffer = sql<SqlBool>`(stipends.payment_status = 'paid' and stipends.id in (${idsThatCanDiffer}))`;

/** Rows of `stipends` that were paid more or less than is owed. */
export const isPaidOtherwise = sql<SqlBool>`(${canDiffer}
  and stipends.stipend_amount_cents <> ${paidCentsOf(sql.ref('stipends.id'))})`;

/** Rows of `stipends` that were paid less than is owed. The rest can be paid. */
export const isPaidShort = sql<SqlBool>`(${canDiffer}
  and stipends.stipend_amount_cents > ${paidCentsOf(sql.ref('stipends.id'))})`;

/** Rows of `stipends` with something left to pay. */
export const isPayable = sql<SqlBool>`(stipends.payment_status = 'approved' or ${isPaidShort})`;

/**
 * Says of rows of `stipends` that they may be payable, so that a read need not look at every week of everybody. It is no
 * rule: each row still has to be payable. No statement that locks may ask it, because it sees rows as they were before
 * the lock.
 */
export const mayBePayable = mayBePayableIf(sql`true`);

/** The same, for a read of one week. */
export function mayBePayableInWeek(weekNumber: number) {
  return mayBePayableIf(sql`approved.week_number = ${weekNumber}`);
}

function mayBePayableIf(isMeant: RawBuilder<unknown>) {
  return sql<SqlBool>`stipends.id in (
    select approved.id from stipend_eligibility approved where approved.payment_status = 'approved' and ${isMeant}
    union all ${idsThatCanDiffer})`;
}

/** The standing of a `batch`. If the payment system told of a recalled batch, it had accepted that batch after all. */
export const batchStanding = sql<string>`case
  when batch.status = 'recalled' and exists (select from stipend_confirmations told where told.handover_id = batch.id)
  then 'sent' else batch.status end`;

/** A column of any query. The standing of the last batch with a stipend, or null if no batch has it. */
export function lastHandoverOf(stipendId: Expression<string>) {
  return sql<StipendRow['handover']>`(
    select ${batchStanding} as standing from stipend_handover_rows handed
    join stipend_handovers batch on batch.id = handed.handover_id
    where handed.stipend_id = ${stipendId} and ${batchStanding} <> 'recalled'
    order by (${batchStanding} = 'sent'), batch.created_at desc limit 1)`;
}

/**
 * Rows of `stipends` whose rest the receiver may still pay by itself. It accepted more in a batch than it paid, or told
 * of something that contradicts the record. The batch can hold a later part than is paid next, because payments before
 * it can be taken back. "offset 0" keeps PostgreSQL from reading all that was ever handed over for one page of a list.
 */
const isRestHeldThere = sql<SqlBool>`(stipends.payment_status in ('approved', 'paid') and exists (
    select from stipend_handover_rows handed
    join stipend_handovers batch on batch.id = handed.handover_id
    where handed.stipend_id = stipends.id and ${batchStanding} = 'sent'
      and handed.amount_cents > (select coalesce(sum(paid.amount_cents), 0) from standing_payment_parts paid
        where paid.stipend_id = handed.stipend_id and (paid.part = handed.part or paid.handover_id in (
          select same.handover_id from stipend_handover_rows same
          where same.stipend_id = handed.stipend_id and same.part = handed.part)))
    offset 0)
  or stipends.payment_status = 'paid' and exists (
    select from stipend_confirmation_rows told
    join stipend_confirmations message on message.id = told.confirmation_id
    where told.stipend_id = stipends.id and told.outcome in ('paid_twice', 'conflict')
      and not exists (select from standing_payment_parts paid where paid.stipend_id = told.stipend_id
        and paid.reference = message.reference and paid.amount_cents = told.amount_cents)
    offset 0))`;

/**
 * The rows that a first hand-over takes: payable rows whose next part was in no batch, or only in recalled ones. A rest
 * that the receiver may still pay by itself waits.
 */
export const isNotHandedOver = sql<SqlBool>`(${isPayable} and not ${isNextPartIn([...openStatuses, 'sent'])}
  and not ${isRestHeldThere})`;

/** The rows whose rest the receiver may still pay, and whose rest is in no batch. Only 'send all again' sends it. */
const isRestWaiting = sql<boolean>`(${isRestHeldThere} and not ${isNextPartIn([...openStatuses, 'sent'])})`;

/**
 * The rows that 'send all again' takes: rests that wait, and payable rows whose next part the receiver accepted and did
 * not pay yet.
 */
export const isSentUnpaid = sql<SqlBool>`(${isPayable} and (${isNextPartIn(['sent'])}
  or (${isRestHeldThere} and not ${isNextPartIn(openStatuses)})))`;

/** The rows of these that really go. A new amount may wait for another admin's approval, or a person may be deleted. */
export const isReadyToGoAgain = sql<SqlBool>`(${isSentUnpaid} and not amount_awaits_approval(stipends)
  and exists (select from profiles person where person.id = stipends.fellow_id and person.deleted_at is null))`;

/** A column of any query. True for rows of `stipends` whose payee is not their `fellow`'s present name and address. */
export const isPayeeOutdated = sql<boolean>`((stipends.payee_name, stipends.payee_email)
  is distinct from (fellow.full_name, fellow.email::text)
  and stipends.payee_name is not null)`;

/** Nothing rests on it while the payee is the person as they are called now, so most rows need not look it up. */
export const isPayeeSettled = sql<boolean>`(${isPayeeOutdated} and coalesce(is_payee_settled(stipends), false))`;

/** All of what was paid, as a list shows it, and who recorded the last part. */
export type PaymentBy = NonNullable<StipendRow['payment']> & { byId: string | null };

/** What became of a stipend's hand-overs and payments. */
export interface Standing {
  payment: PaymentBy | null;
  paidCents: number | null;
  restWaits: boolean;
  /** Who last took a payment back. */
  reverserId: string | null;
  lastPayment: LastPayment | null;
  handover: StipendRow['handover'];
  handedCents: number;
}

/** The standing of a stipend that was never handed over or paid. */
export const neverSent: Standing = {
  payment: null,
  paidCents: null,
  restWaits: false,
  reverserId: null,
  lastPayment: null,
  handover: null,
  handedCents: 0,
};

/**
 * Finds the standing of each of several stipends, in one statement, with the version of the row then. What changes the
 * row changes its version, so a row of this version that was read before fits the standing.
 */
export async function findStandings(db: Db, ids: readonly string[]): Promise<Map<string, Standing & Seen>> {
  if (ids.length === 0) return new Map();
  return new Map((await standingsOf(db, { ids })).map((standing) => [standing.id, standing]));
}

interface Seen {
  id: string;
  version: number;
}

const standingsOf = builtOnce(
  (_, { ids }: { ids: readonly string[] }) => sql<Standing & Seen>`
    select stipends.id, stipends.version, payment.paid_cents,
      case when payment.id is not null then jsonb_build_object('amountCents', payment.paid_cents,
        'at', utc_text(payment.paid_at), 'reference', payment.reference, 'parts', payment.parts, 'byId', payer.id,
        'byName', payer.full_name) end as payment,
      (stipends.stipend_amount_cents > coalesce(payment.paid_cents, 0) and ${isRestWaiting}) as rest_waits,
      (select reversal.reversed_by from stipend_payment_reversals reversal
        join stipend_payment_parts part on part.id = reversal.payment_id
        where part.stipend_id = stipends.id order by reversal.at desc limit 1) as reverser_id,
      ${lastPaymentIn('payment')} as last_payment,
      ${lastHandoverOf(sql.ref('stipends.id'))} as handover,
      (select coalesce(sum(line.handed_cents), 0)::integer from stipend_ledger line where line.stipend_id = stipends.id)
        as handed_cents
    from stipend_eligibility stipends
    left join lateral ${standingPaymentOf(sql.ref('stipends.id'))} payment on true
    left join profiles payer on payer.id = payment.recorded_by
    where stipends.id = any(array(select unnest(${ids}::uuid[])))`,
);

function isNextPartIn(statuses: string[]) {
  return sql<SqlBool>`exists (select from stipend_handover_rows handed
    join stipend_handovers batch on batch.id = handed.handover_id
    where handed.stipend_id = stipends.id and ${batchStanding} = any(${statuses}::text[])
      and handed.part = ${nextPartOf(sql.ref('stipends.id'))})`;
}

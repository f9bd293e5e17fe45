import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/**
 * Finds payments, approvals, confirmations and batches that differ between the tables and the ledger, in either
 * direction. Returns words for the first hundred of each kind.
 */
export async function findUnwritten(db: Db): Promise<string[]> {
  const found = [
    await paymentsApart(db),
    await approversApart(db),
    await confirmationsApart(db),
    await recallsApart(db),
  ];
  return found.flat();
}

interface Problem {
  problem: string;
}

/** Every part has its payment line, and every reversal has its own. Amount, person, time, reference and batch agree. */
async function paymentsApart(db: Db): Promise<string[]> {
  const found = await sql<Problem>`
    with noted as (
      select stipend_id, 'payment' as kind, amount_cents, recorded_by as actor_id, paid_at as at, reference, handover_id
      from stipend_payment_parts
      union all
      select part.stipend_id, 'reversal', -part.amount_cents, reversal.reversed_by, reversal.at, part.reference, null
      from stipend_payment_reversals reversal join stipend_payment_parts part on part.id = reversal.payment_id
    ), written as (
      select stipend_id, kind, paid_cents, actor_id, at,
        coalesce(after ->> 'reference', case when kind = 'reversal' then before ->> 'reference' end), handover_id
      from stipend_ledger where kind in ('payment', 'reversal')
    ), apart as (
      select 'is on record, and the ledger has no such line' as what, only_noted.*
      from (select * from noted except all select * from written) only_noted
      union all
      select 'is in the ledger, and not on record', only_written.*
      from (select * from written except all select * from noted) only_written
    )
    select 'Stipend ' || stipend_id || ': a ' || kind || ' of ' || amount_cents || ' cents ' || what || '.' as problem
    from apart order by stipend_id, what limit 100`.execute(db);
  return wordsOf(found);
}

/** The last lines of these kinds name who decided, who approved first, and who set and approved the amount. */
async function approversApart(db: Db): Promise<string[]> {
  const found = await sql<Problem>`
    select 'Stipend ' || stipend.id || ' names another ' || apart.what || ' than the ledger.' as problem
    from stipend_eligibility stipend
    left join lateral (
      select actor_id, at from stipend_ledger line where line.stipend_id = stipend.id and kind in ('approval', 'denial')
      order by position desc limit 1) decision on true
    left join lateral (
      select case kind when 'first_approval' then actor_id end as actor_id from stipend_ledger line
      where line.stipend_id = stipend.id and (kind in ('first_approval', 'first_approval_lapsed')
        or kind = 'amount' and after ->> 'paymentStatus' = 'pending')
      order by position desc limit 1) first on true
    left join lateral (
      select actor_id from stipend_ledger line where line.stipend_id = stipend.id and kind in ('amount', 'adjustment')
      order by position desc limit 1) price on true
    left join lateral (
      select actor_id, at from stipend_ledger line where line.stipend_id = stipend.id and kind = 'amount_approval'
      order by position desc limit 1) price_approval on true
    left join lateral (
      select actor_id, at from stipend_ledger line where line.stipend_id = stipend.id and kind = 'payee'
      order by position desc limit 1) renewal on true
    cross join lateral (values
      ('approver or time of the decision', (stipend.approved_by, stipend.approved_at) is distinct from (decision.actor_id, decision.at)),
      ('first approver', stipend.first_approved_by is distinct from first.actor_id),
      ('person who set the amount', stipend.amount_set_by is distinct from price.actor_id),
      ('approver of the amount', stipend.amount_approved_by is not null
        and (stipend.amount_approved_by, stipend.amount_approved_at) is distinct from (price_approval.actor_id, price_approval.at)),
      ('person who renewed the payee', (stipend.payee_renewed_by, stipend.payee_renewed_at)
        is distinct from (renewal.actor_id, renewal.at))
    ) apart (what, is_apart)
    where apart.is_apart order by stipend.id limit 100`.execute(db);
  return wordsOf(found);
}

/**
 * Each message of the payment system that counts as a payment has a part with its batch and reference. Each such part
 * has such a message.
 */
async function confirmationsApart(db: Db): Promise<string[]> {
  const found = await sql<Problem>`
    select 'Stipend ' || told.stipend_id || ': message ' || message.id || ' of the payment system counts as its payment of '
      || told.amount_cents || ' cents, which is not on record.' as problem
    from stipend_confirmation_rows told join stipend_confirmations message on message.id = told.confirmation_id
    where told.outcome = 'paid' and not exists (
      select from stipend_payment_parts part
      where part.stipend_id = told.stipend_id and part.source = 'confirmation' and part.amount_cents = told.amount_cents
        and part.reference = message.reference and coalesce(part.handover_id, message.handover_id) = message.handover_id)
    union all
    select 'Stipend ' || part.stipend_id || ': its payment of ' || part.amount_cents
      || ' cents by the payment system comes from no message of it.'
    from stipend_payment_parts part
    where part.source = 'confirmation' and part.handover_id is not null and not exists (
      select from stipend_confirmation_rows told join stipend_confirmations message on message.id = told.confirmation_id
      where told.stipend_id = part.stipend_id and told.outcome = 'paid' and told.amount_cents = part.amount_cents
        and message.reference = part.reference and message.handover_id = part.handover_id)
    limit 100`.execute(db);
  return wordsOf(found);
}

/**
 * A recalled batch has a recall line for each of its rows, and any other batch has none. An accepted batch has an
 * answer or a message.
 */
async function recallsApart(db: Db): Promise<string[]> {
  const found = await sql<Problem>`
    select 'Batch ' || batch.id || ' is ' || batch.status || '; the ledger has ' || coalesce(lines.recalls, 0) || ' of its '
      || batch.recipients || ' rows as recalled.' as problem
    from stipend_handovers batch
    left join (
      select handover_id, count(*) as recalls from stipend_ledger where kind = 'recall' group by handover_id) lines
      on lines.handover_id = batch.id
    where coalesce(lines.recalls, 0) <> case batch.status when 'recalled' then batch.recipients else 0 end
    union all
    select 'Batch ' || batch.id || ' counts as accepted, and no answer or message of the payment system says so.'
    from stipend_handovers batch
    where batch.status = 'sent'
      and not exists (select from stipend_handover_tries tries
        where tries.handover_id = batch.id and tries.response_status between 200 and 299)
      and not exists (select from stipend_confirmations told where told.handover_id = batch.id)
    limit 100`.execute(db);
  return wordsOf(found);
}

function wordsOf({ rows }: { rows: Problem[] }): string[] {
  return rows.map(({ problem }) => problem);
}

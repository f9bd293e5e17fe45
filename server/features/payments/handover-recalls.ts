import { type SqlBool, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { openStatuses, paidCentsOf } from '#server/features/stipends/stipend-standing-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { notFound } from '#server/platform/errors.ts';
import { changed } from '#server/platform/telling.ts';
import { isBatchBusy, recallRefusal } from './handover-access.ts';

export const paidElsewhere =
  'A stipend of this batch was paid in another way, so the batch was taken back. You can send its other stipends again.';

/** Takes back a batch that was not accepted. It is never tried again, and its rows may go out anew. */
export async function recallHandover(
  db: Db,
  actor: Actor,
  handoverId: string,
  reason: string,
): Promise<{ recalled: number }> {
  const handover = await db
    .selectFrom('stipendHandovers as batch')
    .select(['recipients', 'status', isBatchBusy.as('isBeingSent')])
    .where('id', '=', handoverId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!handover) throw notFound('This batch was not found.');
  const { status, recipients } = handover;
  const refusal = recallRefusal(handover);
  if (refusal) throw refusal;
  await db
    .updateTable('stipendHandovers')
    .set({ status: 'recalled', recalledBy: actor.id, recallReason: reason })
    .where('id', '=', handoverId)
    .execute();
  await changed(db, 'payments', []);
  await audit(db, actor.id, {
    action: 'stipend.recall_handover',
    subjectType: 'stipend_handover',
    subjectId: handoverId,
    before: { status },
    after: { status: 'recalled', recipients },
    reason,
  });
  return { recalled: recipients };
}

export const acceptedElsewhere =
  'The payment system has accepted an earlier batch with a stipend of this one, so this batch was taken back.';

export const noLongerOwed =
  'This batch would pay more than is now owed, and the payment system has not accepted it, so the batch was taken back. You can send what is owed again.';

interface PaidPart {
  id: string;
  part: number;
}

/**
 * Before a payment is recorded, the product takes back unaccepted batches that would pay one of its parts once more. A
 * batch that is being sent at this moment is left to the process that sends it.
 */
export function recallBatchesThatWouldPay(db: Db, paid: PaidPart[], reason: string = paidElsewhere): Promise<void> {
  return recallOpen(
    db,
    sql<SqlBool>`exists (select from stipend_handover_rows handed
      join unnest(${paid.map(({ id }) => id)}::uuid[], ${paid.map(({ part }) => part)}::integer[]) as paid (id, part)
        on paid.id = handed.stipend_id and paid.part = handed.part
      where handed.handover_id = batch.id)`,
    reason,
  );
}

/** The same for one batch, if it holds a part that is paid by now. Returns false if it holds none. */
export async function recallIfPaid(db: Db, handoverId: string): Promise<boolean> {
  const held = await sql`
    select from stipend_handover_rows handed
    join standing_payment_parts paid on paid.stipend_id = handed.stipend_id and paid.part = handed.part
    where handed.handover_id = ${handoverId} limit 1`.execute(db);
  if (held.rows.length === 0) return false;
  await recallOpen(db, sql<SqlBool>`batch.id = ${handoverId}`, paidElsewhere);
  return true;
}

/**
 * An open batch can hold more for a stipend than is left to pay. It is taken back if every try was refused or never
 * left the server. If a try got no answer, the receiver may have the batch, so it is left to a person. Null if it holds
 * no more than that.
 */
export async function stopIfTooMuch(db: Db, handoverId: string): Promise<'recalled' | 'given_up' | null> {
  const found = await sql<{ isTooMuch: boolean; isUnanswered: boolean }>`
    select exists (
        select from stipend_handover_rows handed join stipend_eligibility stipend on stipend.id = handed.stipend_id
        where handed.handover_id = ${handoverId}
          and handed.amount_cents > stipend.stipend_amount_cents - coalesce(${paidCentsOf(sql.ref('stipend.id'))}, 0)
      ) as is_too_much,
      exists (select from stipend_handover_tries tries
        where tries.handover_id = ${handoverId} and tries.response_status is null
          and tries.may_have_arrived) as is_unanswered`.execute(db);
  const [batch] = found.rows;
  // Stryker disable next-line OptionalChaining: This statement always has one row.
  if (!batch?.isTooMuch) return null;
  if (!batch.isUnanswered) {
    await recallOpen(db, sql<SqlBool>`batch.id = ${handoverId}`, noLongerOwed);
    return 'recalled';
  }
  await db.updateTable('stipendHandovers').set({ status: 'given_up' }).where('id', '=', handoverId).execute();
  await changed(db, 'payments', []);
  return 'given_up';
}

async function recallOpen(db: Db, condition: ReturnType<typeof sql<SqlBool>>, reason: string): Promise<void> {
  await sql`
    with open as materialized (
      select batch.id, batch.status, batch.recipients, ${isBatchBusy} as is_busy
      from stipend_handovers batch
      where batch.status = any(${openStatuses}::text[]) and ${condition}
      order by batch.id for no key update
    ), recalled as (
      update stipend_handovers set status = 'recalled', recall_reason = ${reason}
      from open where open.id = stipend_handovers.id and not open.is_busy
      returning open.id, open.status, open.recipients
    )
    insert into audit_log (action, subject_type, subject_id, before, after, reason)
    select 'stipend.recall_handover', 'stipend_handover', id, jsonb_build_object('status', status),
      jsonb_build_object('status', 'recalled', 'recipients', recipients), ${reason}
    from recalled`.execute(db);
  await changed(db, 'payments', []);
}

import { sql } from 'kysely';
import type { StipendRow } from '#contract/stipends.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { lockStipend, requireVersion } from './stipend-locks.ts';
import { recordPaymentTakenBack } from './stipend-notices.ts';
import { findStipend } from './stipend-queries.ts';

interface GivenReversal {
  /** Of the row that the admin saw. */
  version: number;
  reason: string;
}

/**
 * Takes back the last payment of a stipend that an admin noted, by a line of its own in the ledger; the stipend is then
 * to be paid again. Refused where the payment system tells of the same amount too, or was handed more after it.
 */
export async function takePaymentBack(
  db: Db,
  actor: Actor,
  stipendId: string,
  { version, reason }: GivenReversal,
): Promise<StipendRow> {
  const stipend = await lockStipend(db, stipendId);
  requireVersion(stipend, version);
  const payment = await findLastPayment(db, stipendId);
  if (!payment) throw new AppError('conflict', 'No payment of this stipend is on record.');
  if (payment.source !== 'admin') {
    throw new AppError('conflict', 'Only a payment that an admin noted can be taken back.');
  }
  if (payment.isConfirmed) {
    throw new AppError(
      'conflict',
      'The payment system has told of a payment of this stipend too: taken back, it could be paid once more.',
    );
  }
  if (payment.isFollowed) {
    throw new AppError('conflict', 'The rest of this stipend was handed over since. Recall that batch first.');
  }
  await sql`
    with reversal as (
      insert into stipend_payment_reversals (payment_id, reversed_by, reason) values (${payment.id}, ${actor.id}, ${reason})
    )
    update stipend_eligibility
    set payment_status = ${payment.part === 1 ? 'approved' : 'paid'}, updated_at = ${now()}, version = version + 1
    where id = ${stipendId}`.execute(db);
  await recordPaymentTakenBack(db, actor, stipend, { ...payment, reason });
  return findStipend(db, actor, stipendId);
}

interface LastPayment {
  id: string;
  part: number;
  amountCents: number;
  source: string;
  isConfirmed: boolean;
  isFollowed: boolean;
}

async function findLastPayment(db: Db, stipendId: string): Promise<LastPayment | null> {
  const found = await sql<LastPayment>`
    select last.id, last.part, last.amount_cents, last.source,
      exists (select from stipend_confirmation_rows told
        join stipend_confirmations confirmation on confirmation.id = told.confirmation_id
        join stipend_handover_rows handed
          on handed.handover_id = confirmation.handover_id and handed.stipend_id = told.stipend_id
        where told.stipend_id = last.stipend_id and handed.part = last.part and told.outcome <> 'paid'
          and told.amount_cents = last.amount_cents) as is_confirmed,
      exists (select from stipend_handover_rows handed
        join stipend_handovers batch on batch.id = handed.handover_id
        where handed.stipend_id = last.stipend_id and handed.part > last.part and batch.status <> 'recalled') as is_followed
    from standing_payment_parts last where last.stipend_id = ${stipendId}
    order by last.part desc limit 1`.execute(db);
  return found.rows[0] ?? null;
}

import { sql } from 'kysely';
import type { StipendRow } from '#contract/stipends.ts';
import type { Db } from '#server/db/database.ts';
import { reversalRefusal } from '#server/features/stipends/stipend-access.ts';
import { lockStipend, requireVersion } from '#server/features/stipends/stipend-lock-access.ts';
import { findStipend } from '#server/features/stipends/stipend-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { recordPaymentTakenBack } from './payment-notices.ts';

interface GivenReversal {
  /** The version of the row that the admin saw. */
  version: number;
  reason: string;
}

/**
 * Takes back the last payment of a stipend that an admin noted, with its own line in the ledger. The stipend is then to
 * be paid again. Refused if the payment system tells of the same amount too, or got more after it.
 */
export async function takePaymentBack(
  db: Db,
  actor: Actor,
  stipendId: string,
  { version, reason }: GivenReversal,
): Promise<StipendRow> {
  const stipend = await lockStipend(db, actor, stipendId);
  requireVersion(stipend, version);
  const refusal = reversalRefusal(stipend, actor);
  if (refusal) throw refusal;
  const payment = stipend.lastPayment;
  // Stryker disable next-line ConditionalExpression,StringLiteral,CallExpression: What has no payment was refused before.
  if (!payment) throw new Error('A stipend without a payment was not refused.');
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

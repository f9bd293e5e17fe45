import { sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { formatCents } from '#contract/money.ts';
import type { markStipendPaid } from '#contract/payments.ts';
import type { StipendRow } from '#contract/stipends.ts';
import type { Db } from '#server/db/database.ts';
import { dueCents, paymentRefusal } from '#server/features/stipends/stipend-access.ts';
import { lockStipend, requireVersion } from '#server/features/stipends/stipend-lock-access.ts';
import { findStipend } from '#server/features/stipends/stipend-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { recallBatchesThatWouldPay } from './handover-recalls.ts';
import { recordPayment } from './payment-notices.ts';

type GivenPayment = ParsedInputOf<typeof markStipendPaid>['body'];

/** An admin notes that a stipend, or the rest of it, was paid. Refused while a batch could still pay it once more. */
export async function markPaid(
  db: Db,
  actor: Actor,
  stipendId: string,
  { version, amountCents, reference, note }: GivenPayment,
): Promise<StipendRow> {
  const stipend = await lockStipend(db, actor, stipendId);
  const refusal = paymentRefusal(stipend, actor);
  if (refusal?.code === 'stale') throw refusal;
  requireVersion(stipend, version);
  if (refusal) throw refusal;
  const paidCents = amountCents ?? dueCents(stipend);
  requireSomething(paidCents, dueCents(stipend), 'amountCents');
  const payment = { ...stipend, part: stipend.nextPart, paidCents };
  // Stryker disable next-line ArrayDeclaration: What is in an open batch was refused above, so this is a second guard.
  await recallBatchesThatWouldPay(db, [payment]);
  await writePayments(db, [payment], { at: now(), source: 'admin', recordedBy: actor.id, reference, note });
  await recordPayment(db, actor, [payment]);
  return findStipend(db, actor, stipendId);
}

/** A payment of nothing must not make a stipend paid while all of it is still owed. If nothing is owed, it may. */
export function requireSomething(paidCents: number, owedCents: number, path: string): void {
  if (paidCents > 0 || owedCents <= 0) return;
  const message = `Please give an amount above 0: ${formatCents(owedCents)} is still to be paid.`;
  throw new AppError('invalid_input', message, { errors: [{ path, message }] });
}

interface PaidPart {
  id: string;
  part: number;
  paidCents: number;
}

interface PaymentFacts {
  at: Date;
  source: 'admin' | 'confirmation';
  reference: string;
  recordedBy?: string;
  handoverId?: string;
  note?: string | undefined;
}

/**
 * Writes payments of rows that the caller has locked. The caller has already taken back batches that would pay the same
 * once more.
 */
export async function writePayments(db: Db, paid: PaidPart[], facts: PaymentFacts): Promise<void> {
  const { at, source, reference, recordedBy = null, handoverId = null, note = null } = facts;
  const ids = paid.map(({ id }) => id);
  await sql`
    with payments as (
      insert into stipend_payment_parts
        (stipend_id, part, amount_cents, paid_at, source, reference, recorded_by, handover_id, note)
      select id, part, amount, ${at}::timestamptz, ${source}, ${reference}, ${recordedBy}::uuid, ${handoverId}::uuid, ${note}
      from unnest(${ids}::uuid[], ${paid.map(({ part }) => part)}::integer[],
        ${paid.map(({ paidCents }) => paidCents)}::integer[]) as given (id, part, amount)
    )
    update stipend_eligibility set payment_status = 'paid', updated_at = ${now()}, version = version + 1
    where id = any(${ids}::uuid[])`.execute(db);
}

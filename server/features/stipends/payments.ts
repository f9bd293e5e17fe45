import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { markStipendPaid } from '#contract/stipend-payments.ts';
import type { StipendRow } from '#contract/stipends.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { paymentRefusal } from './stipend-access.ts';
import { lockStipend, requireVersion } from './stipend-locks.ts';
import { recordOutcome } from './stipend-notices.ts';
import { findStipend } from './stipend-queries.ts';

type GivenPayment = ParsedInputOf<typeof markStipendPaid>['body'];

/** An admin notes that a stipend was paid; refused while a batch with it could still pay it once more. */
export async function markPaid(
  db: Db,
  actor: Actor,
  stipendId: string,
  { version, reference, note }: GivenPayment,
): Promise<StipendRow> {
  const stipend = await lockStipend(db, stipendId);
  const refusal = paymentRefusal(stipend);
  if (stipend.paymentStatus !== 'paid') requireVersion(stipend, version);
  if (refusal) throw refusal;
  await db
    .insertInto('stipendPayments')
    .values({
      stipendId,
      amountCents: stipend.stipendAmountCents,
      paidAt: now(),
      source: 'admin',
      recordedBy: actor.id,
      reference: reference || null,
      note: note || null,
    })
    .execute();
  await db
    .updateTable('stipendEligibility')
    .set((row) => ({ paymentStatus: 'paid', updatedAt: now(), version: row('version', '+', 1) }))
    .where('id', '=', stipendId)
    .execute();
  await recordOutcome(db, actor, [stipend], 'paid');
  return findStipend(db, actor, stipendId);
}

import type { StipendRow } from '#contract/stipends.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { changed } from '#server/platform/telling.ts';
import { amountApprovalRefusal, amountRefusal } from './stipend-access.ts';
import { lockStipend, requireVersion } from './stipend-lock-access.ts';
import { findStipend } from './stipend-queries.ts';

interface GivenAmount {
  amountCents: number;
  /** The version of the row that the admin saw. */
  version: number;
  reason?: string | undefined;
}

/** What the rules pay for the row. A row that is not there pays nothing. */
export async function findRuleAmount(db: Db, stipendId: string): Promise<number> {
  const row = await db
    .selectFrom('stipendEligibility')
    .select('ruleAmountCents')
    .where('id', '=', stipendId)
    .executeTakeFirst();
  return row?.ruleAmountCents ?? 0;
}

/**
 * Works on any row, whatever its status (STIP-45). The amount then counts as set by hand (STIP-26). After the row was
 * handed over, this is an adjustment: what was sent stays as it is, and the ledger keeps the reason. If two admins are
 * needed, the new amount of an approved row waits for one who did not change it.
 */
export async function changeAmount(
  db: Db,
  actor: Actor,
  stipendId: string,
  { amountCents, version, reason }: GivenAmount,
): Promise<StipendRow> {
  const stipend = await lockStipend(db, actor, stipendId);
  requireVersion(stipend, version);
  const refusal = amountRefusal(stipend, actor);
  if (refusal) throw refusal;
  if (amountCents === stipend.stipendAmountCents) return findStipend(db, actor, stipendId);
  const needsReason = stipend.handover !== null;
  if (needsReason && !reason) throw reasonMissing();
  await db
    .updateTable('stipendEligibility')
    .set((row) => ({
      stipendAmountCents: amountCents,
      isAmountSetByHand: true,
      amountSetBy: actor.id,
      amountReason: reason ?? null,
      firstApprovedBy: stipend.paymentStatus === 'pending' ? null : row.ref('firstApprovedBy'),
      firstApprovedAt: stipend.paymentStatus === 'pending' ? null : row.ref('firstApprovedAt'),
      updatedAt: now(),
      version: row('version', '+', 1),
    }))
    .where('id', '=', stipendId)
    .execute();
  await audit(db, actor.id, {
    action: needsReason ? 'stipend.adjust_amount' : 'stipend.change_amount',
    subjectType: 'stipend',
    subjectId: stipendId,
    before: { amountCents: stipend.stipendAmountCents },
    after: { amountCents },
    reason: reason ?? null,
  });
  await changed(db, 'stipends', [stipend.fellowId]);
  return findStipend(db, actor, stipendId);
}

/** Another admin approves an amount that was changed after the decision. */
export async function approveAmount(db: Db, actor: Actor, stipendId: string, version: number): Promise<StipendRow> {
  const stipend = await lockStipend(db, actor, stipendId);
  requireVersion(stipend, version);
  const refusal = amountApprovalRefusal(stipend, actor);
  if (refusal) throw refusal;
  await db
    .updateTable('stipendEligibility')
    .set((row) => ({
      amountApprovedBy: actor.id,
      amountApprovedAt: now(),
      updatedAt: now(),
      version: row('version', '+', 1),
    }))
    .where('id', '=', stipendId)
    .execute();
  const amount = { paymentStatus: stipend.paymentStatus, amountCents: stipend.stipendAmountCents };
  await audit(db, actor.id, {
    action: 'stipend.approve_amount',
    subjectType: 'stipend',
    subjectId: stipendId,
    before: amount,
    after: amount,
  });
  await changed(db, 'stipends', [stipend.fellowId]);
  return findStipend(db, actor, stipendId);
}

function reasonMissing(): AppError {
  const message = 'This stipend was already sent for payment. Please say why its amount changes.';
  return new AppError('invalid_input', message, { errors: [{ path: 'reason', message }] });
}

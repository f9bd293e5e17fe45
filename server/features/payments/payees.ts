import type { StipendRow } from '#contract/stipends.ts';
import type { Db } from '#server/db/database.ts';
import { payeeRefusal } from '#server/features/stipends/stipend-access.ts';
import { lockStipend, requireVersion } from '#server/features/stipends/stipend-lock-access.ts';
import { findStipend } from '#server/features/stipends/stipend-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { changed } from '#server/platform/telling.ts';

/** The trigger `keep_payee` takes name and address from the profile, so nobody can write others. */
export async function renewPayee(db: Db, actor: Actor, stipendId: string, version: number): Promise<StipendRow> {
  const stipend = await lockStipend(db, actor, stipendId);
  requireVersion(stipend, version);
  const refusal = payeeRefusal(stipend, actor);
  if (refusal) throw refusal;
  const renewed = await db
    .updateTable('stipendEligibility')
    .set((row) => ({
      payeeRenewedBy: actor.id,
      payeeRenewedAt: now(),
      updatedAt: now(),
      version: row('version', '+', 1),
    }))
    .where('id', '=', stipendId)
    .returning(['payeeName as name', 'payeeEmail as email'])
    .executeTakeFirstOrThrow();
  await changed(db, ['stipends', 'payments'], [stipend.fellowId]);
  // The entry is about the person, so that it is forgotten with them.
  await audit(db, actor.id, {
    action: 'stipend.renew_payee',
    subjectType: 'user',
    subjectId: stipend.fellowId,
    before: { name: stipend.payeeName, email: stipend.payeeEmail },
    after: { ...renewed, stipendId },
  });
  return findStipend(db, actor, stipendId);
}

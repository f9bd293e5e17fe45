import { formatCents } from '#contract/money.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { notify } from '#server/platform/notices.ts';
import { changed } from '#server/platform/telling.ts';

interface StipendAsFound {
  id: string;
  fellowId: string;
  weekNumber: number;
  stipendAmountCents: number;
  /** The status before the act. */
  paymentStatus: string;
  version: number;
}

export interface PaidStipend extends StipendAsFound {
  /** From 2 on, an amount that an adjustment added after the stipend was paid. */
  part: number;
  paidCents: number;
}

/** Puts payments on record, and tells the participants what was paid. That may differ from what is owed. */
export async function recordPayment(db: Db, actor: Pick<Actor, 'id'> | null, stipends: PaidStipend[]): Promise<void> {
  // Stryker disable next-line ConditionalExpression: Without stipends each of the statements below writes nothing either.
  if (stipends.length === 0) return;
  await audit(
    db,
    actor?.id ?? null,
    stipends.map(({ id, paymentStatus, stipendAmountCents: amountCents, paidCents }) => ({
      action: 'stipend.pay',
      subjectType: 'stipend',
      subjectId: id,
      before: { paymentStatus, amountCents },
      after: { paymentStatus: 'paid', amountCents, paidCents },
    })),
  );
  await notify(
    db,
    stipends.map(({ id, fellowId, weekNumber, version, part, paidCents }) => ({
      userId: fellowId,
      kind: 'stipend',
      title: `Stipend of week ${weekNumber} paid`,
      message:
        part === 1
          ? `Your stipend of ${formatCents(paidCents)} for week ${weekNumber} was paid.`
          : `Another ${formatCents(paidCents)} of your stipend for week ${weekNumber} was paid.`,
      link: '/fellowship-dashboard',
      preference: 'stipendUpdates',
      eventKey: `stipend:${id}:paid:${version}`,
    })),
  );
  await changed(
    db,
    ['stipends', 'payments'],
    stipends.map(({ fellowId }) => fellowId),
  );
}

interface TakenBack {
  amountCents: number;
  reason: string;
}

/** The participant had been told of a payment that was none. */
export async function recordPaymentTakenBack(
  db: Db,
  actor: Pick<Actor, 'id'>,
  { id, fellowId, weekNumber, version, paymentStatus }: StipendAsFound,
  { amountCents, reason }: TakenBack,
): Promise<void> {
  await audit(db, actor.id, {
    action: 'stipend.take_payment_back',
    subjectType: 'stipend',
    subjectId: id,
    before: { paymentStatus, amountCents },
    after: { amountCents: 0 },
    reason,
  });
  await notify(db, [
    {
      userId: fellowId,
      kind: 'stipend',
      title: `Payment of week ${weekNumber} taken back`,
      message: `We told you by mistake that ${formatCents(amountCents)} for week ${weekNumber} was paid. We will tell you when it is.`,
      link: '/fellowship-dashboard',
      preference: 'stipendUpdates',
      eventKey: `stipend:${id}:taken_back:${version}`,
    },
  ]);
  await changed(db, ['stipends', 'payments'], [fellowId]);
}

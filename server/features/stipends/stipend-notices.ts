import { readParticipantDashboard } from '#contract/home.ts';
import { formatCents } from '#contract/money.ts';
import { listOwnStipendWeeks } from '#contract/stipend-weeks.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import type { AuditAction } from '#server/platform/audit-actions.ts';
import { notify } from '#server/platform/notices.ts';

export type StipendOutcome = 'first_approved' | 'approved' | 'denied';

export interface DecidedStipend {
  id: string;
  fellowId: string;
  weekNumber: number;
  stipendAmountCents: number;
  /** Before. */
  paymentStatus: string;
}

const actions: Record<StipendOutcome, AuditAction> = {
  first_approved: 'stipend.approve_first',
  approved: 'stipend.approve',
  denied: 'stipend.deny',
};

/** Puts what was decided on record and tells the participants; nobody is told of a first approval. */
export async function recordOutcome(
  db: Db,
  actor: Pick<Actor, 'id'> | null,
  stipends: DecidedStipend[],
  outcome: StipendOutcome,
  reason: string | null = null,
): Promise<void> {
  if (stipends.length === 0) return;
  const statusAfter = outcome === 'first_approved' ? 'pending' : outcome;
  await audit(
    db,
    actor?.id ?? null,
    stipends.map(({ id, paymentStatus, stipendAmountCents: amountCents }) => ({
      action: actions[outcome],
      subjectType: 'stipend',
      subjectId: id,
      before: { paymentStatus, amountCents },
      after: { paymentStatus: statusAfter, amountCents },
      reason,
    })),
  );
  if (outcome === 'first_approved') return;
  await notify(
    db,
    stipends.map((stipend) => ({
      userId: stipend.fellowId,
      kind: 'stipend',
      title: `Stipend of week ${stipend.weekNumber} ${outcome}`,
      message: inWords(stipend, outcome, reason),
      link: '/fellowship-dashboard',
      preference: 'stipendUpdates',
      eventKey: `stipend:${stipend.id}:${outcome}`,
    })),
    [{ userIds: stipends.map(({ fellowId }) => fellowId), endpoints: [readParticipantDashboard, listOwnStipendWeeks] }],
  );
}

export interface PaidStipend extends DecidedStipend {
  version: number;
  /** From 2 on: what an adjustment added after the stipend was paid. */
  part: number;
  paidCents: number;
}

/** Puts payments on record and tells the participants what was paid, which may not be what is owed. */
export async function recordPayment(db: Db, actor: Pick<Actor, 'id'> | null, stipends: PaidStipend[]): Promise<void> {
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
          : `A further ${formatCents(paidCents)} of your stipend for week ${weekNumber} were paid.`,
      link: '/fellowship-dashboard',
      preference: 'stipendUpdates',
      eventKey: `stipend:${id}:paid:${version}`,
    })),
    [{ userIds: stipends.map(({ fellowId }) => fellowId), endpoints: [readParticipantDashboard, listOwnStipendWeeks] }],
  );
}

interface TakenBack {
  amountCents: number;
  reason: string;
}

/** The participant was told of a payment that was none. */
export async function recordPaymentTakenBack(
  db: Db,
  actor: Pick<Actor, 'id'>,
  { id, fellowId, weekNumber, version, paymentStatus }: DecidedStipend & { version: number },
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
  await notify(
    db,
    [
      {
        userId: fellowId,
        kind: 'stipend',
        title: `Payment of week ${weekNumber} taken back`,
        message: `The payment of ${formatCents(amountCents)} for week ${weekNumber} that you were told of was noted by mistake. You are told again when it is paid.`,
        link: '/fellowship-dashboard',
        preference: 'stipendUpdates',
        eventKey: `stipend:${id}:taken_back:${version}`,
      },
    ],
    [{ userIds: [fellowId], endpoints: [readParticipantDashboard, listOwnStipendWeeks] }],
  );
}

function inWords({ weekNumber, stipendAmountCents }: DecidedStipend, outcome: StipendOutcome, reason: string | null) {
  const stipend = `Your stipend of ${formatCents(stipendAmountCents)} for week ${weekNumber}`;
  if (outcome === 'denied')
    return `Your stipend for week ${weekNumber} was denied. Your coach can tell you more. The reason: ${reason}`;
  return `${stipend} was approved.`;
}

import { formatCents } from '#contract/money.ts';
import { type PaidDays, periodName } from '#contract/pay-periods.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import type { AuditAction } from '#server/platform/audit-actions.ts';
import { notify } from '#server/platform/notices.ts';
import { changed } from '#server/platform/telling.ts';

export type StipendOutcome = 'first_approved' | 'approved' | 'denied';

export interface DecidedStipend extends Omit<PaidDays, 'lastDay'> {
  id: string;
  fellowId: string;
  stipendAmountCents: number;
  /** The status before the act. */
  paymentStatus: string;
}

const actions: Record<StipendOutcome, AuditAction> = {
  first_approved: 'stipend.approve_first',
  approved: 'stipend.approve',
  denied: 'stipend.deny',
};

/** Puts decisions on record and tells the participants. Nobody is told of a first approval. */
export async function recordOutcome(
  db: Db,
  actor: Pick<Actor, 'id'>,
  stipends: DecidedStipend[],
  outcome: StipendOutcome,
  reason: string | null = null,
): Promise<void> {
  if (stipends.length === 0) return;
  await changed(
    db,
    'stipends',
    stipends.map(({ fellowId }) => fellowId),
  );
  const statusAfter = outcome === 'first_approved' ? 'pending' : outcome;
  await audit(
    db,
    actor.id,
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
      title: `Stipend of ${periodName(stipend)} ${outcome}`,
      message: inWords(stipend, outcome, reason),
      link: '/fellowship-dashboard',
      preference: 'stipendUpdates',
      eventKey: `stipend:${stipend.id}:${outcome}`,
    })),
  );
}

function inWords(stipend: DecidedStipend, outcome: StipendOutcome, reason: string | null) {
  const period = periodName(stipend);
  if (outcome === 'denied')
    return `Your stipend for ${period} was denied. Your coach can tell you more. The reason: ${reason}`;
  return `Your stipend of ${formatCents(stipend.stipendAmountCents)} for ${period} was approved.`;
}

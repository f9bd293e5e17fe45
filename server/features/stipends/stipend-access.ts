import { houseZone } from '#contract/house-zone.ts';
import { momentIn } from '#contract/moments.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/errors.ts';
import { ownRefusal } from '#server/platform/own-rows.ts';
import type { LastPayment } from './stipend-standing-queries.ts';

/**
 * The instant from which a person may approve, if another admin made them an admin in the last days. Null for everybody
 * else.
 */
export type ApprovesFrom = Date | string | null;

interface Decidable {
  fellowId: string;
  overallEligible: boolean;
  paymentStatus: string;
}

interface Approvable extends Decidable {
  needsSecondApprover: boolean;
  firstApprovedBy: string | null;
  /** The people who set the present amount, until somebody else approves it. */
  amountSetters: string[];
  /**
   * True if the admin who asks may be second to those who approved first and set the amount. `mayApproveAmount` is true
   * if they may be second to those who set it.
   */
  mayBeSecond: boolean;
  mayApproveAmount: boolean;
  approvesFrom: ApprovesFrom;
}

interface Payable {
  fellowId: string;
  /** True if the amount changed after the approval where two admins are needed, or is above what one admin may set. */
  amountAwaitsApproval: boolean;
  paymentStatus: string;
  stipendAmountCents: number;
  /** Null if nothing was paid. */
  paidCents: number | null;
  /** The standing of the last batch. */
  handover: string | null;
}

interface PaidPerson {
  fellowId: string;
  /** The person has another name or address than the approved one. */
  isPayeeOutdated: boolean;
  /** The rest is in a batch that stands, or nothing is left to pay. */
  isPayeeSettled: boolean;
  approvesFrom: ApprovesFrom;
}

/**
 * The reason why nobody can deny or approve a stipend, or null. Only eligible, pending rows are open for it (STIP-39).
 */
export function decisionRefusal({ overallEligible, paymentStatus }: Decidable): AppError | null {
  if (paymentStatus !== 'pending') return new AppError('stale', `This stipend is ${paymentStatus} already.`);
  if (!overallEligible) return new AppError('conflict', 'This participant is not eligible for the week.');
  return null;
}

/** The reason why this admin cannot deny it. */
export function denialRefusal(row: Decidable, actor: Pick<Actor, 'id'>): AppError | null {
  return decisionRefusal(row) ?? ownRefusal(actor, row.fellowId);
}

/**
 * The reason why this admin cannot approve it. If two have to, they are two people. The second one did not set the
 * amount, and neither made the other an admin.
 */
export function approvalRefusal(row: Approvable, actor: Pick<Actor, 'id'>): AppError | null {
  const refusal = denialRefusal(row, actor) ?? newAdminRefusal(row);
  if (refusal || !row.needsSecondApprover || row.firstApprovedBy === null || row.mayBeSecond) return refusal;
  if (row.firstApprovedBy === actor.id) {
    return new AppError('conflict', 'You approved this stipend first. Another admin has to approve it too.');
  }
  return row.amountSetters.includes(actor.id) ? ownAmount() : boundApprover();
}

/** The reason why a person approves nothing yet: another admin made them an admin in the last days. */
export function newAdminRefusal({ approvesFrom }: { approvesFrom: ApprovesFrom }): AppError | null {
  if (approvesFrom === null) return null;
  const from = momentIn(new Date(approvesFrom), houseZone);
  return new AppError(
    'conflict',
    `You were made an admin less than 7 days ago. You can approve from ${from} on; another admin can now.`,
  );
}

/** The reason why this admin cannot set its amount. */
export function amountRefusal({ fellowId }: Pick<Decidable, 'fellowId'>, actor: Pick<Actor, 'id'>): AppError | null {
  return ownRefusal(actor, fellowId);
}

/** The reason why this admin cannot approve an amount that was changed after the decision. */
export function amountApprovalRefusal(
  row: Pick<
    Approvable & Payable,
    'fellowId' | 'amountAwaitsApproval' | 'amountSetters' | 'mayApproveAmount' | 'approvesFrom'
  >,
  actor: Pick<Actor, 'id'>,
): AppError | null {
  if (!row.amountAwaitsApproval) return new AppError('stale', 'This stipend has no new amount to approve.');
  const refusal = ownRefusal(actor, row.fellowId);
  if (refusal) return refusal;
  if (row.mayApproveAmount) return newAdminRefusal(row);
  return row.amountSetters.includes(actor.id) ? ownAmount() : boundApprover();
}

export function boundApprover(): AppError {
  return new AppError(
    'conflict',
    'Two admins decide this together, and one of you made the other an admin. A third admin has to approve it.',
  );
}

function ownAmount(): AppError {
  return new AppError('conflict', 'You changed the amount of this stipend. Another admin has to approve it.');
}

/** The amount left to pay. It is below zero if more was paid than is owed. */
export function dueCents({ stipendAmountCents, paidCents }: Pick<Payable, 'stipendAmountCents' | 'paidCents'>): number {
  return stipendAmountCents - (paidCents ?? 0);
}

/** The reason why a stipend, or the rest of it, cannot be marked as paid. A batch on its way could pay it once more. */
export function paymentRefusal(row: Payable, actor: Pick<Actor, 'id'>): AppError | null {
  const { paymentStatus, handover } = row;
  if (paymentStatus === 'paid' && dueCents(row) <= 0) return new AppError('stale', 'This stipend is paid already.');
  if (paymentStatus !== 'approved' && paymentStatus !== 'paid') {
    return new AppError('conflict', 'Only an approved stipend can be marked as paid.');
  }
  const refusal = ownRefusal(actor, row.fellowId);
  if (refusal) return refusal;
  if (row.amountAwaitsApproval) {
    return new AppError(
      'conflict',
      'Its amount was changed after the approval. Another admin has to approve it first.',
    );
  }
  if (handover === null || handover === 'sent') return null;
  return new AppError(
    'conflict',
    'This stipend is on its way to the payment system. Recall the batch in Reconciliation before you mark it as paid.',
  );
}

/** The reason why this admin cannot take back the last payment of a stipend. */
export function reversalRefusal(
  { fellowId, lastPayment: payment }: { fellowId: string; lastPayment: LastPayment | null },
  actor: Pick<Actor, 'id'>,
): AppError | null {
  if (!payment) return new AppError('conflict', 'No payment of this stipend is on record.');
  const refusal = ownRefusal(actor, fellowId);
  if (refusal) return refusal;
  if (payment.source !== 'admin') {
    return new AppError('conflict', 'You can only take back a payment that an admin recorded.');
  }
  if (payment.isConfirmed) {
    return new AppError(
      'conflict',
      'The payment system says it paid this stipend too. If you take the payment back, it could be paid twice.',
    );
  }
  if (!payment.isFollowed) return null;
  return new AppError('conflict', 'The rest of this stipend was sent since then. Recall that batch first.');
}

/** The reason why this admin cannot take over the person's present name and address. */
export function payeeRefusal(row: PaidPerson, actor: Pick<Actor, 'id'>): AppError | null {
  if (!row.isPayeeOutdated) {
    return new AppError(
      'stale',
      "This stipend is not approved yet, or already has the person's current name and email.",
    );
  }
  const refusal = ownRefusal(actor, row.fellowId);
  if (refusal) return refusal;
  if (!row.isPayeeSettled) return newAdminRefusal(row);
  return new AppError(
    'conflict',
    'This stipend was sent or paid under the earlier name and email. If the payment system does not have it, recall the batch in Reconciliation first.',
  );
}

/** What an admin may do with a row. The acts refuse by the same rules. */
export function stipendCan(
  row: Approvable & Payable & PaidPerson & { lastPayment: LastPayment | null },
  actor: Pick<Actor, 'id'>,
) {
  return {
    approve: approvalRefusal(row, actor) === null,
    deny: denialRefusal(row, actor) === null,
    changeAmount: amountRefusal(row, actor) === null,
    approveAmount: amountApprovalRefusal(row, actor) === null,
    markPaid: paymentRefusal(row, actor) === null,
    renewPayee: payeeRefusal(row, actor) === null,
    takePaymentBack: reversalRefusal(row, actor) === null,
  };
}

import { easternMoment } from '#contract/eastern-moments.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/errors.ts';
import type { LastPayment } from './payment-part-queries.ts';

/** Who was made an admin in the last days, and from when they approve. */
export type NewAdmins = Record<string, string>;

interface Decidable {
  overallEligible: boolean;
  paymentStatus: string;
}

interface Approvable extends Decidable {
  needsSecondApprover: boolean;
  firstApprovedBy: string | null;
  /** Who set the amount that stands, until somebody else approves it. */
  amountSetters: string[];
  /** Who made one of them an admin, or was made one by them. */
  boundToAmountSetters: string[];
  boundToFirstApprover: string[];
  newAdmins: NewAdmins;
}

interface Payable {
  /** Changed after the approval, where two admins are needed. */
  amountAwaitsApproval: boolean;
  paymentStatus: string;
  stipendAmountCents: number;
  /** Null where nothing was paid. */
  paidCents: number | null;
  /** Of the last batch. */
  handover: string | null;
}

/** Why a stipend can't be denied, nor approved by anybody, or null: only eligible, pending rows can (STIP-39). */
export function decisionRefusal({ overallEligible, paymentStatus }: Decidable): AppError | null {
  if (paymentStatus !== 'pending') return new AppError('stale', `This stipend is ${paymentStatus} already.`);
  if (!overallEligible) return new AppError('conflict', 'This participant is not eligible for the week.');
  return null;
}

/**
 * Why this admin can't approve it: where two have to, they are two people, the second not who set the amount, and
 * neither made the other an admin.
 */
export function approvalRefusal(row: Approvable, actor: Pick<Actor, 'id'>): AppError | null {
  const refusal = decisionRefusal(row) ?? newAdminRefusal(row.newAdmins, actor);
  if (refusal || !row.needsSecondApprover || row.firstApprovedBy === null) return refusal;
  if (row.firstApprovedBy === actor.id) {
    return new AppError('conflict', 'You approved this stipend first. Another admin has to approve it too.');
  }
  if (row.amountSetters.includes(actor.id)) return ownAmount();
  const bound = [...row.boundToFirstApprover, ...row.boundToAmountSetters];
  return bound.includes(actor.id) ? boundApprover() : null;
}

/** Why somebody approves nothing yet: another admin made them one in the last days. */
export function newAdminRefusal(newAdmins: NewAdmins, actor: Pick<Actor, 'id'>): AppError | null {
  const approvesFrom = newAdmins[actor.id];
  if (approvesFrom === undefined) return null;
  const from = easternMoment(new Date(approvesFrom));
  return new AppError(
    'conflict',
    `You were made an admin less than 7 days ago. You can approve from ${from} on; another admin can now.`,
  );
}

/** Why this admin can't approve an amount that was changed after the decision. */
export function amountApprovalRefusal(
  row: Pick<Approvable & Payable, 'amountAwaitsApproval' | 'amountSetters' | 'boundToAmountSetters' | 'newAdmins'>,
  actor: Pick<Actor, 'id'>,
): AppError | null {
  if (!row.amountAwaitsApproval) return new AppError('stale', 'The amount of this stipend waits for no approval.');
  if (row.amountSetters.includes(actor.id)) return ownAmount();
  return row.boundToAmountSetters.includes(actor.id) ? boundApprover() : newAdminRefusal(row.newAdmins, actor);
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

/** What is left to pay; below zero where more was paid than is owed. */
export function dueCents({ stipendAmountCents, paidCents }: Pick<Payable, 'stipendAmountCents' | 'paidCents'>): number {
  return stipendAmountCents - (paidCents ?? 0);
}

/** Why a stipend, or the rest of it, can't be marked as paid: a batch that is on its way could pay it once more. */
export function paymentRefusal(row: Payable): AppError | null {
  const { paymentStatus, handover } = row;
  if (paymentStatus === 'paid' && dueCents(row) <= 0) return new AppError('stale', 'This stipend is paid already.');
  if (paymentStatus !== 'approved' && paymentStatus !== 'paid') {
    return new AppError('conflict', 'Only an approved stipend can be marked as paid.');
  }
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

/** Why the last payment of a stipend can't be taken back. */
export function reversalRefusal(payment: LastPayment): AppError | null {
  if (payment.source !== 'admin') {
    return new AppError('conflict', 'Only a payment that an admin noted can be taken back.');
  }
  if (payment.isConfirmed) {
    return new AppError(
      'conflict',
      'The payment system has told of a payment of this stipend too: taken back, it could be paid once more.',
    );
  }
  if (!payment.isFollowed) return null;
  return new AppError('conflict', 'The rest of this stipend was handed over since. Recall that batch first.');
}

export function noPayment(): AppError {
  return new AppError('conflict', 'No payment of this stipend is on record.');
}

/** Why a batch can't be taken back. */
export function recallRefusal({ status, isBeingSent }: { status: string; isBeingSent: boolean }): AppError | null {
  if (status === 'recalled') return new AppError('stale', 'This batch was recalled already.');
  if (status === 'sent') return new AppError('conflict', 'The payment system has accepted this batch already.');
  if (!isBeingSent) return null;
  return new AppError('conflict', 'This batch is being sent at this moment. Please look again in a minute.');
}

/** What an admin may do with a row; the acts refuse by the same rules. */
export function stipendCan(row: Approvable & Payable & { lastPayment: LastPayment | null }, actor: Pick<Actor, 'id'>) {
  return {
    approve: approvalRefusal(row, actor) === null,
    deny: decisionRefusal(row) === null,
    changeAmount: true,
    approveAmount: amountApprovalRefusal(row, actor) === null,
    markPaid: paymentRefusal(row) === null,
    takePaymentBack: row.lastPayment !== null && reversalRefusal(row.lastPayment) === null,
  };
}

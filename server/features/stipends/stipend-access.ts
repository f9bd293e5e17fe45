import { AppError } from '#server/platform/errors.ts';

interface Decidable {
  overallEligible: boolean;
  paymentStatus: string;
}

/** Why a stipend can't be approved or denied, or null: only eligible, pending rows can (STIP-39). */
export function decisionRefusal({ overallEligible, paymentStatus }: Decidable): AppError | null {
  if (paymentStatus !== 'pending') return new AppError('stale', `This stipend is ${paymentStatus} already.`);
  if (!overallEligible) return new AppError('conflict', 'This participant is not eligible for the week.');
  return null;
}

/** What an admin may do with a row; the acts refuse by the same rules. */
export function stipendCan(row: Decidable) {
  const canDecide = decisionRefusal(row) === null;
  return { approve: canDecide, deny: canDecide, changeAmount: true };
}

import type { PaidDays } from '#contract/pay-periods.ts';
import type { StipendRow } from '#contract/stipends.ts';
import { eligibilityStanding, weekPhase } from '#contract/week-standing.ts';

type Facts = Pick<StipendRow, keyof PaidDays | 'today' | 'paymentStatus' | 'criteria'> &
  Pick<StipendRow, 'overallEligible' | 'isOutOfReach' | 'lostCriteria' | 'amountCents'>;

/** STIP-16: how the week of a row stands by now, in the admins' words. */
export function eligibilityOf({ paymentStatus: decision, overallEligible: isEligible, ...facts }: Facts) {
  return eligibilityStanding({ ...facts, decision, isEligible });
}

export function phaseOf({
  paymentStatus,
  today,
  ...days
}: Pick<Facts, 'firstDay' | 'lastDay' | 'today' | 'paymentStatus'>) {
  return weekPhase(days, today, paymentStatus);
}

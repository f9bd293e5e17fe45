import type { StipendRow } from '#contract/stipends.ts';
import { eligibilityStanding, weekPhase } from '#contract/week-standing.ts';
import { easternDay } from '#contract/weeks.ts';

type Facts = Pick<StipendRow, 'weekNumber' | 'firstDay' | 'lastDay' | 'paymentStatus' | 'criteria'> &
  Pick<StipendRow, 'overallEligible' | 'isOutOfReach' | 'amountCents'>;

/** STIP-16: how the week of a row stands by now, in the admins' words. */
export function eligibilityOf({ paymentStatus: decision, overallEligible: isEligible, ...facts }: Facts) {
  return eligibilityStanding({ ...facts, decision, isEligible, today: easternDay(new Date()), reader: 'staff' });
}

export function phaseOf({ paymentStatus, ...days }: Pick<Facts, 'firstDay' | 'lastDay' | 'paymentStatus'>) {
  return weekPhase(days, easternDay(new Date()), paymentStatus);
}

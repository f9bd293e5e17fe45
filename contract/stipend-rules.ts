import { defaultStipendCents } from './money.ts';

/** What a week's eligibility rests on. */
export interface StipendFacts {
  activitiesTotal: number;
  activitiesAccessed: number;
  assignmentsTotal: number;
  /** With status submitted or accepted (STIP-34). */
  assignmentsSubmitted: number;
  /** 1.0 to 5.0, null where nobody rated the week. */
  rating: number | null;
}

/** What a row has of each criterion: the rule may have been another one when it was written. */
export interface StipendOutcomes {
  attendanceEligible: boolean;
  assignmentEligible: boolean;
  performanceEligible: boolean;
}

/** Above it one admin alone sets no amount; `is_amount_unusual` in the database says the same. */
export const unusualAboveCents = 2 * defaultStipendCents;

export function isAmountUnusual(cents: number): boolean {
  return cents > unusualAboveCents;
}

/** STIP-31 */
export const attendanceNeeded = 80;
/** STIP-33 */
export const ratingNeeded = 3;

interface Criterion {
  isMet: boolean;
  reason: string;
}

/** The three criteria in words: participant and admin read the same (STIP-15, STIP-16, STIP0-02). */
export function stipendCriteria(facts: StipendFacts) {
  const attendance = attendanceCriterion(facts);
  const assignments = assignmentCriterion(facts);
  const performance = performanceCriterion(facts);
  return { attendance, assignments, performance };
}

/** The criteria of a row that is stored: met or not as it says, whatever the rule is now. */
export function storedCriteria(row: StipendFacts & StipendOutcomes): ReturnType<typeof stipendCriteria> {
  const { attendance, assignments, performance } = stipendCriteria(row);
  return {
    attendance: asStored(attendance, row.attendanceEligible),
    assignments: asStored(assignments, row.assignmentEligible),
    performance: asStored(performance, row.performanceEligible),
  };
}

export function isEligible(facts: StipendFacts): boolean {
  return Object.values(stipendCriteria(facts)).every((criterion) => criterion.isMet);
}

/** STIP-56: ceil(0.8 x total) minus accessed, never below 0. */
export function activitiesStillNeeded({
  activitiesTotal,
  activitiesAccessed,
}: Pick<StipendFacts, 'activitiesTotal' | 'activitiesAccessed'>): number {
  return Math.max(0, Math.ceil((activitiesTotal * attendanceNeeded) / 100) - activitiesAccessed);
}

function asStored(byRuleOfNow: Criterion, isMet: boolean): Criterion {
  if (byRuleOfNow.isMet === isMet) return byRuleOfNow;
  const [facts] = byRuleOfNow.reason.split(',');
  return { isMet, reason: `${facts}, ${isMet ? 'enough' : 'not enough'} by the rule of that time` };
}

function attendanceCriterion({ activitiesTotal: total, activitiesAccessed: accessed }: StipendFacts) {
  if (total === 0) return { isMet: true, reason: 'No activities this week' };
  const isMet = accessed * 100 >= total * attendanceNeeded;
  const share = `${accessed} of ${total} activities attended (${Math.floor((100 * accessed) / total)}%)`;
  return { isMet, reason: isMet ? share : `${share}, ${attendanceNeeded}% needed` };
}

function assignmentCriterion({ assignmentsTotal: total, assignmentsSubmitted: submitted }: StipendFacts) {
  if (total === 0) return { isMet: true, reason: 'No assignments this week' };
  const isMet = submitted >= total;
  const share = `${submitted} of ${total} handed in`;
  return { isMet, reason: share };
}

function performanceCriterion({ rating }: StipendFacts) {
  if (rating === null) return { isMet: false, reason: `Not rated yet, ${ratingNeeded.toFixed(1)} needed` };
  const isMet = rating >= ratingNeeded;
  const words = `Rated ${rating.toFixed(1)} of 5`;
  return { isMet, reason: isMet ? words : `${words}, ${ratingNeeded.toFixed(1)} needed` };
}

import { specifiedRules } from '#contract/default-programme.ts';
import { houseZone } from '#contract/house-zone.ts';
import { notCounted, type WeekFacts } from '#contract/stipend-facts.ts';
import { type Criteria, judge } from '#contract/stipend-rules.ts';
import type { StipendRow } from '#contract/stipends.ts';
import { dayAt } from '#contract/weeks.ts';

const facts: WeekFacts = {
  ...notCounted,
  activitiesTotal: 5,
  activitiesAccessed: 5,
  assignmentsTotal: 1,
  assignmentsSubmitted: 1,
  assignmentsUntouched: 0,
  rating: 4,
};

/** Judges by the rules in force. Everything that is not given is met. */
export function criteriaOf(given: Partial<WeekFacts> = {}): Criteria {
  return judge({ ...facts, ...given }, specifiedRules);
}

/** Eligible, pending, and of concern to nobody yet. */
export const aStipendRow: StipendRow = {
  id: '0',
  fellowId: '0',
  participantName: 'Nadia Ng',
  participantEmail: 'nadia@people.example',
  coachName: 'Casey Cole',
  cohortName: 'Spring 2027',
  weekNumber: 1,
  payPeriod: 'week',
  firstDay: '2025-09-08',
  lastDay: '2025-09-12',
  today: dayAt(new Date(), houseZone),
  criteria: criteriaOf(),
  attendancePercentage: 100,
  performanceRating: 4,
  submissionCount: 1,
  requiredSubmissions: 1,
  overallEligible: true,
  isOutOfReach: false,
  lostCriteria: [],
  membershipNote: null,
  rulesVersion: 1,
  amountCents: 50_000,
  ruleAmountCents: 50_000,
  amountLines: [],
  paymentStatus: 'pending',
  approvedByName: null,
  approvedAt: null,
  payee: null,
  denialReason: null,
  firstApproval: null,
  amountAwaitsApproval: false,
  handover: null,
  handedCents: 0,
  payment: null,
  restWaits: false,
  own: { amount: false, amountApproval: false, decision: false },
  openQuestion: null,
  dueCents: 50_000,
  version: 1,
  needsReason: false,
  can: {
    approve: true,
    deny: true,
    changeAmount: true,
    approveAmount: false,
    markPaid: false,
    renewPayee: false,
    takePaymentBack: false,
  },
  approvalRefusal: null,
};

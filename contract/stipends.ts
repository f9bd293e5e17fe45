import { z } from 'zod';
import { Cursor, Day, endpoint, Id, IdParams, Instant, pageOf } from './endpoint.ts';
import { PaidDays, PayPeriod } from './pay-periods.ts';
import { AmountLine, Criteria } from './stipend-rules.ts';
import { mostWeeks } from './weeks.ts';

export const paymentStatuses = ['pending', 'approved', 'paid', 'denied'] as const;
export const PaymentStatus = z.enum(paymentStatuses);

/** An amount that was paid at one time. */
export const PaymentPart = z.object({ amountCents: z.number().int(), at: Instant });

export const Payee = z.object({ name: z.string(), email: z.string() });

export const StipendRow = PaidDays.extend({
  id: Id,
  fellowId: Id,
  participantName: z.string(),
  participantEmail: z.string(),
  /** It is 'No coach assigned' without one (STIP-14). */
  coachName: z.string(),
  cohortName: z.string(),
  /** The programme's day on which this was answered. */
  today: Day,
  criteria: Criteria,
  attendancePercentage: z.number(),
  performanceRating: z.number().nullable(),
  submissionCount: z.number().int(),
  requiredSubmissions: z.number().int(),
  overallEligible: z.boolean(),
  /** True of an undecided week if, by the rules, too much of it is lost by today (`weekStanding`). */
  isOutOfReach: z.boolean(),
  /** The names of the criteria that decide so. It is empty of any other week. */
  lostCriteria: z.array(z.string()),
  /** Says why the week counts only in part for this person, or not at all: they joined late, or left. */
  membershipNote: z.string().nullable(),
  /** The version of the rules that the row was computed with. */
  rulesVersion: z.number().int(),
  amountCents: z.number().int(),
  /** What the rules pay. An amount above twice of it takes another admin. */
  ruleAmountCents: z.number().int(),
  /** What makes that up. It is empty of earlier rows. */
  amountLines: z.array(AmountLine),
  paymentStatus: PaymentStatus,
  approvedByName: z.string().nullable(),
  approvedAt: Instant.nullable(),
  /**
   * The person whom it pays, as it was approved. It is null before that. It is outdated once the person has another
   * name or address.
   */
  payee: Payee.extend({ isOutdated: z.boolean() }).nullable(),
  /** The reason as the participant reads it. It is null if the stipend was denied before a reason was required. */
  denialReason: z.string().nullable(),
  /** The admin who approved first, if the cohort needs two and the second is still to come. */
  firstApproval: z.object({ byName: z.string(), at: Instant }).nullable(),
  /**
   * True if the amount changed after the approval, and two admins are needed or it is above twice the rule's. It is
   * neither sent nor paid before another admin approves it.
   */
  amountAwaitsApproval: z.boolean(),
  /** The status of the last hand-over that this row was in. */
  handover: z.enum(['queued', 'sent', 'failed', 'given_up']).nullable(),
  /** The payment system was told this amount. It differs from the amount after an adjustment. */
  handedCents: z.number().int(),
  payment: z
    .object({
      amountCents: z.number().int(),
      at: Instant,
      byName: z.string().nullable(),
      reference: z.string().nullable(),
      /**
       * The parts in which it was paid, the first one first. The facts beside them are the last one's. The amount is
       * the sum.
       */
      parts: z.array(PaymentPart),
    })
    .nullable(),
  /**
   * The payment system may still pay the rest by itself. So the rest goes out only if an admin confirms 'send all
   * again'.
   */
  restWaits: z.boolean(),
  /**
   * Says which of these the asking admin made: the last change of the amount, its approval, and the last decision or
   * payment.
   */
  own: z.object({ amount: z.boolean(), amountApproval: z.boolean(), decision: z.boolean() }),
  /** The participant's question about the week that nobody has answered. */
  openQuestion: z.string().nullable(),
  version: z.number().int(),
  /** What is left to pay once it is approved. It is below zero if more was paid. */
  dueCents: z.number().int(),
  /** After the hand-over, a new amount is an adjustment and needs a reason. */
  needsReason: z.boolean(),
  can: z.object({
    approve: z.boolean(),
    deny: z.boolean(),
    changeAmount: z.boolean(),
    approveAmount: z.boolean(),
    markPaid: z.boolean(),
    /** True if the person whom it pays is outdated, and the stipend is neither handed over nor paid. */
    renewPayee: z.boolean(),
    /**
     * True for a payment that an admin noted, unless something says that it was made twice or that the rest is on its
     * way.
     */
    takePaymentBack: z.boolean(),
  }),
  /** Says why this admin cannot approve what another one can. */
  approvalRefusal: z.string().nullable(),
});
export type StipendRow = z.infer<typeof StipendRow>;

/** Says which rows somebody saw, and in which version. */
export const SeenRows = z.object({
  count: z.number().int(),
  totalCents: z.number().int(),
  /** The end of each row's id with its version, such as `1a2b3c4d5e6f.2`. Commas separate them. */
  versions: z.string().max(400_000),
});
export type SeenRows = z.infer<typeof SeenRows>;

export const WeekSummary = z.object({
  weekNumber: z.number().int(),
  totalParticipants: z.number().int(),
  eligible: z.number().int(),
  pendingApproval: z.number().int(),
  /** Counts approved or paid stipends. The cents are their sum. */
  approvedStipends: z.number().int(),
  approvedCents: z.number().int(),
  /** The rows that wait for approval and do not belong to the admin who asks. A bulk approval sends them back. */
  pending: SeenRows,
  /** The rows that the receiver accepted and has not paid yet. 'Send all again' sends them back. */
  sentUnpaid: SeenRows,
});

export const weekBody = z.object({
  weekNumber: z.number().int().min(1).max(mostWeeks),
  /** Without it, processing takes the documented cohort. Everything else takes all cohorts. */
  cohortId: Id.optional(),
});

export const processStipends = endpoint({
  name: 'processStipends',
  method: 'POST',
  path: '/api/stipends/processing',
  access: 'stipends.manage',
  takesLong: true,
  summary:
    "Computes the week's eligibility of the documented cohort, or of the one named (STIP-22 to STIP-26); safe to repeat.",
  shows: [],
  body: weekBody,
  response: z.object({ cohortId: Id.nullable(), changedRows: z.number().int() }),
});

export const stipendOrders = ['eligible', 'name', 'nameFromZ', 'cohort', 'largest', 'smallest', 'status'] as const;
/** The orders of the list. `status` goes from pending to denied. */
export const StipendOrder = z.enum(stipendOrders);
export type StipendOrder = z.infer<typeof StipendOrder>;

export const listStipends = endpoint({
  name: 'listStipends',
  method: 'GET',
  path: '/api/stipends',
  access: 'stipends.manage',
  mayReadReplica: true,
  summary: 'The stipends of a week, eligible first unless said otherwise, with the summary of the whole week.',
  shows: ['stipends', 'payments', 'questions', 'people', 'enrolments', 'cohorts'],
  query: z.object({
    week: z.coerce.number().int().min(1).max(mostWeeks),
    cohort: Id.optional(),
    search: z.coerce.string().max(200).optional(),
    status: PaymentStatus.optional(),
    eligibility: z.enum(['eligible', 'not_eligible']).optional(),
    order: StipendOrder.default('eligible'),
    cursor: Cursor.optional(),
  }),
  response: pageOf(StipendRow).extend({
    /**
     * All of these come with the first page only. They are null there too if the figures could not be read. The list is
     * there without them (STIP-07).
     */
    matching: z.number().int().nullable(),
    /** The sum of the amounts that match the filters, on all pages. */
    matchingCents: z.number().int().nullable(),
    /** The part of it that is of eligible stipends. */
    matchingEligibleCents: z.number().int().nullable(),
    summary: WeekSummary.nullable(),
  }),
});

export const readStipendWeek = endpoint({
  name: 'readStipendWeek',
  method: 'GET',
  path: '/api/stipends/current-week',
  access: 'stipends.manage',
  mayReadReplica: true,
  summary: 'The week to open Stipend Management with: the current one of the documented cohort, or of the one picked.',
  shows: ['cohorts', 'enrolments', 'stipends'],
  query: z.object({ cohort: Id.optional() }),
  response: z.object({
    cohortId: Id.nullable(),
    weekNumber: z.number().int(),
    cohortName: z.string().nullable(),
    firstDay: Day.nullable(),
    lastDay: Day.nullable(),
    payPeriod: PayPeriod,
    /** How many stipends the cohort pays to each participant, and its programme's day. */
    weeks: z.number().int(),
    today: Day,
  }),
});

export const readStipend = endpoint({
  name: 'readStipend',
  method: 'GET',
  path: '/api/stipends/:id',
  access: 'stipends.manage',
  summary: 'What a stipend decision rests on: assignments, attendance, rating, history.',
  shows: ['stipends', 'payments', 'questions', 'attendance', 'submissions', 'ratings', 'training', 'people'],
  params: IdParams,
  response: StipendRow.extend({
    assignments: z.array(
      z.object({
        id: Id,
        title: z.string(),
        isRequired: z.boolean(),
        dueDate: Day.nullable(),
        status: z.string().nullable(),
        submittedAt: Instant.nullable(),
        feedback: z.string().nullable(),
        /** It is false if the work was due before the person joined. */
        counts: z.boolean(),
      }),
    ),
    attendance: z.array(
      z.object({
        activityId: Id,
        title: z.string(),
        sessionDate: Day.nullable(),
        accessedAt: Instant.nullable(),
        /** It is false if the activity was held before the person joined. */
        counts: z.boolean(),
      }),
    ),
    ratingComment: z.string().nullable(),
    /** Says what would make the week eligible (STIP-55 to STIP-57). It is null if the week is eligible. */
    requirements: z.array(z.string()).nullable(),
    history: z.array(
      z.object({
        /** The position of the line in the ledger. */
        position: z.number().int(),
        at: Instant,
        action: z.string(),
        actorName: z.string().nullable(),
        detail: z.string(),
        reason: z.string().nullable(),
      }),
    ),
  }),
});

export const versionBody = z.object({ version: z.number().int() });

/** Its participant reads it. */
export const DenialReason = z.string().trim().min(1, 'Please say why.').max(500);

export const approveStipend = endpoint({
  name: 'approveStipend',
  method: 'POST',
  path: '/api/stipends/:id/approval',
  access: 'stipends.manage',
  needsFreshProof: true,
  ownTransactions: true,
  summary: 'Approves an eligible, pending stipend; in a cohort that needs two approvals the first one only notes it.',
  params: IdParams,
  body: versionBody,
  response: StipendRow,
});

export const denyStipend = endpoint({
  name: 'denyStipend',
  method: 'POST',
  path: '/api/stipends/:id/denial',
  access: 'stipends.manage',
  ownTransactions: true,
  summary: 'Denies an eligible, pending stipend, with a reason that its participant reads.',
  params: IdParams,
  body: versionBody.extend({ reason: DenialReason }),
  response: StipendRow,
});

export const approveWeek = endpoint({
  name: 'approveWeek',
  method: 'POST',
  path: '/api/stipends/week-approval',
  access: 'stipends.manage',
  takesLong: true,
  needsFreshProof: true,
  ownTransactions: true,
  summary:
    'Approves every eligible, pending stipend of a week (STIP-41 to STIP-44); refused as stale, naming what differs, when they are not the ones that were seen.',
  body: weekBody.extend({ seen: SeenRows }),
  response: z.object({
    approved: z.number().int(),
    /** Counts those of cohorts that need a second approver, who is still to come. */
    firstApproved: z.number().int(),
    /** Counts those that are left to another admin, because this one approved first or changed the amount. */
    skipped: z.number().int(),
    /** Counts those that are left out because they belong to the admin who approves. */
    own: z.number().int(),
  }),
});

export const changeStipendAmount = endpoint({
  name: 'changeStipendAmount',
  method: 'PATCH',
  path: '/api/stipends/:id',
  access: 'stipends.manage',
  summary:
    "Sets the amount of any row (STIP-45); with a reason once it was handed over. Above the rule's needs a fresh proof.",
  params: IdParams,
  body: versionBody.extend({
    amountCents: z.number().int().min(0).max(100_000_000),
    reason: z.string().trim().max(500).optional(),
  }),
  response: StipendRow,
});

export const approveStipendAmount = endpoint({
  name: 'approveStipendAmount',
  method: 'POST',
  path: '/api/stipends/:id/amount-approval',
  access: 'stipends.manage',
  needsFreshProof: true,
  summary: 'Approves an amount that another admin changed after the stipend was approved, where two admins are needed.',
  params: IdParams,
  body: versionBody,
  response: StipendRow,
});

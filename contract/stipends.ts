import { z } from 'zod';
import { Cursor, Day, endpoint, Id, IdParams, Instant, pageOf } from './endpoint.ts';

export const paymentStatuses = ['pending', 'approved', 'paid', 'denied'] as const;
export const PaymentStatus = z.enum(paymentStatuses);

export const Criterion = z.object({ isMet: z.boolean(), reason: z.string() });
/** The three criteria of a week in words, as everybody sees them (STIP-31 to STIP-35). */
export const Criteria = z.object({ attendance: Criterion, assignments: Criterion, performance: Criterion });

export const StipendRow = z.object({
  id: Id,
  fellowId: Id,
  participantName: z.string(),
  participantEmail: z.string(),
  /** 'No coach assigned' without one (STIP-14). */
  coachName: z.string(),
  cohortName: z.string(),
  weekNumber: z.number().int(),
  criteria: Criteria,
  attendancePercentage: z.number(),
  performanceRating: z.number().nullable(),
  submissionCount: z.number().int(),
  requiredSubmissions: z.number().int(),
  overallEligible: z.boolean(),
  /** Why the week counts for this person in part only, or not at all: joined late, or left. */
  membershipNote: z.string().nullable(),
  /** Of the rules that the row was computed with. */
  rulesVersion: z.number().int(),
  amountCents: z.number().int(),
  paymentStatus: PaymentStatus,
  approvedByName: z.string().nullable(),
  approvedAt: Instant.nullable(),
  /** The last hand-over this row was in. */
  handover: z.enum(['queued', 'sent', 'failed', 'given_up']).nullable(),
  version: z.number().int(),
  can: z.object({ approve: z.boolean(), deny: z.boolean(), changeAmount: z.boolean() }),
});
export type StipendRow = z.infer<typeof StipendRow>;

export const WeekSummary = z.object({
  totalParticipants: z.number().int(),
  eligible: z.number().int(),
  pendingApproval: z.number().int(),
  approvedCents: z.number().int(),
});

const weekBody = z.object({ weekNumber: z.number().int().min(1).max(16) });

export const processStipends = endpoint({
  name: 'processStipends',
  method: 'POST',
  path: '/api/stipends/processing',
  access: 'stipends.manage',
  summary: "Computes the week's eligibility of the documented cohort (STIP-22 to STIP-26); safe to repeat.",
  body: weekBody,
  response: z.object({ cohortId: Id.nullable(), changedRows: z.number().int() }),
});

export const listStipends = endpoint({
  name: 'listStipends',
  method: 'GET',
  path: '/api/stipends',
  access: 'stipends.manage',
  summary: 'The stipends of a week, eligible first, with the summary of the whole week.',
  query: z.object({
    week: z.coerce.number().int().min(1).max(16),
    search: z.coerce.string().max(200).optional(),
    status: PaymentStatus.optional(),
    eligibility: z.enum(['eligible', 'not_eligible']).optional(),
    cursor: Cursor.optional(),
  }),
  response: pageOf(StipendRow).extend({ matching: z.number().int(), summary: WeekSummary }),
});

export const readStipendWeek = endpoint({
  name: 'readStipendWeek',
  method: 'GET',
  path: '/api/stipends/current-week',
  access: 'stipends.manage',
  summary: 'The week to open Stipend Management with: the current week of the documented cohort.',
  response: z.object({
    weekNumber: z.number().int(),
    cohortName: z.string().nullable(),
    firstDay: Day.nullable(),
    lastDay: Day.nullable(),
  }),
});

export const readStipend = endpoint({
  name: 'readStipend',
  method: 'GET',
  path: '/api/stipends/:id',
  access: 'stipends.manage',
  summary: 'What a stipend decision rests on: assignments, attendance, rating, history.',
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
        /** False for what was due before the person joined. */
        counts: z.boolean(),
      }),
    ),
    attendance: z.array(
      z.object({
        activityId: Id,
        title: z.string(),
        sessionDate: Day.nullable(),
        accessedAt: Instant.nullable(),
        /** False for what was held before the person joined. */
        counts: z.boolean(),
      }),
    ),
    ratingComment: z.string().nullable(),
    requirements: z
      .object({ activitiesNeeded: z.number().int(), assignmentsRemaining: z.number().int(), needsRating: z.boolean() })
      .nullable(),
    history: z.array(
      z.object({ at: Instant, action: z.string(), actorName: z.string().nullable(), detail: z.string() }),
    ),
  }),
});

const versionBody = z.object({ version: z.number().int() });

export const approveStipend = endpoint({
  name: 'approveStipend',
  method: 'POST',
  path: '/api/stipends/:id/approval',
  access: 'stipends.manage',
  ownTransactions: true,
  summary: 'Approves an eligible, pending stipend.',
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
  summary: 'Denies an eligible, pending stipend.',
  params: IdParams,
  body: versionBody,
  response: StipendRow,
});

export const approveWeek = endpoint({
  name: 'approveWeek',
  method: 'POST',
  path: '/api/stipends/week-approval',
  access: 'stipends.manage',
  summary: 'Approves every eligible, pending stipend of a week (STIP-41 to STIP-44).',
  body: weekBody,
  response: z.object({ approved: z.number().int() }),
});

export const changeStipendAmount = endpoint({
  name: 'changeStipendAmount',
  method: 'PATCH',
  path: '/api/stipends/:id',
  access: 'stipends.manage',
  summary: 'Sets the amount of any row (STIP-45).',
  params: IdParams,
  body: versionBody.extend({ amountCents: z.number().int().min(0).max(100_000_000) }),
  response: StipendRow,
});

export const handOverWeek = endpoint({
  name: 'handOverWeek',
  method: 'POST',
  path: '/api/stipends/handover',
  access: 'stipends.manage',
  needsFreshProof: true,
  ownTransactions: true,
  summary:
    "Sends the week's approved rows that the receiver has not accepted yet; the first try is made while the admin waits.",
  body: weekBody.extend({ again: z.boolean().default(false) }),
  response: z.object({
    handoverId: Id.nullable(),
    status: z.enum(['nothing_to_send', 'sent', 'failed']),
    recipients: z.number().int(),
    /** `Webhook failed: {status}` or why the receiver could not be reached. */
    error: z.string().nullable(),
  }),
});

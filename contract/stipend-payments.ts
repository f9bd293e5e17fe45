import { z } from 'zod';
import { Cursor, endpoint, Id, IdParams, Instant, pageOf } from './endpoint.ts';
import { StipendRow } from './stipends.ts';
import { programmeWeeks } from './weeks.ts';

/** An admin has asked that one approver be enough; another one has to agree. */
const AskedOff = z.object({
  byName: z.string(),
  at: Instant,
  isOwn: z.boolean(),
  can: z.object({ agree: z.boolean() }),
});

export const listStipendCohorts = endpoint({
  name: 'listStipendCohorts',
  method: 'GET',
  path: '/api/stipends/cohorts',
  access: 'stipends.manage',
  summary: 'The cohorts that Stipend Management can show, the documented one first.',
  response: z.object({
    cohorts: z.array(
      z.object({
        id: Id,
        name: z.string(),
        status: z.string(),
        needsSecondApprover: z.boolean(),
        askedOff: AskedOff.nullable(),
        isDocumented: z.boolean(),
      }),
    ),
  }),
});

export const listUnprocessedCohorts = endpoint({
  name: 'listUnprocessedCohorts',
  method: 'GET',
  path: '/api/stipends/unprocessed-cohorts',
  access: 'stipends.manage',
  summary: 'Of the cohorts in which a week has begun: how many have its stipends, and which ones have none yet.',
  query: z.object({ week: z.coerce.number().int().min(1).max(programmeWeeks) }),
  response: z.object({
    processed: z.number().int(),
    unprocessed: z.array(z.object({ id: Id, name: z.string() })),
  }),
});

export const processUnprocessedCohorts = endpoint({
  name: 'processUnprocessedCohorts',
  method: 'POST',
  path: '/api/stipends/week-processing',
  access: 'stipends.manage',
  takesLong: true,
  summary:
    "Computes a week's eligibility of every cohort in which it has begun and has no stipends yet; safe to repeat.",
  body: z.object({ weekNumber: z.number().int().min(1).max(programmeWeeks) }),
  response: z.object({ cohorts: z.number().int(), changedRows: z.number().int() }),
});

export const setSecondApprover = endpoint({
  name: 'setSecondApprover',
  method: 'PUT',
  path: '/api/stipends/cohorts/:id/second-approver',
  access: 'stipends.manage',
  needsFreshProof: true,
  summary:
    'Whether stipends of a cohort need the approval of two admins. Switching that off is only asked for; it is off when another admin sends the same with confirms.',
  params: IdParams,
  body: z.object({
    isNeeded: z.boolean(),
    /** The admin saw that another one asked, and agrees. */
    confirms: z.boolean().default(false),
  }),
  response: z.object({ isNeeded: z.boolean(), askedOff: AskedOff.nullable() }),
});

export const markStipendPaid = endpoint({
  name: 'markStipendPaid',
  method: 'POST',
  path: '/api/stipends/:id/payment',
  access: 'stipends.manage',
  needsFreshProof: true,
  summary: 'Notes that an approved stipend was paid, or the rest of one that an adjustment raised since.',
  params: IdParams,
  body: z.object({
    version: z.number().int(),
    /** Without it: what is left to pay. 0 only for a stipend of which nothing is owed. */
    amountCents: z.number().int().min(0).max(100_000_000).optional(),
    /** As the payment system names it, or of the cheque: a confirmation with the same one tells of the same payment. */
    reference: z.string().trim().min(1, 'Please name the payment.').max(200),
    note: z.string().trim().max(500).optional(),
  }),
  response: StipendRow,
});

export const takePaymentBack = endpoint({
  name: 'takePaymentBack',
  method: 'POST',
  path: '/api/stipends/:id/payment-reversal',
  access: 'stipends.manage',
  needsFreshProof: true,
  summary: 'Takes back the last payment that an admin noted, by a line of its own in the ledger.',
  params: IdParams,
  body: z.object({
    version: z.number().int(),
    reason: z.string().trim().min(1, 'Please say why.').max(500),
  }),
  response: StipendRow,
});

export const recallHandover = endpoint({
  name: 'recallHandover',
  method: 'POST',
  path: '/api/stipends/handovers/:id/recall',
  access: 'stipends.manage',
  needsFreshProof: true,
  summary: 'Takes back a batch that the receiver has not accepted: it is never tried again, its rows may go out anew.',
  params: IdParams,
  body: z.object({ reason: z.string().trim().min(1, 'Please say why.').max(500) }),
  response: z.object({ recalled: z.number().int() }),
});

/** In dollars, as the hand-over has them. */
const Dollars = z
  .number()
  .min(0)
  .max(1_000_000)
  .refine((amount) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6, 'At most two decimals.');

export const confirmPayments = endpoint({
  name: 'confirmPayments',
  method: 'POST',
  path: '/api/stipends/payment-confirmations',
  access: 'signed',
  takesLong: true,
  keepsRawBody: true,
  summary:
    'For the payment system: a batch, or some of it, was paid. Signed like the hand-over (Standard Webhooks); the same webhook-id again changes nothing.',
  body: z.object({
    /** The webhook-id of the hand-over. */
    handover_id: Id,
    /** The payment system's own name of this payment. */
    reference: z.string().trim().min(1).max(200),
    paid_at: Instant.optional(),
    /** Without it the whole batch was paid as it was sent. */
    payments: z
      .array(
        z.object({
          participant_email: z.string().max(320),
          /** Where one person is in the batch for two cohorts. */
          cohort_assigned: z.string().max(300).optional(),
          /** 0 only where the batch hands over 0. */
          amount: Dollars,
        }),
      )
      .min(1)
      .max(20_000)
      .optional(),
  }),
  bodyLimit: 8 * 1024 * 1024,
  response: z.object({
    paid: z.number().int(),
    /** The same payment was told before, or noted by an admin. */
    known: z.number().int(),
    /** The same reference as before, but of another batch or amount: a person has to look at it. */
    conflict: z.number().int(),
    /** Paid before by another payment: a person has to look at it. */
    paid_twice: z.number().int(),
  }),
});

export const reconciliationKinds = [
  'approved_not_sent',
  'sent_not_paid',
  'paid_not_owed',
  'paid_twice',
  'adjusted',
] as const;
export const ReconciliationKind = z.enum(reconciliationKinds);
export type ReconciliationKind = z.infer<typeof ReconciliationKind>;

export const ReconciliationRow = z.object({
  stipendId: Id,
  participantName: z.string(),
  participantEmail: z.string(),
  cohortName: z.string(),
  weekNumber: z.number().int(),
  owedCents: z.number().int(),
  handedCents: z.number().int(),
  paidCents: z.number().int(),
  /** Of the approval. */
  since: Instant,
  /** The last batch: whether it waits, is being sent at this moment, failed or was given up. */
  handover: z
    .object({ id: Id, status: z.string(), isBeingSent: z.boolean(), lastError: z.string().nullable() })
    .nullable(),
  version: z.number().int(),
  can: z.object({ markPaid: z.boolean(), recall: z.boolean() }),
});
export type ReconciliationRow = z.infer<typeof ReconciliationRow>;

export const listReconciliation = endpoint({
  name: 'listReconciliation',
  method: 'GET',
  path: '/api/stipends/reconciliation',
  access: 'stipends.manage',
  summary:
    'What was approved and not sent, sent and not paid, paid otherwise than owed, paid twice, or adjusted after it was handed over.',
  query: z.object({ kind: ReconciliationKind, cohort: Id.optional(), cursor: Cursor.optional() }),
  response: pageOf(ReconciliationRow).extend({
    counts: z.record(ReconciliationKind, z.object({ rows: z.number().int(), cents: z.number().int() })),
  }),
});

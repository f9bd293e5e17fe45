import { z } from 'zod';
import { Cursor, endpoint, Id, IdParams, Instant, pageOf } from './endpoint.ts';
import { Payee, SeenRows, StipendRow, versionBody, weekBody } from './stipends.ts';
import { mostWeeks } from './weeks.ts';

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
    /** Without it, the amount is what is left to pay. It is 0 only for a stipend of which nothing is owed. */
    amountCents: z.number().int().min(0).max(100_000_000).optional(),
    /**
     * The payment system's own name of the payment, or the cheque's number. A confirmation with the same one is about
     * the same payment.
     */
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

export const renewStipendPayee = endpoint({
  name: 'renewStipendPayee',
  method: 'POST',
  path: '/api/stipends/:id/payee',
  access: 'stipends.manage',
  needsFreshProof: true,
  summary:
    'Takes over the name and address that a person has by now as whom an approved stipend pays; refused once it was handed over or paid.',
  params: IdParams,
  body: versionBody,
  response: StipendRow,
});

export const previewHandover = endpoint({
  name: 'previewHandover',
  method: 'GET',
  path: '/api/stipends/handover',
  access: 'stipends.manage',
  summary: 'What sending a week would send now, to be sent back with it, and what it leaves out.',
  shows: ['stipends', 'payments', 'people'],
  query: z.object({ week: z.coerce.number().int().min(1).max(mostWeeks), cohort: Id.optional() }),
  response: z.object({
    toSend: SeenRows,
    cohorts: z.array(z.object({ name: z.string(), count: z.number().int(), totalCents: z.number().int() })),
    /** The earlier batches in `toSend` that are still open, and are tried again. */
    openBatches: z.number().int(),
    /**
     * The people in `toSend` who were approved under another name or address than they have now. `first` has the first
     * few.
     */
    outdatedPayees: z.object({
      count: z.number().int(),
      first: z.array(z.object({ stipendId: Id, approved: Payee, now: Payee })),
    }),
    heldBack: z.number().int(),
    ofDeleted: z.number().int(),
    own: z.number().int(),
  }),
});

export const handOverWeek = endpoint({
  name: 'handOverWeek',
  method: 'POST',
  path: '/api/stipends/handover',
  access: 'stipends.manage',
  takesLong: true,
  needsFreshProof: true,
  ownTransactions: true,
  summary:
    "Sends the week's approved rows that the receiver has not accepted yet, and what was added to paid ones; the first try is made while the admin waits. With seen: refused as stale when that is not what would be sent. With again: what the receiver accepted and did not pay.",
  body: weekBody
    .extend({ again: z.boolean().default(false), seen: SeenRows.optional() })
    .refine(({ again, seen }) => !again || seen !== undefined, {
      path: ['seen'],
      message: 'Look at the sums before you send again.',
    }),
  response: z.object({
    handoverId: Id.nullable(),
    /**
     * queued: there was no time left for a first try, which follows within a minute. busy: it is being sent elsewhere.
     * recalled: it was taken back, and there was nothing else.
     */
    status: z.enum(['nothing_to_send', 'sent', 'failed', 'queued', 'busy', 'recalled']),
    recipients: z.number().int(),
    /** Counts those that are left out because their amount changed and waits for another admin. */
    heldBack: z.number().int(),
    /** Counts those that are left out because the participant was deleted. They stay in 'Approved, not sent'. */
    ofDeleted: z.number().int(),
    /** Counts those that are left out because they belong to the admin who sends. Another admin sends them. */
    own: z.number().int(),
    /** `Webhook failed: {status}`, or why the receiver could not be reached. */
    error: z.string().nullable(),
  }),
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

/** It is in dollars, as in the hand-over. */
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
    /** Without it, the whole batch was paid as it was sent. */
    payments: z
      .array(
        z.object({
          participant_email: z.string().max(320),
          /** It is needed if one person is in the batch for two cohorts. */
          cohort_assigned: z.string().max(300).optional(),
          /** It is 0 only if the batch hands over 0. */
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
    /** Counts payments that were told before, or that an admin noted. */
    known: z.number().int(),
    /**
     * Counts payments with the same reference as before, but of another batch or amount. A person has to look at them.
     */
    conflict: z.number().int(),
    /** Counts what another payment has already paid. A person has to look at it. */
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
  /** The instant of the approval. */
  since: Instant,
  /** The last batch. It waits, is being sent at this moment, failed or was given up. */
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
  mayReadReplica: true,
  summary:
    'What was approved and not sent, sent and not paid, paid otherwise than owed, paid twice, or adjusted after it was handed over.',
  shows: ['stipends', 'payments', 'people'],
  query: z.object({ kind: ReconciliationKind, cohort: Id.optional(), cursor: Cursor.optional() }),
  response: pageOf(ReconciliationRow).extend({
    counts: z.record(ReconciliationKind, z.object({ rows: z.number().int(), cents: z.number().int() })),
  }),
});

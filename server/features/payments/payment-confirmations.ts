import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sql } from 'kysely';
import { WebhookVerificationError } from 'standardwebhooks';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import type { confirmPayments as confirmPaymentsEndpoint } from '#contract/payments.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { lockStipends } from '#server/features/stipends/stipend-lock-access.ts';
import { nextPartOf } from '#server/features/stipends/stipend-standing-queries.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { changed } from '#server/platform/telling.ts';
import { isInHandover } from './handover-access.ts';
import { acceptedElsewhere, recallBatchesThatWouldPay } from './handover-recalls.ts';
import { type PaidStipend, recordPayment } from './payment-notices.ts';
import { requireSomething, writePayments } from './payments.ts';
import { verifyMessage } from './webhook-signer.ts';

type Message = ParsedInputOf<typeof confirmPaymentsEndpoint>['body'];
type Reply = ReplyOf<typeof confirmPaymentsEndpoint>;

/** Refuses a message that is not from the payment system, or is older than five minutes. */
export function requireSignature(
  secrets: Config['stipendWebhook'],
  rawBody: string,
  headers: IncomingHttpHeaders,
): void {
  if (secrets.secret === null) {
    throw new AppError('not_configured', 'No payment system is set up: STIPEND_WEBHOOK_SECRET is not set.');
  }
  try {
    verifyMessage(secrets, rawBody, headers);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    throw new AppError('not_authenticated', `The signature of this message was refused: ${error.message}.`);
  }
}

/**
 * Records what the payment system says it paid. The same message again changes nothing. A part that was paid before
 * stays as it is. If this is another payment of it, that is noted for a person to look at.
 */
export async function confirmPayments(db: Db, messageId: string, rawBody: string, message: Message): Promise<Reply> {
  const paidAt = paidAtOf(message);
  const bodyHash = createHash('sha256').update(rawBody).digest('hex');
  const isNew = await recordMessage(db, messageId, bodyHash, message);
  if (!isNew) return repeatedReply(db, messageId, bodyHash);
  await lockStipends(db, isInHandover(message.handover_id));
  const batch = await findBatch(db, message);
  const claims = claimsOf(message, batch);
  requireNotBefore(paidAt, claims);
  const outcomes = claims.map((claim) => ({ ...claim, outcome: outcomeOf(claim, message) }));
  const paid = outcomes
    .filter(({ outcome }) => outcome === 'paid')
    .map((claim) => ({ ...claim, part: claim.nextPart }));
  // The payment system has the batch, because it paid it. So it is not sent again, even if its answer never arrived.
  await sql`
    with settled as (
      update stipend_handovers set status = 'sent', sent_at = now(), claimed_until = null
      where id = ${message.handover_id} and status not in ('sent', 'recalled')
    )
    insert into stipend_confirmation_rows (confirmation_id, stipend_id, amount_cents, outcome)
    select ${messageId}, * from unnest(${outcomes.map(({ id }) => id)}::uuid[],
      ${outcomes.map(({ paidCents }) => paidCents)}::integer[], ${outcomes.map(({ outcome }) => outcome)}::text[])`.execute(
    db,
  );
  // If a recalled batch was accepted after all, the batches sent in its place are taken back with all of their rows.
  const recalled = batch.filter(({ isRecalled }) => isRecalled);
  await recallBatchesThatWouldPay(db, [...paid, ...recalled], recalled.length > 0 ? acceptedElsewhere : undefined);
  await writePayments(db, paid, {
    at: paidAt,
    source: 'confirmation',
    reference: message.reference,
    handoverId: message.handover_id,
  });
  // Stryker disable next-line StringLiteral: The recall above says so too, whether or not it finds a batch.
  await changed(db, 'payments', []);
  await recordPayment(db, null, paid);
  return countOutcomes(outcomes);
}

const dayInMs = 24 * 60 * 60 * 1000;

/** Clocks may differ by a day. An announced payment is none. */
function paidAtOf({ paid_at: told }: Message): Date {
  const at = told ? new Date(told) : now();
  if (at.getTime() <= now().getTime() + dayInMs) return at;
  throw wrongTime('A payment is told of once it is made: paid_at lies in the future.');
}

/** Nobody is paid for a week that has not begun, unless it was handed over ahead of the week. */
function requireNotBefore(paidAt: Date, claims: Claim[]): void {
  if (claims.every(({ payableFrom }) => paidAt.getTime() >= payableFrom.getTime() - dayInMs)) return;
  throw wrongTime('paid_at lies before the week that is paid.');
}

function wrongTime(message: string): AppError {
  return new AppError('invalid_input', message, { errors: [{ path: 'paid_at', message }] });
}

/** Returns false if the message was here before, or the batch never was. Two at once wait for each other. */
async function recordMessage(db: Db, id: string, bodyHash: string, message: Message): Promise<boolean> {
  const recorded = await sql`
    insert into stipend_confirmations (id, body_hash, handover_id, reference)
    select ${id}, ${bodyHash}, batch.id, ${message.reference}
    from stipend_handovers batch where batch.id = ${message.handover_id}
    on conflict (id) do nothing
    returning id`.execute(db);
  return recorded.rows.length === 1;
}

async function repeatedReply(db: Db, id: string, bodyHash: string): Promise<Reply> {
  const rows = await db
    .selectFrom('stipendConfirmations')
    .leftJoin('stipendConfirmationRows', 'stipendConfirmationRows.confirmationId', 'stipendConfirmations.id')
    .select(['bodyHash', 'outcome'])
    .where('stipendConfirmations.id', '=', id)
    .execute();
  const [first] = rows;
  if (!first) throw notFound('There is no hand-over with this id.');
  if (first.bodyHash === bodyHash) return countOutcomes(rows);
  throw new AppError('conflict', 'This webhook-id was used for another message already.');
}

interface BatchRow extends Omit<PaidStipend, 'paidCents'> {
  participantEmail: string;
  cohortAssigned: string;
  /** The part of the stipend that the batch hands over. */
  part: number;
  handedCents: number;
  isRecalled: boolean;
  /** The start of the week or, if that is earlier, the moment when the batch was made. */
  payableFrom: Date;
  /** The part that is paid next. */
  nextPart: number;
  /** True if another payment than this batch's is on record for this part, or for later ones. */
  isPaidElsewhere: boolean;
  /** The amount that this batch paid of it. Null if it paid nothing yet. */
  paidHereCents: number | null;
  /** The amount of the payment on record that has the message's reference. */
  knownCents: number | null;
  knownHandoverId: string | null;
}

async function findBatch(db: Db, { handover_id: handoverId, reference }: Message): Promise<BatchRow[]> {
  const found = await sql<BatchRow>`
    select stipend.id, stipend.fellow_id, stipend.week_number, stipend.stipend_amount_cents, stipend.payment_status,
      stipend.version, coalesce(handed.participant_email, fellow.email::text) as participant_email,
      coalesce(handed.cohort_assigned, cohort.name) as cohort_assigned, handed.part, handed.amount_cents as handed_cents,
      batch.status = 'recalled' as is_recalled,
      least(period_first_day(cohort.start_date, cohort.pay_period, stipend.week_number)::timestamp at time zone cohort.zone,
        batch.created_at)
        as payable_from, ${nextPartOf(sql.ref('stipend.id'))} as next_part,
      exists (select from standing_payment_parts other where other.stipend_id = stipend.id
        and other.part >= handed.part and other.handover_id is distinct from batch.id) as is_paid_elsewhere,
      (select sum(own.amount_cents)::integer from standing_payment_parts own
        where own.stipend_id = stipend.id and own.handover_id = batch.id) as paid_here_cents,
      known.amount_cents as known_cents, known.handover_id as known_handover_id
    from stipend_handover_rows handed
    join stipend_handovers batch on batch.id = handed.handover_id
    join stipend_eligibility stipend on stipend.id = handed.stipend_id
    join profiles fellow on fellow.id = stipend.fellow_id
    join cohort_calendars cohort on cohort.id = stipend.cohort_id
    left join lateral (
      select payment.amount_cents, payment.handover_id from standing_payment_parts payment
      where payment.stipend_id = stipend.id and payment.reference = ${reference}
        and (payment.part >= handed.part or payment.handover_id = batch.id)
      order by (payment.handover_id = batch.id) desc nulls last, payment.part limit 1
    ) known on true
    where handed.handover_id = ${handoverId}
    order by stipend.id`.execute(db);
  return found.rows;
}

type Claim = BatchRow & { paidCents: number };

/** Finds the batch's rows that the message names, each at most once. If one cannot be found, refuses all of it. */
function claimsOf({ payments }: Message, batch: BatchRow[]): Claim[] {
  if (!payments) return batch.map((row) => ({ ...row, paidCents: row.handedCents }));
  const byEmail = Map.groupBy(batch, ({ participantEmail }) => participantEmail.toLowerCase());
  const taken = new Set<string>();
  return payments.map(({ participant_email: email, cohort_assigned: cohort, amount }, index) => {
    const matching = (byEmail.get(email.trim().toLowerCase()) ?? []).filter(
      ({ id, cohortAssigned }) => !taken.has(id) && (cohort === undefined || cohort === cohortAssigned),
    );
    const [row] = matching;
    if (!row || matching.length > 1) {
      const message = row
        ? 'This person is in the batch more than once: cohort_assigned has to say which is meant.'
        : 'This person is not in the batch, or was named before.';
      throw new AppError('invalid_input', message, { errors: [{ path: `payments.${index}`, message }] });
    }
    taken.add(row.id);
    const paidCents = Math.round(amount * 100);
    requireSomething(paidCents, row.handedCents, `payments.${index}.amount`);
    return { ...row, paidCents };
  });
}

/**
 * A claim is known if a recorded payment has its reference, amount and batch. An admin's note names no batch, and
 * neither does what was told before batches were named. The same reference with anything else is a contradiction.
 * Another reference is a further payment if the batch has not paid all of the row yet, and otherwise a second payment.
 */
function outcomeOf(claim: Claim, message: Message): 'paid' | 'known' | 'conflict' | 'paid_twice' {
  const { knownCents, knownHandoverId, paidCents, paidHereCents, handedCents } = claim;
  if (knownCents !== null) {
    const isSameBatch = knownHandoverId === null || knownHandoverId === message.handover_id;
    return isSameBatch && knownCents === paidCents ? 'known' : 'conflict';
  }
  if (claim.isPaidElsewhere) return 'paid_twice';
  if (paidHereCents === null) return 'paid';
  return paidCents > 0 && paidHereCents + paidCents <= handedCents ? 'paid' : 'paid_twice';
}

function countOutcomes(rows: { outcome: string | null }[]): Reply {
  const count = (outcome: string) => rows.filter((row) => row.outcome === outcome).length;
  return { paid: count('paid'), known: count('known'), conflict: count('conflict'), paid_twice: count('paid_twice') };
}

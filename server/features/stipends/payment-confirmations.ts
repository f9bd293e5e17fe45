import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sql } from 'kysely';
import { WebhookVerificationError } from 'standardwebhooks';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import type { confirmPayments as confirmPaymentsEndpoint } from '#contract/stipend-payments.ts';
import type { Db } from '#server/db/database.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { type DecidedStipend, recordOutcome } from './stipend-notices.ts';
import { signerOf } from './webhook-signer.ts';

type Message = ParsedInputOf<typeof confirmPaymentsEndpoint>['body'];
type Reply = ReplyOf<typeof confirmPaymentsEndpoint>;

interface Signed {
  rawBody: string;
  headers: IncomingHttpHeaders;
}

/** The id of a message that really comes from the payment system, at most five minutes old. */
export function verifiedMessageId(secret: string | null, { rawBody, headers }: Signed): string {
  if (!secret) {
    throw new AppError('not_configured', 'No payment system is set up: STIPEND_WEBHOOK_SECRET is not set.');
  }
  try {
    signerOf(secret).verify(rawBody, headers as Record<string, string>);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    throw new AppError('not_authenticated', `The signature of this message was refused: ${error.message}.`);
  }
  return String(headers['webhook-id']);
}

/**
 * What the payment system says it paid. The same message again changes nothing; a stipend that was paid before by
 * another payment stays as it is, and is noted as paid twice.
 */
export async function confirmPayments(db: Db, messageId: string, rawBody: string, message: Message): Promise<Reply> {
  const bodyHash = createHash('sha256').update(rawBody).digest('hex');
  const isNew = await recordMessage(db, messageId, bodyHash, message);
  if (!isNew) return repeatedReply(db, messageId, bodyHash);
  const claims = claimsOf(message, await lockBatch(db, message.handover_id));
  const outcomes = claims.map((claim) => ({ ...claim, outcome: outcomeOf(claim, message.reference) }));
  const paid = outcomes.filter(({ outcome }) => outcome === 'paid');
  // Whoever paid a batch has it: it is not sent once more, even if its answer never arrived.
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
  await pay(db, paid, message);
  await recordOutcome(db, null, paid, 'paid');
  return countOutcomes(outcomes);
}

/** False where it was not: the message was here before, or the batch never was. Two at once wait for each other. */
async function recordMessage(db: Db, id: string, bodyHash: string, message: Message): Promise<boolean> {
  const recorded = await sql`
    with batch as (select id from stipend_handovers where id = ${message.handover_id} for no key update)
    insert into stipend_confirmations (id, body_hash, handover_id, reference)
    select ${id}, ${bodyHash}, batch.id, ${message.reference} from batch
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
  if (rows.length === 0) throw notFound('There is no hand-over with this id.');
  if (rows[0]?.bodyHash === bodyHash) return countOutcomes(rows);
  throw new AppError('conflict', 'This webhook-id was used for another message already.');
}

interface BatchRow extends DecidedStipend {
  participantEmail: string;
  cohortAssigned: string;
  handedCents: number;
  /** Of the payment that is on record. */
  isPaid: boolean;
  knownReference: string | null;
  /** Of earlier messages. */
  confirmedReferences: string[];
}

async function lockBatch(db: Db, handoverId: string): Promise<BatchRow[]> {
  await sql`
    select from stipend_eligibility where id in (select stipend_id from stipend_handover_rows where handover_id = ${handoverId})
    order by cohort_id, fellow_id for no key update`.execute(db);
  const found = await sql<BatchRow>`
    select stipend.id, stipend.fellow_id, stipend.week_number, stipend.stipend_amount_cents, stipend.payment_status,
      coalesce(handed.participant_email, fellow.email::text) as participant_email,
      coalesce(handed.cohort_assigned, cohort.name) as cohort_assigned, handed.amount_cents as handed_cents,
      payment.stipend_id is not null as is_paid, payment.reference as known_reference,
      array(select confirmation.reference from stipend_confirmation_rows told
        join stipend_confirmations confirmation on confirmation.id = told.confirmation_id
        where told.stipend_id = stipend.id) as confirmed_references
    from stipend_handover_rows handed
    join stipend_eligibility stipend on stipend.id = handed.stipend_id
    join profiles fellow on fellow.id = stipend.fellow_id
    join cohorts cohort on cohort.id = stipend.cohort_id
    left join stipend_payments payment on payment.stipend_id = stipend.id
    where handed.handover_id = ${handoverId}
    order by stipend.id`.execute(db);
  return found.rows;
}

type Claim = BatchRow & { paidCents: number };

/** The rows of the batch that the message speaks of, each at most once; all of it is refused if one can't be found. */
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
    return { ...row, paidCents: Math.round(amount * 100) };
  });
}

/** A payment that an admin noted without a reference is taken for the one that the system tells of. */
function outcomeOf({ isPaid, knownReference, confirmedReferences }: BatchRow, reference: string) {
  if (!isPaid) return 'paid';
  const known = [...(knownReference === null ? [] : [knownReference]), ...confirmedReferences];
  return known.every((other) => other === reference) ? 'known' : 'paid_twice';
}

async function pay(db: Db, paid: Claim[], message: Message): Promise<void> {
  if (paid.length === 0) return;
  const at = message.paid_at ? new Date(message.paid_at) : now();
  const ids = paid.map(({ id }) => id);
  await sql`
    with payments as (
      insert into stipend_payments (stipend_id, amount_cents, paid_at, source, reference)
      select id, amount, ${at}::timestamptz, 'confirmation', ${message.reference}
      from unnest(${ids}::uuid[], ${paid.map(({ paidCents }) => paidCents)}::integer[]) as given (id, amount)
    )
    update stipend_eligibility set payment_status = 'paid', updated_at = ${now()}, version = version + 1
    where id = any(${ids}::uuid[])`.execute(db);
}

function countOutcomes(rows: { outcome: string | null }[]): Reply {
  const count = (outcome: string) => rows.filter((row) => row.outcome === outcome).length;
  return { paid: count('paid'), known: count('known'), paid_twice: count('paid_twice') };
}

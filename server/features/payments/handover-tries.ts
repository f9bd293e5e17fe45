import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { lockStipends } from '#server/features/stipends/stipend-lock-access.ts';
import { machineTime } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { handoversTried } from '#server/platform/metrics.ts';
import { mayHaveArrived, postJson } from '#server/platform/outgoing-request.ts';
import type { App } from '#server/platform/serve.ts';
import { changed } from '#server/platform/telling.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { isInHandover } from './handover-access.ts';
import { noLongerOwed, paidElsewhere, recallIfPaid, stopIfTooMuch } from './handover-recalls.ts';
import { signaturesOf } from './webhook-signer.ts';

export const answerLimitInMs = 10_000;
/** Longer than a try can take. After this time, a crashed try may be repeated. */
const claimSeconds = 30;

/**
 * The outcome of a try. A batch that was recalled, even by now, is never tried again. One that was given up is left to
 * a person.
 */
export type Try = { status: 'sent' } | { status: 'failed' | 'busy' | 'recalled' | 'given_up'; error: string };

const leftToAPerson =
  'This batch hands over more than is owed by now, and an earlier try of it got no answer, so it is not sent again. Ask the payment system whether it has the batch; if not, recall it in Reconciliation.';

/** Sends a batch unless it was sent or recalled, holds what is paid or no longer owed, or is being tried elsewhere. */
export async function tryHandover(app: App, handoverId: string, timeoutInMs: number = answerLimitInMs): Promise<Try> {
  const claimed = await inTransaction(app.db, (db) => claim(db, handoverId));
  if ('status' in claimed) return claimed;
  const outcome = await send(app, { handoverId, body: claimed.body, timeoutInMs });
  handoversTried.inc({ outcome: outcome.error === null ? 'sent' : 'failed' });
  return inTransaction(app.db, (db) => recordOutcome(db, handoverId, claimed.tryId, outcome));
}

/** After the last retry, nobody tries again until an admin presses the button once more. */
export async function giveUpHandover(db: Db, handoverId: string): Promise<void> {
  await changed(db, 'payments', []);
  await db
    .updateTable('stipendHandovers')
    .set({ status: 'given_up' })
    .where('id', '=', handoverId)
    .where('status', '=', 'failed')
    .execute();
}

/** Writes the try down before it is made. */
async function claim(db: Db, handoverId: string): Promise<Try | { tryId: string; body: string }> {
  // This waits for a transaction that pays one of the rows at this moment.
  await lockStipends(db, isInHandover(handoverId));
  const handover = await db
    .selectFrom('stipendHandovers')
    .select(['body', 'status', 'recallReason', sql<boolean>`coalesce(claimed_until > now(), false)`.as('isBusy')])
    .where('id', '=', handoverId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!handover) throw new AppError('not_found', 'This batch was not found.');
  if (handover.status === 'sent') return { status: 'sent' };
  if (handover.status === 'recalled') return recalled(handover.recallReason);
  if (handover.isBusy) {
    return { status: 'busy', error: 'This batch is being sent at this moment. Please look again in a minute.' };
  }
  if (await recallIfPaid(db, handoverId)) return recalled(paidElsewhere);
  const stopped = await stopIfTooMuch(db, handoverId);
  if (stopped === 'recalled') return recalled(noLongerOwed);
  if (stopped === 'given_up') return { status: 'given_up', error: leftToAPerson };
  const tryId = newId();
  await changed(db, 'payments', []);
  await db
    .updateTable('stipendHandovers')
    .set({ claimedUntil: sql<Date>`now() + make_interval(secs => ${claimSeconds})` })
    .where('id', '=', handoverId)
    .execute();
  await db.insertInto('stipendHandoverTries').values({ id: tryId, handoverId }).execute();
  return { tryId, body: handover.body };
}

function recalled(reason: string | null): Try {
  const isOwnWords = reason === paidElsewhere || reason === noLongerOwed;
  return { status: 'recalled', error: isOwnWords ? reason : `This batch was recalled: ${reason}` };
}

interface Outcome {
  responseStatus: number | null;
  error: string | null;
  /** True if there was no answer. The receiver may have the batch all the same. */
  mayHaveArrived: boolean;
}

interface Sending {
  handoverId: string;
  body: string;
  timeoutInMs: number;
}

async function send(app: App, { handoverId, body, timeoutInMs }: Sending): Promise<Outcome> {
  const { url, secret, formerSecret, allowPrivate } = app.config.stipendWebhook;
  // Stryker disable next-line ConditionalExpression,LogicalOperator: The settings have both an address and a secret, or neither.
  if (!url || secret === null) {
    return {
      responseStatus: null,
      mayHaveArrived: false,
      error: 'No receiver is set up: STIPEND_WEBHOOK_URL and STIPEND_WEBHOOK_SECRET are not set.',
    };
  }
  const at = machineTime();
  const headers = {
    'webhook-id': handoverId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signaturesOf({ secret, formerSecret }, handoverId, at, body),
  };
  try {
    const status = await postJson({
      url: `${url}/webhook/stipend`,
      headers,
      body,
      timeoutInMs,
      allowPrivate,
    });
    // Stryker disable next-line ConditionalExpression,EqualityOperator: Below 200 there is no answer yet, and Node tells of none.
    const isAnswer = status >= 200;
    const isAccepted = isAnswer && status < 300;
    return { responseStatus: status, mayHaveArrived: true, error: isAccepted ? null : `Webhook failed: ${status}` };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { responseStatus: null, mayHaveArrived: mayHaveArrived(error), error: words };
  }
}

async function recordOutcome(db: Db, handoverId: string, tryId: string, outcome: Outcome): Promise<Try> {
  const { error } = outcome;
  await changed(db, 'payments', []);
  await db
    .updateTable('stipendHandoverTries')
    .set({ finishedAt: sql<Date>`now()`, ...outcome })
    .where('id', '=', tryId)
    .execute();
  // A late answer of an older try does not undo what a younger one or a confirmation has settled.
  const settled = await db
    .updateTable('stipendHandovers')
    .set(
      error
        ? { status: 'failed', claimedUntil: null }
        : { status: 'sent', claimedUntil: null, sentAt: sql<Date>`now()` },
    )
    .where('id', '=', handoverId)
    .where('status', 'not in', ['sent', 'recalled'])
    .$if(error !== null, (failed) =>
      failed.where(
        sql<boolean>`not exists (select from stipend_handover_tries younger
          where younger.handover_id = ${handoverId} and younger.tried_at > (
            select tried_at from stipend_handover_tries where id = ${tryId}))`,
      ),
    )
    .executeTakeFirst();
  if (error === null) {
    if (settled.numUpdatedRows > 0n) await tellParticipants(db, handoverId);
    return { status: 'sent' };
  }
  // The batch was paid while it was being sent.
  if (settled.numUpdatedRows > 0n && (await recallIfPaid(db, handoverId))) return recalled(paidElsewhere);
  return { status: 'failed', error };
}

async function tellParticipants(db: Db, handoverId: string): Promise<void> {
  const people = await db
    .selectFrom('stipendHandoverRows')
    .innerJoin('stipendEligibility', 'stipendEligibility.id', 'stipendHandoverRows.stipendId')
    .select('stipendEligibility.fellowId')
    .distinct()
    .where('stipendHandoverRows.handoverId', '=', handoverId)
    .execute();
  const userIds = people.map(({ fellowId }) => fellowId);
  await changed(db, 'payments', userIds);
}

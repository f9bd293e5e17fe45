import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { AppError } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { postJson } from '#server/platform/outgoing-request.ts';
import type { App } from '#server/platform/serve.ts';
import { signerOf } from './webhook-signer.ts';

export const answerLimitInMs = 10_000;
const paidElsewhere =
  'A stipend of this batch was paid meanwhile. Recall the batch: what is not paid yet goes out in a new one.';
/** Longer than a try can take: after it a crashed try may be repeated. */
const claimSeconds = 30;

/** Sends a batch unless it was sent, recalled, or is being tried elsewhere. Returns why it failed, or null. */
export async function tryHandover(
  app: App,
  handoverId: string,
  timeoutInMs: number = answerLimitInMs,
): Promise<string | null> {
  const claimed = await claim(app.db, handoverId);
  if (claimed === 'settled') return null;
  if (claimed === 'paid') return paidElsewhere;
  if (claimed === 'busy') return 'This batch is being sent at this moment. Please look again in a minute.';
  const outcome = await send(app, { handoverId, body: claimed.body, timeoutInMs });
  await app.db.transaction().execute((db) => recordOutcome(db, handoverId, claimed.tryId, outcome));
  return outcome.error;
}

/** After the last retry nobody tries again, until an admin presses the button once more. */
export async function giveUpHandover(db: Db, handoverId: string): Promise<void> {
  await db
    .updateTable('stipendHandovers')
    .set({ status: 'given_up' })
    .where('id', '=', handoverId)
    .where('status', '=', 'failed')
    .execute();
}

/** Writes the try down before it is made. */
async function claim(
  db: Db,
  handoverId: string,
): Promise<'settled' | 'paid' | 'busy' | { tryId: string; body: string }> {
  return db.transaction().execute(async (transaction) => {
    const handover = await transaction
      .selectFrom('stipendHandovers')
      .select(['body', 'status', sql<boolean>`coalesce(claimed_until > now(), false)`.as('isBusy')])
      .where('id', '=', handoverId)
      .forUpdate()
      .executeTakeFirst();
    if (!handover) throw new AppError('not_found', 'This batch was not found.');
    if (handover.status === 'sent' || handover.status === 'recalled') return 'settled';
    if (handover.isBusy) return 'busy';
    if (await holdsPaid(transaction, handoverId)) return 'paid';
    const tryId = newId();
    await transaction
      .updateTable('stipendHandovers')
      .set({ claimedUntil: sql<Date>`now() + make_interval(secs => ${claimSeconds})` })
      .where('id', '=', handoverId)
      .execute();
    await transaction.insertInto('stipendHandoverTries').values({ id: tryId, handoverId }).execute();
    return { tryId, body: handover.body };
  });
}

/** Its rows may have been paid through another batch, or by hand. */
async function holdsPaid(db: Db, handoverId: string): Promise<boolean> {
  const paid = await db
    .selectFrom('stipendHandoverRows as handed')
    .innerJoin('stipendPayments as payment', 'payment.stipendId', 'handed.stipendId')
    .select('payment.stipendId')
    .where('handed.handoverId', '=', handoverId)
    .limit(1)
    .executeTakeFirst();
  return paid !== undefined;
}

interface Outcome {
  responseStatus: number | null;
  error: string | null;
}

interface Sending {
  handoverId: string;
  body: string;
  timeoutInMs: number;
}

async function send(app: App, { handoverId, body, timeoutInMs }: Sending): Promise<Outcome> {
  const { url, secret, allowPrivate } = app.config.stipendWebhook;
  if (!url || !secret) {
    return {
      responseStatus: null,
      error: 'No receiver is set up: STIPEND_WEBHOOK_URL and STIPEND_WEBHOOK_SECRET are not set.',
    };
  }
  const at = new Date();
  const headers = {
    'webhook-id': handoverId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signerOf(secret).sign(handoverId, at, body),
  };
  try {
    const status = await postJson({
      url: `${url}/webhook/stipend`,
      headers,
      body,
      timeoutInMs,
      allowPrivate,
    });
    const isAccepted = status >= 200 && status < 300;
    return { responseStatus: status, error: isAccepted ? null : `Webhook failed: ${status}` };
  } catch (error) {
    return { responseStatus: null, error: error instanceof Error ? error.message : String(error) };
  }
}

async function recordOutcome(
  db: Db,
  handoverId: string,
  tryId: string,
  { responseStatus, error }: Outcome,
): Promise<void> {
  await db
    .updateTable('stipendHandoverTries')
    .set({ finishedAt: sql<Date>`now()`, responseStatus, error })
    .where('id', '=', tryId)
    .execute();
  // A late answer of an older try takes nothing back of what a younger one or a confirmation has settled.
  await db
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
    .execute();
}

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DeliveryChannel, retryDeliveries as retryEndpoint } from '#contract/deliveries.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { sendMailQueue } from '#server/platform/mailer.ts';
import { sendPushQueue } from '#server/platform/push-queue.ts';
import { sendSmsQueue } from '#server/platform/sms-queue.ts';
import { changed } from '#server/platform/telling.ts';
import { canBeRetried, isSurelyLost } from './delivery-access.ts';
import { givenUp, matches } from './delivery-queries.ts';

const queues = { mail: sendMailQueue, push: sendPushQueue, sms: sendSmsQueue };

/** Throws 'conflict' if it waits, has arrived or is of no use any more. */
export async function retryDelivery(db: Db, actor: Actor, deliveryId: string): Promise<void> {
  const queued = await queueAnew(db, actor, sql<SqlBool>`delivery.id = ${deliveryId}`);
  if (queued > 0) return;
  const known = await db.selectFrom('deliveries').select('status').where('id', '=', deliveryId).executeTakeFirst();
  if (!known) throw notFound('This delivery was not found.');
  throw new AppError(
    'conflict',
    known.status === 'given_up'
      ? 'Its link or code has expired, or the person was removed, so we cannot send it again.'
      : 'Somebody has already tried it again.',
  );
}

/**
 * Queues what the list's filters match, and returns how many. A delivery that may have arrived is retried one by one
 * only.
 */
export function retryDeliveries(
  db: Db,
  actor: Actor,
  filters: ParsedInputOf<typeof retryEndpoint>['body'],
): Promise<number> {
  return queueAnew(db, actor, sql<SqlBool>`(${matches(filters)} and ${isSurelyLost})`);
}

/** If two admins act at once, one of them queues each delivery. */
async function queueAnew(db: Db, actor: Actor, condition: RawBuilder<SqlBool>): Promise<number> {
  const { rows } = await sql<{ id: string; channel: DeliveryChannel; reason: string | null }>`
    update deliveries set status = 'queued', given_up_at = null, not_before = null, awaiting_answer_since = null
    from (select delivery.id ${givenUp} where ${condition} and delivery.status = 'given_up' and ${canBeRetried}) chosen
    where deliveries.id = chosen.id and deliveries.status = 'given_up'
    returning deliveries.id, deliveries.channel, deliveries.last_error as reason`.execute(db);
  for (const channel of ['mail', 'push', 'sms'] as const) {
    const ids = rows.filter((row) => row.channel === channel).map(({ id }) => ({ deliveryId: id }));
    if (ids.length > 0) await enqueue(db, queues[channel], ids);
  }
  await changed(db, 'deliveries', []);
  await audit(
    db,
    actor.id,
    rows.map(({ id, reason }) => ({
      action: 'delivery.retry',
      subjectType: 'delivery',
      subjectId: id,
      before: { status: 'given_up', reason },
      after: { status: 'queued' },
    })),
  );
  return rows.length;
}

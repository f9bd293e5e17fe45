import type { Db } from '#server/db/database.ts';
import { now } from '#server/platform/clock.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { endOfQuietHours } from '#server/platform/quiet-hours.ts';
import { findDeliveryState, recordDelivery, waitingStatuses } from './delivery-state.ts';
import type { sendPushQueue } from './push-queue.ts';
import { phoneCodeKind, type sendSmsQueue } from './sms-queue.ts';

export type PhoneDelivery = NonNullable<Awaited<ReturnType<typeof countTry>>>;

/**
 * What a push or SMS job sends now. Null in quiet hours, after which it comes again, and where nobody needs it any
 * more: what it tells of was read, done or switched off since it was queued. Codes that somebody waits for come at once.
 */
export async function takePhoneDelivery(
  db: Db,
  queue: typeof sendPushQueue | typeof sendSmsQueue,
  deliveryId: string,
): Promise<PhoneDelivery | null> {
  const state = await findDeliveryState(db, deliveryId);
  if (!state) return null;
  if (state.reason) {
    await recordDelivery(db, deliveryId, 'dropped', state.reason);
    return null;
  }
  const until = state.kind === phoneCodeKind ? null : endOfQuietHours(now());
  if (!until) return (await countTry(db, deliveryId)) ?? null;
  await db.transaction().execute(async (transaction) => {
    await transaction.updateTable('deliveries').set({ notBefore: until }).where('id', '=', deliveryId).execute();
    await enqueue(transaction, queue, { deliveryId }, { startAfter: until });
  });
  return null;
}

function countTry(db: Db, deliveryId: string) {
  return db
    .updateTable('deliveries')
    .set((row) => ({ attempts: row('attempts', '+', 1) }))
    .where('id', '=', deliveryId)
    .where('status', 'in', waitingStatuses)
    .returning(['id', 'kind', 'recipientId', 'address', 'subject', 'textBody', 'eventId'])
    .executeTakeFirst();
}

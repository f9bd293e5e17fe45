import type { Db } from '#server/db/database.ts';
import { now } from '#server/platform/clock.ts';
import { enqueue } from '#server/platform/jobs.ts';
import type { sendPushQueue } from '#server/platform/push-queue.ts';
import { phoneCodeKind, type sendSmsQueue } from '#server/platform/sms-queue.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { claimDelivery, dropDelivery, findDeliveryState } from './delivery-state.ts';
import { endOfQuietHours } from './quiet-hours.ts';

export type PhoneDelivery = NonNullable<Awaited<ReturnType<typeof claim>>>;

/**
 * Returns what a push or SMS job sends now. In quiet hours it returns null, and the delivery comes again afterward. It
 * also returns null if nobody needs the delivery anymore, because its notice was read, done or switched off since it
 * was queued. Codes that somebody waits for come at once.
 */
export async function takePhoneDelivery(
  db: Db,
  queue: typeof sendPushQueue | typeof sendSmsQueue,
  deliveryId: string,
): Promise<PhoneDelivery | null> {
  const state = await findDeliveryState(db, deliveryId);
  if (!state) return null;
  if (state.reason) {
    await dropDelivery(db, deliveryId, state.reason);
    return null;
  }
  const until = state.kind === phoneCodeKind ? null : endOfQuietHours(now(), state.zone);
  if (!until) return (await claim(db, deliveryId)) ?? null;
  await inTransaction(db, async (transaction) => {
    await transaction.updateTable('deliveries').set({ notBefore: until }).where('id', '=', deliveryId).execute();
    await enqueue(transaction, queue, { deliveryId }, { startAfter: until });
  });
  return null;
}

function claim(db: Db, deliveryId: string) {
  return claimDelivery(db, deliveryId, [
    'kind',
    'recipientId',
    'address',
    'subject',
    'isSealed',
    'textBody',
    'htmlBody',
    'eventId',
  ]);
}

import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { now } from '#server/platform/clock.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { endOfQuietHours } from '#server/platform/quiet-hours.ts';
import { isNeeded, isWanted } from './event-state.ts';
import type { sendPushQueue } from './push-queue.ts';
import { phoneCodeKind, type sendSmsQueue } from './sms-queue.ts';

export type PhoneDelivery = NonNullable<Awaited<ReturnType<typeof countTry>>>;

/** A code is of no use to anybody after it has ended. */
export const phoneCodeSeconds = 600;

const isWaiting = ['queued', 'failed'];

/**
 * What a push or SMS job sends now. Null in quiet hours, after which it comes again, and where nobody needs it any
 * more: what it tells of was read, done or switched off since it was queued. Codes that somebody waits for come at once.
 */
export async function takePhoneDelivery(
  db: Db,
  queue: typeof sendPushQueue | typeof sendSmsQueue,
  deliveryId: string,
): Promise<PhoneDelivery | null> {
  const state = await findState(db, deliveryId);
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

export async function recordDelivery(
  db: Db,
  deliveryId: string,
  status: 'sent' | 'failed' | 'given_up' | 'dropped',
  lastError: string | null,
): Promise<void> {
  const sentAt = status === 'sent' ? sql<Date>`now()` : null;
  const givenUpAt = status === 'given_up' ? sql<Date>`now()` : null;
  await db
    .updateTable('deliveries')
    .set({ status, lastError, sentAt, givenUpAt })
    .where('id', '=', deliveryId)
    .execute();
}

async function findState(db: Db, deliveryId: string): Promise<{ kind: string; reason: string | null } | undefined> {
  const at = now();
  const found = await sql<{ kind: string; reason: string | null }>`
    select delivery.kind, ${reasonToDrop(at)} as reason
    from deliveries delivery
    left join notice_events event on event.id = delivery.event_id
    left join notices on notices.event_id = event.id
    left join profiles recipient on recipient.id = delivery.recipient_id
    left join notification_preferences preferences on preferences.user_id = delivery.recipient_id
    where delivery.id = ${deliveryId} and delivery.status = any(${isWaiting})`.execute(db);
  return found.rows[0];
}

function reasonToDrop(at: Date): RawBuilder<string | null> {
  return sql`case
    when recipient.deleted_at is not null then 'The person was removed.'
    when delivery.kind = ${phoneCodeKind} and delivery.created_at < ${new Date(at.getTime() - phoneCodeSeconds * 1000)}
      then 'The code has ended.'
    when event.id is null then null
    when notices.read_at is not null or not ${isNeeded(at)} then 'It was read or done meanwhile.'
    when not ${isWanted}
      or delivery.channel = 'push' and not coalesce(preferences.push_enabled, true)
      or delivery.channel = 'sms' and not coalesce(preferences.sms_enabled, false) then 'It was switched off meanwhile.'
    when delivery.channel = 'sms'
        and (recipient.phone is distinct from delivery.address or recipient.phone_confirmed_at is null)
      then 'The phone number was changed meanwhile.'
    end`;
}

function countTry(db: Db, deliveryId: string) {
  return db
    .updateTable('deliveries')
    .set((row) => ({ attempts: row('attempts', '+', 1) }))
    .where('id', '=', deliveryId)
    .where('status', 'in', isWaiting)
    .returning(['id', 'kind', 'recipientId', 'address', 'subject', 'textBody', 'eventId'])
    .executeTakeFirst();
}

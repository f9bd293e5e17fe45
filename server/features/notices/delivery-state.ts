import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { now } from '#server/platform/clock.ts';
import { isInCalendar, isNeeded, isOvertaken, isWanted } from './event-state.ts';
import { phoneCodeKind } from './sms-queue.ts';

interface DeliveryState {
  kind: string;
  /** Why nobody needs it any more; null while somebody does. */
  reason: string | null;
}

/** A code is of no use to anybody after it has ended. */
export const phoneCodeSeconds = 600;

export const waitingStatuses = ['queued', 'failed'];

/** How things stand with a delivery at the moment of its sending; nothing when it does not wait. */
export async function findDeliveryState(db: Db, deliveryId: string): Promise<DeliveryState | undefined> {
  const found = await sql<DeliveryState>`
    select delivery.kind, ${reasonToDrop(now())} as reason
    from deliveries delivery
    left join notice_events event on event.id = delivery.event_id
    left join notices on notices.event_id = event.id
    left join profiles recipient on recipient.id = delivery.recipient_id
    left join notification_preferences preferences on preferences.user_id = delivery.recipient_id
    where delivery.id = ${deliveryId} and delivery.status = any(${waitingStatuses})`.execute(db);
  return found.rows[0];
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

/** A mail is a record too: that the notice behind the bell was read does not stop it. Mails about accounts always go. */
function reasonToDrop(at: Date): RawBuilder<string | null> {
  return sql`case
    when recipient.deleted_at is not null and (delivery.channel <> 'mail' or event.id is not null)
      then 'The person was removed.'
    when delivery.kind = ${phoneCodeKind} and delivery.created_at < ${new Date(at.getTime() - phoneCodeSeconds * 1000)}
      then 'The code has ended.'
    when event.id is null then null
    when delivery.channel <> 'mail' and notices.read_at is not null or not ${isNeeded(at)}
      then 'It was read or done meanwhile.'
    when delivery.calendar_method is not null and ${isOvertaken}
      then 'The session was changed once more meanwhile.'
    when delivery.calendar_method is not null and ${isInCalendar} then null
    when not ${isWanted}
      or delivery.channel = 'mail' and not coalesce(preferences.email_enabled, true)
      or delivery.channel = 'push' and not coalesce(preferences.push_enabled, true)
      or delivery.channel = 'sms' and not coalesce(preferences.sms_enabled, false) then 'It was switched off meanwhile.'
    when delivery.channel = 'sms'
        and (recipient.phone is distinct from delivery.address or recipient.phone_confirmed_at is null)
      then 'The phone number was changed meanwhile.'
    end`;
}

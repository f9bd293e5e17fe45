import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { DB } from '#server/db/schema.gen.ts';
import { isInCalendar, isNeeded, isOvertaken, isWanted } from '#server/features/notices/event-state-queries.ts';
import { now } from '#server/platform/clock.ts';
import { deliveriesTried } from '#server/platform/metrics.ts';
import { phoneCodeKind } from '#server/platform/sms-queue.ts';
import { changed } from '#server/platform/telling.ts';

interface DeliveryState {
  kind: string;
  /** The reason why nobody needs it any more. Null while somebody does. */
  reason: string | null;
  /** The preference's column that switches it off. Null if none does. */
  category: string | null;
  /** The recipient's, for quiet hours. */
  zone: string;
}

/** After its code has ended, a text is of no use to anybody. */
export const phoneCodeSeconds = 600;

export const waitingStatuses = ['queued', 'failed'];

/** Finds the state of a delivery at the moment of sending. Returns undefined if it does not wait. */
export async function findDeliveryState(db: Db, deliveryId: string): Promise<DeliveryState | undefined> {
  const found = await sql<DeliveryState>`
    select delivery.kind, event.category, zone_of_person(delivery.recipient_id) as zone,
      ${reasonToDrop(now())} as reason
    from deliveries delivery
    left join notice_events event on event.id = delivery.event_id
    left join notices on notices.event_id = event.id
    left join profiles recipient on recipient.id = delivery.recipient_id
    left join notification_preferences preferences on preferences.user_id = delivery.recipient_id
    where delivery.id = ${deliveryId} and delivery.status = any(${waitingStatuses})`.execute(db);
  return found.rows[0];
}

export interface Claim {
  id: string;
  /** The number of this try. */
  attempts: number;
}

/** Longer than any try may last. Shorter than the time after which a job runs once more if it left no word. */
const leaseSeconds = 100;

/**
 * Counts the try and takes the delivery for it alone. Returns undefined if it no longer waits. Throws while another run
 * of its job has it, so that this one comes again.
 */
export async function claimDelivery<Column extends keyof DB['deliveries']>(
  db: Db,
  deliveryId: string,
  columns: readonly Column[],
) {
  const claimed = await db
    .updateTable('deliveries')
    .set((row) => ({ attempts: row('attempts', '+', 1), triedUntil: untilLeaseEnds }))
    .where('id', '=', deliveryId)
    .where(isWaiting)
    .where(isFree)
    .returning(['id', 'attempts', ...columns])
    .executeTakeFirst();
  if (claimed) return claimed;
  await refuseWhileTried(db, deliveryId);
}

/**
 * Records the outcome of a try. A success also counts if the try was overtaken. For everything else, the newest try
 * counts.
 */
export async function recordTry(
  db: Db,
  { id, attempts }: Claim,
  status: 'sent' | 'failed' | 'given_up' | 'dropped',
  lastError: string | null,
): Promise<void> {
  const given = db.updateTable('deliveries').set(outcome(status, lastError)).where('id', '=', id);
  const changedRows = await (status === 'sent'
    ? given.where('status', '<>', 'sent')
    : given.where(isWaiting).where('attempts', '=', attempts)
  )
    .returning('channel')
    .execute();
  for (const { channel } of changedRows) deliveriesTried.inc({ channel, outcome: status });
  if (status === 'given_up') await changed(db, 'deliveries', []);
}

/** Throws while a try is under way. */
export async function dropDelivery(db: Db, deliveryId: string, reason: string): Promise<void> {
  const dropped = await db
    .updateTable('deliveries')
    .set(outcome('dropped', reason))
    .where('id', '=', deliveryId)
    .where(isWaiting)
    .where(isFree)
    .returning('channel')
    .executeTakeFirst();
  if (!dropped) return refuseWhileTried(db, deliveryId);
  deliveriesTried.inc({ channel: dropped.channel, outcome: 'dropped' });
}

function outcome(status: 'sent' | 'failed' | 'given_up' | 'dropped', lastError: string | null) {
  return {
    status,
    lastError,
    triedUntil: null,
    // A mail that was dropped after its server had all of it may still stand in the person's calendar.
    ...(status === 'dropped' ? {} : { awaitingAnswerSince: null }),
    sentAt: status === 'sent' ? sql<Date>`now()` : null,
    givenUpAt: status === 'given_up' ? sql<Date>`now()` : null,
    ...(status === 'sent' || status === 'dropped' ? emptyBody : {}),
  };
}

/** Empties a body that is about an account and may hold a link or a code. Nobody reads it here again. */
export const emptyBody = {
  textBody: sql<string>`case when event_id is null then '' else text_body end`,
  htmlBody: sql<string | null>`case when event_id is not null then html_body end`,
};
const untilLeaseEnds = sql<Date>`clock_timestamp() + make_interval(secs => ${leaseSeconds})`;
const isWaiting = sql<SqlBool>`status = any(${waitingStatuses})`;
const isFree = sql<SqlBool>`(tried_until is null or tried_until < clock_timestamp())`;

async function refuseWhileTried(db: Db, deliveryId: string): Promise<void> {
  const tried = await db
    .selectFrom('deliveries')
    .select('id')
    .where('id', '=', deliveryId)
    .where(isWaiting)
    .executeTakeFirst();
  if (tried) throw new Error('Another try of this delivery is under way.');
}

/**
 * A mail goes even if the notice behind the bell was read, because it is a record too. Mails about accounts always go.
 */
function reasonToDrop(at: Date): RawBuilder<string | null> {
  return sql`case
    when recipient.deleted_at is not null and (delivery.channel <> 'mail' or event.id is not null)
      then 'The person was removed.'
    when delivery.kind = ${phoneCodeKind} and delivery.created_at < ${new Date(at.getTime() - phoneCodeSeconds * 1000)}
      then 'The code has ended.'
    when event.id is null then null
    when delivery.channel <> 'mail' and notices.read_at is not null or not ${isNeeded(at)}
      then 'It was already read or done.'
    when delivery.calendar_method is not null and ${isOvertaken}
      then 'The session was changed again.'
    when delivery.calendar_method is not null and ${isInCalendar} then null
    when not ${isWanted}
      or delivery.channel = 'mail' and not coalesce(preferences.email_enabled, true)
      or delivery.channel = 'push' and not coalesce(preferences.push_enabled, true)
      or delivery.channel = 'sms' and not coalesce(preferences.sms_enabled, false) then 'The person switched it off.'
    when delivery.channel = 'sms'
        and (recipient.phone is distinct from delivery.address or recipient.phone_confirmed_at is null)
      then 'The phone number was changed.'
    end`;
}

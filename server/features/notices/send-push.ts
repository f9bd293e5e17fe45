import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { App } from '#server/platform/app-parts.ts';
import { now } from '#server/platform/clock.ts';
import { defineJob, enqueue } from '#server/platform/jobs.ts';
import { postBytes } from '#server/platform/outgoing-request.ts';
import { sealPush, vapidHeader } from '#server/platform/push-message.ts';
import { endOfQuietHours } from '#server/platform/quiet-hours.ts';
import { loadPushKeys } from './push-keys.ts';
import { sendPushQueue } from './push-queue.ts';

type Delivery = NonNullable<Awaited<ReturnType<typeof takeDelivery>>>;

const timeoutInMs = 15_000;
/** A push message has room for 4 kB. */
const longestTitle = 150;
const longestBody = 500;
const keptInSeconds = 24 * 3600;

/** At least once, as mails; the tag lets a browser show the same notification once. Nothing is sent in quiet hours. */
export const sendPushJob = defineJob({
  ...sendPushQueue,
  retryLimit: 8,
  retryDelay: 10,
  retryDelayMax: 3600,
  expireInSeconds: 120,
  run: async (app, { deliveryId }, attempt) => {
    const until = endOfQuietHours(now());
    if (until) return postpone(app.db, deliveryId, until);
    const delivery = await takeDelivery(app.db, deliveryId);
    if (!delivery) return;
    if (!delivery.p256dh || !delivery.authSecret) return record(app.db, deliveryId, 'given_up', ended);
    const problem = await tryToSend(app, delivery).catch((error: Error) => error.message);
    if (problem === ended) {
      await app.db.deleteFrom('pushSubscriptions').where('endpoint', '=', delivery.address).execute();
      return record(app.db, deliveryId, 'given_up', ended);
    }
    await record(app.db, deliveryId, problem ? (attempt.isLast ? 'given_up' : 'failed') : 'sent', problem);
    if (problem) throw new Error(problem);
  },
});

const ended = "The browser's subscription has ended.";

async function postpone(db: Db, deliveryId: string, until: Date): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const waiting = await transaction
      .updateTable('deliveries')
      .set({ notBefore: until })
      .where('id', '=', deliveryId)
      .where('status', 'in', ['queued', 'failed'])
      .returning('id')
      .executeTakeFirst();
    if (waiting) await enqueue(transaction, sendPushQueue, { deliveryId }, { startAfter: until });
  });
}

function takeDelivery(db: Db, deliveryId: string) {
  return db
    .updateTable('deliveries')
    .set((row) => ({ attempts: row('attempts', '+', 1) }))
    .where('id', '=', deliveryId)
    .where('status', 'in', ['queued', 'failed'])
    .returning((eb) => {
      const subscription = eb
        .selectFrom('pushSubscriptions')
        .whereRef('pushSubscriptions.endpoint', '=', 'deliveries.address')
        .whereRef('pushSubscriptions.userId', '=', 'deliveries.recipientId');
      return [
        'id',
        'address',
        'subject',
        'textBody',
        'eventId',
        subscription.select('p256dh').as('p256dh'),
        subscription.select('authSecret').as('authSecret'),
        eb
          .selectFrom('noticeEvents')
          .select(sql<string | null>`facts ->> 'link'`.as('link'))
          .whereRef('noticeEvents.id', '=', 'deliveries.eventId')
          .as('link'),
      ];
    })
    .executeTakeFirst();
}

/** Null when the push service took it, else why not. */
async function tryToSend(app: App, delivery: Delivery): Promise<string | null> {
  const { address: endpoint, subject: title, textBody: body, link, eventId, p256dh, authSecret } = delivery;
  const keys = await loadPushKeys(app.db, app);
  const text = JSON.stringify({
    title: title.slice(0, longestTitle),
    body: body.slice(0, longestBody),
    link: link ?? '/dashboard',
    tag: eventId,
  });
  const status = await postBytes({
    url: endpoint,
    headers: {
      authorization: await vapidHeader(keys, endpoint, contactOf(app)),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(keptInSeconds),
    },
    body: sealPush({ p256dh: p256dh ?? '', authSecret: authSecret ?? '' }, text),
    timeoutInMs,
    allowPrivate: app.config.pushAllowPrivate,
  });
  if (status === 404 || status === 410) return ended;
  return status >= 200 && status < 300 ? null : `The push service answered ${status}.`;
}

function contactOf({ config }: Pick<App, 'config'>): string {
  return `mailto:${/[^\s<>]+@[^\s<>]+/.exec(config.mailFrom)?.[0] ?? config.mailFrom}`;
}

async function record(db: Db, deliveryId: string, status: string, lastError: string | null): Promise<void> {
  const sentAt = status === 'sent' ? sql<Date>`now()` : null;
  await db.updateTable('deliveries').set({ status, lastError, sentAt }).where('id', '=', deliveryId).execute();
}

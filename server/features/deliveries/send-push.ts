import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { App } from '#server/platform/app-parts.ts';
import { now } from '#server/platform/clock.ts';
import { defineJob } from '#server/platform/jobs.ts';
import { postBytes } from '#server/platform/outgoing-request.ts';
import { sendPushQueue } from '#server/platform/push-queue.ts';
import { recordTry } from './delivery-state.ts';
import { type PhoneDelivery, takePhoneDelivery } from './phone-deliveries.ts';
import { loadKeysOf } from './push-keys.ts';
import { sealPush, vapidHeader } from './push-message.ts';
import { nextQuietHours } from './quiet-hours.ts';

const timeoutInMs = 15_000;
/** A push message has room for 4 kB. */
const longestTitle = 150;
const longestBody = 500;

/**
 * Sends at least once, over some hours. The tag makes a browser show the same notification once. Nothing goes out in
 * quiet hours.
 */
export const sendPushJob = defineJob({
  ...sendPushQueue,
  retryLimit: 10,
  retryDelay: 10,
  retryDelayMax: 3600,
  expireInSeconds: 120,
  run: async (app, { deliveryId }, attempt) => {
    const delivery = await takePhoneDelivery(app.db, sendPushQueue, deliveryId);
    if (!delivery) return;
    const browser = await findBrowser(app.db, delivery);
    if (!browser) return recordTry(app.db, delivery, 'dropped', ended);
    const problem = await tryToSend(app, delivery, browser).catch((error: Error) => error.message);
    if (problem === ended) {
      await app.db.deleteFrom('pushSubscriptions').where('endpoint', '=', delivery.address).execute();
      return recordTry(app.db, delivery, 'dropped', ended);
    }
    await recordTry(app.db, delivery, problem ? (attempt.isLast ? 'given_up' : 'failed') : 'sent', problem);
    if (problem) throw new Error(problem);
  },
});

const ended = "The browser's subscription has ended.";

/**
 * Returns the browser's keys, with the place that the notification opens. Returns none if the browser is no longer
 * subscribed, or somebody else subscribed in it.
 */
function findBrowser(db: Db, { address, recipientId, eventId }: PhoneDelivery) {
  return db
    .selectFrom('pushSubscriptions')
    .select(['p256dh', 'authSecret', 'formerKey', sql<string>`zone_of_person(user_id)`.as('zone')])
    .select((eb) =>
      eb
        .selectFrom('noticeEvents')
        .select(sql<string | null>`facts ->> 'link'`.as('link'))
        .where('noticeEvents.id', '=', eventId)
        .as('link'),
    )
    .where('endpoint', '=', address)
    .where('userId', '=', recipientId)
    .executeTakeFirst();
}

type Browser = NonNullable<Awaited<ReturnType<typeof findBrowser>>>;

/** Returns null if the push service took it, or else the reason. */
async function tryToSend(app: App, delivery: PhoneDelivery, browser: Browser): Promise<string | null> {
  const { address: endpoint, subject: title, textBody: body, eventId } = delivery;
  const { p256dh, authSecret, formerKey, link, zone } = browser;
  const keys = await loadKeysOf(app, formerKey);
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
      // A phone that comes back at night stays silent. Of one event it shows the last try alone (RFC 8030).
      ttl: String(Math.floor((nextQuietHours(now(), zone).getTime() - now().getTime()) / 1000)),
      ...(eventId === null ? {} : { topic: eventId.replaceAll('-', '') }),
    },
    body: sealPush({ p256dh, authSecret }, text),
    timeoutInMs,
    allowPrivate: app.config.pushAllowPrivate,
  });
  if (status === 404 || status === 410) return ended;
  return status >= 200 && status < 300 ? null : `The push service answered ${status}.`;
}

function contactOf({ config }: Pick<App, 'config'>): string {
  return `mailto:${/[^\s<>]+@[^\s<>]+/.exec(config.mailFrom)?.[0] ?? config.mailFrom}`;
}

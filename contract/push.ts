import { z } from 'zod';
import { Done, endpoint, IdParams } from './endpoint.ts';

/** A browser's `PushSubscription.toJSON()` says this. */
export const PushSubscriptionFacts = z.object({
  endpoint: z.url({ protocol: /^https?$/ }).max(1000),
  keys: z.object({
    p256dh: z.string().regex(/^[\w-]{87}=?$/, "This is not a browser's key."),
    auth: z.string().regex(/^[\w-]{22}(==)?$/, "This is not a browser's secret."),
  }),
});
export type PushSubscriptionFacts = z.infer<typeof PushSubscriptionFacts>;

export const readPushKey = endpoint({
  name: 'readPushKey',
  method: 'GET',
  path: '/api/push/key',
  access: 'notices.own',
  summary: "The server's public key, with which a browser subscribes (VAPID, RFC 8292).",
  shows: [],
  response: z.object({ publicKey: z.string() }),
});

export const subscribePush = endpoint({
  name: 'subscribePush',
  method: 'POST',
  path: '/api/push/subscriptions',
  access: 'notices.own',
  summary: 'Sends push notifications of the signed-in person to this browser, and of nobody else any more.',
  body: PushSubscriptionFacts,
  response: Done,
});

export const unsubscribePush = endpoint({
  name: 'unsubscribePush',
  method: 'POST',
  path: '/api/push/unsubscriptions',
  access: 'notices.own',
  summary: 'Sends no more push notifications to this browser of the signed-in person.',
  body: PushSubscriptionFacts.pick({ endpoint: true }),
  response: Done,
});

export const checkPush = endpoint({
  name: 'checkPush',
  method: 'POST',
  path: '/api/push/checks',
  access: 'notices.own',
  summary:
    'Whether push notifications of the signed-in person go to this browser. What it subscribed to may have ended with its session, or be of somebody else.',
  shows: ['preferences'],
  body: PushSubscriptionFacts.pick({ endpoint: true }),
  response: z.object({ isOwn: z.boolean() }),
});

export const readPushedNotice = endpoint({
  name: 'readPushedNotice',
  method: 'GET',
  path: '/api/push/notices/:id',
  access: 'notices.own',
  summary:
    'Whether what was pushed to the signed-in person, perhaps hours ago, is still news. A browser asks before it shows it; the id is the `tag` of the push message.',
  shows: ['notices'],
  params: IdParams,
  response: z.object({ isNews: z.boolean() }),
});

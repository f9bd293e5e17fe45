import { z } from 'zod';
import { Cursor, Done, endpoint, Id, IdParams, Instant, pageOf, SearchText } from './endpoint.ts';

export const demoMailboxPath = '/demo/mail';

export const showDemoMailbox = endpoint({
  name: 'showDemoMailbox',
  method: 'GET',
  path: demoMailboxPath,
  access: 'public',
  binary: { 200: ['text/html'] },
  summary: 'The mails of a demo instance as a page, newest first; not found on any other instance.',
  query: z.object({ to: z.string().max(254).optional(), before: Id.optional() }),
  response: z.string(),
});

export const showDemoMail = endpoint({
  name: 'showDemoMail',
  method: 'GET',
  path: `${demoMailboxPath}/:id`,
  access: 'public',
  binary: { 200: ['text/html'] },
  summary: 'One mail of a demo instance as a page; not found on any other instance.',
  params: IdParams,
  response: z.string(),
});

export const deliveryChannels = ['mail', 'push', 'sms'] as const;
const DeliveryChannel = z.enum(deliveryChannels);
export type DeliveryChannel = z.infer<typeof DeliveryChannel>;

/** It leaves out the text to send, which may hold a link or a code for one person alone. */
export const GivenUpDelivery = z.object({
  id: Id,
  channel: DeliveryChannel,
  kind: z.string(),
  /** It is null if the mail went to an address without an account, or if the person is gone. */
  recipientName: z.string().nullable(),
  /** It is null for push, because anybody who knows a browser's address may send to it. */
  address: z.string().nullable(),
  reason: z.string(),
  attempts: z.number().int(),
  createdAt: Instant,
  givenUpAt: Instant,
  can: z.object({ retry: z.boolean() }),
});
export type GivenUpDelivery = z.infer<typeof GivenUpDelivery>;

const filters = {
  channel: DeliveryChannel.optional(),
  kind: z.string().max(100).optional(),
  /** Searches name, address and reason. */
  search: SearchText.optional(),
};

export const listGivenUpDeliveries = endpoint({
  name: 'listGivenUpDeliveries',
  method: 'GET',
  path: '/api/deliveries/given-up',
  access: 'deliveries.manage',
  summary: 'What could not be delivered, the latest first.',
  shows: ['deliveries', 'people'],
  query: z.object({ ...filters, cursor: Cursor.optional() }),
  response: pageOf(GivenUpDelivery).extend({
    /** Counts what the filters leave. */
    matching: z.number().int(),
    /** Counts how many of those can be tried again together. It leaves out what may have arrived. */
    retryable: z.number().int(),
    /** Every kind in the list, whatever the filters. */
    kinds: z.array(z.string()),
  }),
});

export const retryDelivery = endpoint({
  name: 'retryDelivery',
  method: 'POST',
  path: '/api/deliveries/:id/retry',
  access: 'deliveries.manage',
  summary: 'Queues a delivery that was given up anew.',
  params: IdParams,
  response: Done,
});

export const retryDeliveries = endpoint({
  name: 'retryDeliveries',
  method: 'POST',
  path: '/api/deliveries/retries',
  access: 'deliveries.manage',
  summary:
    'Queues everything anew that was given up, that the filters leave, that is of use still and that surely has not arrived.',
  body: z.object(filters),
  response: z.object({ queuedCount: z.number().int() }),
});

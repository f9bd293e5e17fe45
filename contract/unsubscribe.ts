import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** A mail's unsubscribe address leads here. Its signature stands for the person and the category. */
export const unsubscribePath = '/api/unsubscribe';
const params = z.object({ token: z.string().max(200) });

export const showUnsubscribe = endpoint({
  name: 'showUnsubscribe',
  method: 'GET',
  path: `${unsubscribePath}/:token`,
  access: 'signed',
  binary: { 200: ['text/html'] },
  summary:
    'A page that asks whether mails of one category shall stop. Reading it changes nothing: scanners read links too.',
  params,
  response: z.string(),
});

export const unsubscribe = endpoint({
  name: 'unsubscribe',
  method: 'POST',
  path: `${unsubscribePath}/:token`,
  access: 'signed',
  binary: { 200: ['text/html'] },
  summary: 'Switches off the category of the mail that the address stands in, by one click as RFC 8058 has it.',
  params,
  response: z.string(),
});

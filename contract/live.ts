import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** Data of the event `changed`: which facts changed that this person may see, and which act of a browser changed them. */
export const LiveChange = z.object({ facts: z.array(z.string()), act: z.string().nullable() });
/** Data of the event `notice`: something to tell the person at once. */
export const LiveNotice = z.object({ type: z.string(), title: z.string(), message: z.string().nullable() });
export type LiveNotice = z.infer<typeof LiveNotice>;

/** Events `changed`, `notice` and `resync`. At `resync` anything may have been missed, so everything is read again. */
export const listenLive = endpoint({
  name: 'listenLive',
  method: 'GET',
  path: '/api/live',
  access: 'account.own',
  binary: { 200: ['text/event-stream'] },
  summary: 'Server-sent events that say what changed for the signed-in person. Ends with the session.',
  response: z.string(),
});

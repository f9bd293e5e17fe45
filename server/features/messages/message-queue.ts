import { z } from 'zod';
import { defineQueue } from '#server/platform/jobs.ts';

/**
 * A message that an act of another feature sends in somebody's name. The key makes it the same message on every try.
 */
export const sendMessageQueue = defineQueue(
  'send-message',
  z.object({ senderId: z.uuid(), recipientId: z.uuid(), text: z.string().min(1), clientKey: z.uuid() }),
);

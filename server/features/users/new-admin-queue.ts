import { z } from 'zod';
import { defineQueue } from '#server/platform/jobs.ts';

/**
 * Sent when somebody made these people admins; `isInvited` where they have their link to set a password already,
 * `answer` where they had asked for it: then they are told by mail too.
 */
export const tellOfNewAdminsQueue = defineQueue(
  'tell-of-new-admins',
  z.object({
    personIds: z.array(z.uuid()),
    isInvited: z.boolean(),
    answer: z.object({ title: z.string(), message: z.string() }).optional(),
  }),
);

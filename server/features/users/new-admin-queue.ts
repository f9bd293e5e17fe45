import { z } from 'zod';
import { defineQueue } from '#server/platform/jobs.ts';

/**
 * Sent after somebody made these people admins. `isInvited` means that they have their link to set a password already.
 * `answer` means that they had asked for it, so a mail tells them too.
 */
export const tellOfNewAdminsQueue = defineQueue(
  'tell-of-new-admins',
  z.object({
    personIds: z.array(z.uuid()),
    isInvited: z.boolean(),
    answer: z.object({ title: z.string(), message: z.string() }).optional(),
  }),
);

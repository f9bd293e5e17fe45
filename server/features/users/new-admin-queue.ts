import { z } from 'zod';
import { defineQueue } from '#server/platform/jobs.ts';

/** Sent when somebody made these people admins; `isInvited` where they have their link to set a password already. */
export const tellOfNewAdminsQueue = defineQueue(
  'tell-of-new-admins',
  z.object({ personIds: z.array(z.uuid()), isInvited: z.boolean() }),
);

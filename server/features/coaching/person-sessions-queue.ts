import { z } from 'zod';
import { defineQueue } from '#server/platform/jobs.ts';

/** Sent when somebody does not coach, or is not coached, any more. */
export const cancelSessionsOfPersonQueue = defineQueue(
  'cancel-sessions-of-person',
  z.object({ personId: z.uuid(), actorId: z.uuid().nullable().default(null), reason: z.string() }),
);

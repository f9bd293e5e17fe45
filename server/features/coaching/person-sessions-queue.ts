import { z } from 'zod';
import { defineQueue } from '#server/platform/jobs.ts';

/** Sent when a person no longer coaches, or is no longer coached. */
export const cancelSessionsOfPersonQueue = defineQueue(
  'cancel-sessions-of-person',
  z.object({ personId: z.uuid(), actorId: z.uuid().nullable().default(null), reason: z.string() }),
);

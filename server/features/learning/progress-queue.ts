import { z } from 'zod';
import { defineQueue } from '#server/platform/jobs.ts';

/** Sent in the transaction of what counts for progress, such as a review; without a cohort, for all active ones. */
export const recomputeProgressQueue = defineQueue(
  'recompute-progress',
  z.object({ participantIds: z.array(z.uuid()), cohortId: z.uuid().nullable() }),
);

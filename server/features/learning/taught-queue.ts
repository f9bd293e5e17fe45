import { z } from 'zod';
import { defineQueue } from '#server/platform/jobs.ts';

/**
 * The members of a cohort are now taught something else, or at another time. The job derives what follows anew, and
 * their screens read again.
 */
export const taughtQueue = defineQueue('taught-changed', z.object({ cohortId: z.uuid() }));

import { z } from 'zod';
import { defineQueue } from '#server/platform/jobs.ts';

/** What the members of a cohort are taught, or when, has changed: what follows is derived anew, and their screens read again. */
export const taughtQueue = defineQueue('taught-changed', z.object({ cohortId: z.uuid() }));

import { z } from 'zod';
import { defineQueue } from '#server/platform/jobs.ts';

/** The days or the curriculum of a cohort have changed: what follows from them for its members is derived anew. */
export const cohortChangedQueue = defineQueue('cohort-changed', z.object({ cohortId: z.uuid() }));

/** A participant is in a cohort anew, or has another track: what follows for them is derived anew. */
export const memberChangedQueue = defineQueue('member-changed', z.object({ participantId: z.uuid() }));

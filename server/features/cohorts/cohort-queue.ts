import { z } from 'zod';
import { defineQueue } from '#server/platform/jobs.ts';

/** A participant is in a cohort anew, or has another track: what follows for them is derived anew. */
export const memberChangedQueue = defineQueue('member-changed', z.object({ participantId: z.uuid() }));

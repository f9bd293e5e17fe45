import { z } from 'zod';
import { defineQueue } from '#server/platform/jobs.ts';

/** A participant is in a new cohort, or has another track. Their screens read again. */
export const memberChangedQueue = defineQueue('member-changed', z.object({ participantId: z.uuid() }));

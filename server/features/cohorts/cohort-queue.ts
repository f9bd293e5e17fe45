import { z } from 'zod';
import { defineQueue } from '#server/platform/jobs.ts';

/** A participant is in a cohort anew, or has another track: their screens are read again. */
export const memberChangedQueue = defineQueue('member-changed', z.object({ participantId: z.uuid() }));

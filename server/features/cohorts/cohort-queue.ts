import { z } from 'zod';
import { defineQueue } from '#server/platform/jobs.ts';

/** Sent when a participant joins a cohort or gets another track, so that their screens are read again. */
export const memberChangedQueue = defineQueue('member-changed', z.object({ participantId: z.uuid() }));

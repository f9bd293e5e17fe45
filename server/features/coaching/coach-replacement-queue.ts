import { z } from 'zod';
import { defineQueue } from '#server/platform/jobs.ts';

/** Sent when another coach took over a participant, and booked sessions moved or were cancelled. */
export const tellOfCoachReplacementQueue = defineQueue(
  'tell-of-coach-replacement',
  z.object({
    participantId: z.uuid(),
    formerCoachId: z.uuid(),
    newCoachId: z.uuid(),
    movedIds: z.array(z.uuid()),
    cancelledIds: z.array(z.uuid()),
  }),
);

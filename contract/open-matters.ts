import { z } from 'zod';

/** What is open between a person and their coach. */
export const OpenMatters = z.object({
  /** Counts activities that they did not attend, whose day has passed. */
  missedActivities: z.number().int(),
  /** Counts assignments that were never handed in, whose day has passed. */
  overdueAssignments: z.number().int(),
  /** Counts work that the participant is to hand in again. */
  submissionsToRevise: z.number().int(),
  /** Counts coaching sessions of the last four weeks to which they did not come. */
  missedSessions: z.number().int(),
  /** True if they handed in, completed, wrote or booked nothing for seven days. */
  isSilent: z.boolean(),
});
export type OpenMatters = z.infer<typeof OpenMatters>;

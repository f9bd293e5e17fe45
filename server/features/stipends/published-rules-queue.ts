import { z } from 'zod';
import { defineQueue } from '#server/platform/jobs.ts';

/** Rules were published. The job judges the undecided stipends anew that they are in force for. */
export const publishedRulesQueue = defineQueue('rules-published', z.object({ ruleSetId: z.uuid() }));

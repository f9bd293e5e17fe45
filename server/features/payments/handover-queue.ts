import { z } from 'zod';
import { defineQueue } from '#server/platform/jobs.ts';

export const sendHandoverQueue = defineQueue('send-handover', z.object({ handoverId: z.uuid() }));

import { z } from 'zod';
import { defineQueue } from '#server/platform/jobs.ts';

export const runImportQueue = defineQueue('run-import', z.object({ importId: z.uuid() }));

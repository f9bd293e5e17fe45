import { z } from 'zod';
import { defineQueue } from '#server/platform/jobs.ts';

/** Acts that delete the row of a file send this, so that the bytes go only when that is committed. */
export const removeStoredFileQueue = defineQueue('remove-stored-file', z.object({ path: z.string().min(1) }));

/** Sent when a person is deleted. */
export const removeFilesOfPersonQueue = defineQueue('remove-files-of-person', z.object({ personId: z.uuid() }));

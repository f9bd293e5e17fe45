import { z } from 'zod';
import { Role } from '#contract/roles.ts';
import { defineQueue } from '#server/platform/jobs.ts';

/** Sent when an admin gives somebody another role. */
export const tellRoleChangeQueue = defineQueue('tell-role-change', z.object({ personId: z.uuid(), role: Role }));

import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#server/db/database.ts';
import { defineQueue, enqueue } from '#server/platform/jobs.ts';

/** What the members of a cohort are taught has changed: their progress is derived anew, and their screens read again. */
export const taughtQueue = defineQueue('taught-changed', z.object({ cohortId: z.uuid() }));

/** Null stands for activities of no cohort, which are taught to the members of all. */
export async function followTaught(db: Db, cohortIds: (string | null)[]): Promise<void> {
  const named = [...new Set(cohortIds.filter((id) => id !== null))];
  if (cohortIds.length === 0) return;
  const concerned = await db
    .selectFrom('cohortParticipants')
    .select('cohortId')
    .distinct()
    .where('status', '=', 'active')
    .$if(!cohortIds.includes(null), (members) => members.where('cohortId', '=', sql<string>`any(${named}::uuid[])`))
    .execute();
  await enqueue(db, taughtQueue, concerned);
}

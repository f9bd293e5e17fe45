import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { memberChangedQueue } from '#server/features/cohorts/cohort-queue.ts';
import { deriveUndecided } from '#server/features/stipends/week-derivation.ts';
import { defineJob, type Job } from '#server/platform/jobs.ts';
import { changed } from '#server/platform/telling.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { recomputeProgress } from './progress-derivation.ts';
import { taughtQueue } from './taught-queue.ts';

const followTaughtJob = defineJob({
  ...taughtQueue,
  run: async (app, { cohortId }) => {
    // This has its own transaction. So a person who records attendance waits for these rows only while they are
    // computed.
    await inTransaction(app.db, (db) => deriveUndecided(db, sql`stipends.cohort_id = ${cohortId}`));
    await inTransaction(app.db, (db) => deriveForMembers(db, cohortId));
  },
});

/** Derives nothing. The act has done so itself, because membership and track are facts that it changed. */
const tellMemberJob = defineJob({
  ...memberChangedQueue,
  run: (app, { participantId }) =>
    inTransaction(app.db, (db) => changed(db, ['training', 'progress'], [participantId])),
});

export const learningJobs: Job[] = [followTaughtJob, tellMemberJob];

/** A cohort is taught the same for all its members, so they are derived as one set. */
async function deriveForMembers(db: Db, cohortId: string): Promise<void> {
  const members = await db
    .selectFrom('cohortParticipants')
    .select('participantId')
    .where('cohortId', '=', cohortId)
    .where('status', '=', sql.lit('active'))
    .execute();
  const ids = members.map(({ participantId }) => participantId);
  await recomputeProgress(db, ids, cohortId);
  await changed(db, ['training', 'progress', 'stipends'], ids);
}

import { CompiledQuery, sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#server/db/database.ts';
import { followProgress, heldMemberships } from '#server/features/learning/progress-derivation.ts';
import { taughtQueue } from '#server/features/learning/taught-queue.ts';
import { heldWeeks, writeWeeks } from '#server/features/stipends/week-derivation.ts';
import { askWhetherNoted, leftChanges, ownChanges, type TakenChanges } from '#server/platform/fact-notes.ts';
import { defineJob, defineQueue, enqueue } from '#server/platform/jobs.ts';
import { hearNotes, said, tellNamedNews, told } from '#server/platform/telling.ts';
import { inTransaction } from '#server/platform/transactions.ts';

/**
 * Closes every transaction of the product: derives what follows from the facts that it changed, and tells the news. Most
 * acts change no such fact, and name whom they tell. Nothing follows from them, and their news leaves with the commit.
 */
export async function followOwnChanges(db: Db): Promise<void> {
  if (!(await hasOwnNotes(db)) && (await tellNamedNews(db))) return;
  await follow(db, ownChanges());
}

async function hasOwnNotes(db: Db): Promise<boolean> {
  const { rows } = await db.executeQuery<{ hasNotes: boolean }>(CompiledQuery.raw(askWhetherNoted));
  return rows[0]?.hasNotes ?? true;
}

/** Derives what follows from facts that somebody changed beside the product. Returns whether there were any. */
export function followLeftChanges(db: Db): Promise<boolean> {
  return follow(db, leftChanges());
}

export const followLeftChangesJob = defineJob({
  ...defineQueue('left-fact-changes', z.object({})),
  cron: '* * * * *',
  runsAtStart: true,
  run: async ({ patientDb }) => {
    while (await inTransaction(patientDb, followLeftChanges));
  },
});

interface Found {
  participantIds: string[] | null;
  cohortIds: string[] | null;
  weekIds: string[] | null;
  /** Cohorts whose members are taught something else now. */
  taughtCohortIds: string[] | null;
  notes: string[] | null;
}

const nothing: Found = { participantIds: null, cohortIds: null, weekIds: null, taughtCohortIds: null, notes: null };

/**
 * Runs every derivation of the product. Rows to write are locked before facts are read, memberships first, as the acts
 * that change facts lock them. So the later of two transactions knows what the earlier knew.
 */
async function follow(db: Db, taken: TakenChanges): Promise<boolean> {
  const { rows } = await sql<Found>`
    with taken as (${taken}), memberships as (${heldMemberships(sql`taken`)}), weeks as (${heldWeeks(sql`taken`)}),
      ${said(db)}
    select array_agg(distinct person_id) filter (where person_id is not null) as participant_ids,
      array_agg(distinct cohort_id) filter (where person_id is not null and cohort_id is not null) as cohort_ids,
      (select array_agg(id) from weeks where (select count(*) from memberships) >= 0) as week_ids,
      (select array_agg(cohort_id) from (
        select cohort_id from taken where fact = 'taught' and exists (
          select from cohort_participants members where members.cohort_id = taken.cohort_id and members.status = 'active')
        union
        select cohort_id from cohort_participants members where members.status = 'active' and exists (
          select from taken where fact = 'taught' and taken.cohort_id is null)
      ) taught) as taught_cohort_ids, array_agg(distinct fact) as notes, ${told} as told
    from taken`.execute(db);
  const [{ participantIds, cohortIds, weekIds, taughtCohortIds, notes } = nothing] = rows;
  hearNotes(db, notes ?? []);
  if (participantIds) await followProgress(db, participantIds, cohortIds ?? []);
  if (weekIds) await writeWeeks(db, weekIds);
  // A cohort can have many members. They follow by a job, so that a person who changes the programme does not wait for
  // it.
  if (taughtCohortIds) {
    await enqueue(
      db,
      taughtQueue,
      taughtCohortIds.map((cohortId) => ({ cohortId })),
    );
  }
  return notes !== null;
}

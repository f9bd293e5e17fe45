import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#server/db/database.ts';
import { presentInstant } from '#server/platform/clock.ts';
import { defineJob, type Job } from '#server/platform/jobs.ts';

/** No figure tells older hours apart: work counts for seven days, and what waits longer is of one age. */
const oldest = sql`${presentInstant}::timestamptz - interval '8 days'`;

/**
 * Puts one line for many. A snapshot sees the lines and the rows that they stand for as of one instant, so what others
 * write meanwhile is counted once, by the line that it adds.
 */
export async function countAnew(db: Db): Promise<void> {
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      await sql`delete from tallies`.execute(transaction);
      await sql`
        insert into tallies (what, part, hour, change)
        select what, part, case when hour < ${oldest} then '-infinity' else hour end, sum(change)
        from counted_anew group by 1, 2, 3`.execute(transaction);
    });
}

const countAnewJob = defineJob({
  name: 'count-anew',
  schema: z.object({}),
  cron: '*/10 * * * *',
  retryLimit: 1,
  expireInSeconds: 600,
  run: ({ db }) => countAnew(db),
});

export const homeJobs: Job[] = [countAnewJob];

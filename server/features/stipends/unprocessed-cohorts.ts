import { sql } from 'kysely';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { listUnprocessedCohorts, processUnprocessedCohorts } from '#contract/stipend-cohorts.ts';
import { easternDay } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { now } from '#server/platform/clock.ts';
import { deriveWeek } from './week-derivation.ts';
import { peopleOfWeek } from './week-facts-queries.ts';

/** Fellowships in which the week has begun. They have its stipends, or lack them although somebody would have one. */
function cohortsOfWeek(weekNumber: number) {
  return sql`
    select cohorts.id, cohorts.name, has_rows as is_processed from cohorts
    cross join lateral (select exists (select from stipend_eligibility stipends
      where stipends.cohort_id = cohorts.id and stipends.week_number = ${weekNumber}) as has_rows) known
    where cohorts.program_type = 'fellowship' and cohorts.status <> 'cancelled'
      and cohorts.start_date + 7 * (${weekNumber}::integer - 1) <= ${easternDay(now())}::date
      and (has_rows or exists (${peopleOfWeek(sql`array[cohorts.id]`, weekNumber)}))`;
}

export async function findUnprocessedCohorts(
  db: Db,
  weekNumber: number,
): Promise<ReplyOf<typeof listUnprocessedCohorts>> {
  const found = await sql<{ id: string; name: string; isProcessed: boolean }>`
    select * from (${cohortsOfWeek(weekNumber)}) cohorts order by name, id`.execute(db);
  return {
    processed: found.rows.filter(({ isProcessed }) => isProcessed).length,
    unprocessed: found.rows.filter(({ isProcessed }) => !isProcessed).map(({ id, name }) => ({ id, name })),
  };
}

/** Processes all cohorts as one set. */
export async function processCohorts(db: Db, weekNumber: number): Promise<ReplyOf<typeof processUnprocessedCohorts>> {
  const { unprocessed } = await findUnprocessedCohorts(db, weekNumber);
  const changedRows = await deriveWeek(db, { cohortIds: unprocessed.map(({ id }) => id), weekNumber });
  return { cohorts: unprocessed.length, changedRows };
}

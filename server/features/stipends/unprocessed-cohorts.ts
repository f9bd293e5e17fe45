import { sql } from 'kysely';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { listUnprocessedCohorts, processUnprocessedCohorts } from '#contract/stipend-payments.ts';
import { easternDay } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { now } from '#server/platform/clock.ts';

/** Fellowships in which the week has begun: with its stipends, or without any although somebody would have one. */
function cohortsOfWeek(weekNumber: number) {
  return sql`
    select cohorts.id, cohorts.name, has_rows as is_processed from cohorts
    cross join lateral (select exists (select from stipend_eligibility stipends
      where stipends.cohort_id = cohorts.id and stipends.week_number = ${weekNumber}) as has_rows) known
    where cohorts.program_type = 'fellowship' and cohorts.status <> 'cancelled'
      and cohorts.start_date + 7 * (${weekNumber}::integer - 1) <= ${easternDay(now())}::date
      and (has_rows or exists (select from stipend_facts(cohorts.id, ${weekNumber})))`;
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

/** As one set, in the order that all who process several keep to. */
export async function processCohorts(db: Db, weekNumber: number): Promise<ReplyOf<typeof processUnprocessedCohorts>> {
  const processed = await sql<{ changed: number }>`
    select process_weekly_stipends(id, ${weekNumber}) as changed
    from (select id from (${cohortsOfWeek(weekNumber)}) cohorts where not is_processed order by id) unprocessed`.execute(
    db,
  );
  return {
    cohorts: processed.rows.length,
    changedRows: processed.rows.reduce((sum, { changed }) => sum + changed, 0),
  };
}

import { sql } from 'kysely';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { listUnprocessedCohorts, processUnprocessedCohorts } from '#contract/stipend-cohorts.ts';
import type { Db } from '#server/db/database.ts';
import { todayIn } from '#server/features/programmes/calendar-queries.ts';
import { deriveWeek } from './week-derivation.ts';
import { peopleOfWeek, periodFirstDay, periodsOfCalendar } from './week-facts-queries.ts';

/**
 * Cohorts that pay stipends and in which the week has begun. They have its stipends, or lack them although somebody
 * would have one. For each, PostgreSQL looks its people up by the cohort's id. By the list of one it would compare all
 * cohorts with all.
 */
function cohortsOfWeek(weekNumber: number) {
  const cohorts = sql`cohorts`;
  return sql`
    select cohorts.id, cohorts.name, has_rows as is_processed,
      case when cohorts.end_date < ${todayIn(sql`cohorts.zone`)} then cohorts.end_date::text end as ended_on
    from cohort_calendars cohorts
    cross join lateral (select exists (select from stipend_eligibility stipends
      where stipends.cohort_id = cohorts.id and stipends.week_number = ${weekNumber}) as has_rows) known
    where cohorts.program_type = any(cohorts.paid_kinds) and cohorts.status <> 'cancelled'
      and ${weekNumber}::integer <= ${periodsOfCalendar(cohorts)}
      and ${periodFirstDay(sql`${weekNumber}::integer`, cohorts)} <= ${todayIn(sql`cohorts.zone`)}
      and (has_rows or exists (select from (${peopleOfWeek(sql`array[cohorts.id]`, weekNumber)}) person
        where person.cohort_id = cohorts.id))`;
}

export async function findUnprocessedCohorts(
  db: Db,
  weekNumber: number,
): Promise<ReplyOf<typeof listUnprocessedCohorts>> {
  const found = await sql<{ id: string; name: string; isProcessed: boolean; endedOn: string | null }>`
    select * from (${cohortsOfWeek(weekNumber)}) cohorts order by name, id`.execute(db);
  return {
    processed: found.rows.filter(({ isProcessed }) => isProcessed).length,
    unprocessed: found.rows
      .filter(({ isProcessed }) => !isProcessed)
      .map(({ id, name, endedOn }) => ({ id, name, endedOn })),
  };
}

/** Processes all cohorts as one set. */
export async function processCohorts(db: Db, weekNumber: number): Promise<ReplyOf<typeof processUnprocessedCohorts>> {
  const { unprocessed } = await findUnprocessedCohorts(db, weekNumber);
  const changedRows = await deriveWeek(db, { cohortIds: unprocessed.map(({ id }) => id), weekNumber });
  return { cohorts: unprocessed.length, changedRows };
}

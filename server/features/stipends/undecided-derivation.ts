import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** Computes the weeks of a cohort that have undecided rows anew, each as one set. */
export async function recomputeUndecidedWeeks(db: Db, cohortId: string): Promise<void> {
  await sql`
    select process_weekly_stipends(cohort_id, week_number) from (
      select distinct cohort_id, week_number from stipend_eligibility
      where cohort_id = ${cohortId} and payment_status = 'pending'
      order by week_number) undecided`.execute(db);
}

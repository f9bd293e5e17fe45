import { type RawBuilder, sql } from 'kysely';

/**
 * The instant as PostgreSQL learns it only at the run. What it knows it plans with, and it plans a named statement anew at
 * each run while that promises a cheaper plan. For a short statement, planning costs more than such a plan spares.
 */
export function hiddenInstant(instant: Date): RawBuilder<Date> {
  return sql`(select ${instant}::timestamptz)`;
}

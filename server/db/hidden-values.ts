import { type RawBuilder, sql } from 'kysely';
import type { presentInstant } from '#server/platform/clock.ts';

/**
 * The values as PostgreSQL learns them only at the run. What it knows it plans with, and it plans a named statement anew at
 * each run while that promises a cheaper plan. For a short statement, planning costs more than such a plan spares.
 */
export function hiddenInstant(instant: Date | typeof presentInstant): RawBuilder<Date> {
  return sql`(select ${instant}::timestamptz)`;
}

export function hiddenId(id: string): RawBuilder<string> {
  return sql`(select ${id}::uuid)`;
}

/** With the second cast, `any(…)` takes it for an array and not for a subquery. */
export function hiddenTexts(texts: readonly string[]): RawBuilder<string[]> {
  return sql`(select ${texts}::text[])::text[]`;
}

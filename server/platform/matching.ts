import { type Expression, type RawBuilder, sql } from 'kysely';
import { mostCounted } from '#contract/matching.ts';

const most = sql.lit(mostCounted + 1);

/**
 * Counts the rows of a query, as a part of the statement that reads one page of them. A search that fits everybody ends
 * after `mostCounted`, so the page never waits for the count of a whole table.
 */
export function countOf(matches: Expression<unknown> | RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(select count(*)::int from (select from ${matches} as every limit ${most}) as counted)`;
}

/** The same of a number that is known without counting. */
export function countAs(known: RawBuilder<number>): RawBuilder<number> {
  return sql<number>`least(${known}, ${most})::int`;
}

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type CountsByAge, daysOfAge, type WaitingAge, waitingAges } from '#contract/waiting-age.ts';
import { presentInstant } from './clock.ts';

/** True if what waits since this instant has waited that long, and without an age. */
export function isOfAge(since: RawBuilder<unknown>, age: WaitingAge | undefined): RawBuilder<SqlBool> {
  if (age === undefined) return sql<SqlBool>`true`;
  const { from, until } = daysOfAge[age];
  const ago = (days: number) => sql`${presentInstant}::timestamptz - make_interval(hours => ${sql.lit(24 * days)})`;
  const parts = [
    ...(from === null ? [] : [sql`${since} <= ${ago(from)}`]),
    ...(until === null ? [] : [sql`${since} > ${ago(until)}`]),
  ];
  return sql<SqlBool>`(${sql.join(parts, sql` and `)})`;
}

/** Counts the rows of a query by how long they wait. */
export function countsByAge(since: RawBuilder<unknown>): RawBuilder<CountsByAge> {
  const counts = waitingAges.map((age) => sql`${sql.lit(age)}, count(*) filter (where ${isOfAge(since, age)})`);
  return sql<CountsByAge>`jsonb_build_object(${sql.join(counts)})`;
}

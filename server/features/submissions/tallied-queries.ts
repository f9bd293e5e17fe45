import { type RawBuilder, sql } from 'kysely';
import { type CountsByAge, daysOfAge, type WaitingAge, waitingAges } from '#contract/waiting-age.ts';
import { hiddenInstant } from '#server/db/hidden-values.ts';
import { presentInstant } from '#server/platform/clock.ts';

/** How much work waits for review. */
export const talliedWaiting = sql<number>`(select coalesce(sum(change), 0) from tallies where what = 'waiting')`;

/** How much work was handed in since then. Of the hour that had begun it is counted, and the hours after it are summed. */
export function talliedWork(since: Date): RawBuilder<number> {
  const nextHour = sql`(select hour_of(${since}::timestamptz) + interval '1 hour')`;
  return sql<number>`(
    (select coalesce(sum(change), 0) from tallies where what = 'work' and hour >= ${nextHour})
    + (select count(*) from content_submissions
      where submitted_at >= ${hiddenInstant(since)} and submitted_at < ${nextHour}))`;
}

/** How much work waits for review, by how long it waits, as a table of one row with `counts`. */
export function talliedWaitingByAge(): RawBuilder<{ counts: CountsByAge }> {
  const until = sql.join(waitingAges.map((age) => sql`${waitingUntil(age)} as ${sql.id(age)}`));
  const counts = waitingAges.map((age, place) => {
    const shorter = waitingAges[place - 1];
    return sql`${sql.lit(age)}, until.${sql.id(age)}${shorter ? sql` - until.${sql.id(shorter)}` : sql``}`;
  });
  return sql`(
    select jsonb_build_object(${sql.join(counts)}) as counts
    from (select ${until} from tallies where what = 'waiting') until)`;
}

/** Of what waits no longer than this age. Expects the lines of `tallies`, and goes by hours as `talliedWork` does. */
function waitingUntil(age: WaitingAge): RawBuilder<number> {
  const { until } = daysOfAge[age];
  if (until === null) return sql`coalesce(sum(change), 0)`;
  const since = sql`(${presentInstant}::timestamptz - make_interval(hours => ${sql.lit(24 * until)}))`;
  // As a select of its own it is worked out once, not for each line.
  const nextHour = sql`(select hour_of(${since}) + interval '1 hour')`;
  return sql`coalesce(sum(change) filter (where hour >= ${nextHour}), 0)
    + (select count(*) from content_submissions
      where status = 'submitted' and submitted_at > ${since} and submitted_at < ${nextHour})`;
}

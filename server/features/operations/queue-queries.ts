import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

export interface QueueState {
  name: string;
  /** Jobs that could run now. Counting stops at `mostCounted`. */
  waiting: number;
  running: number;
  /** How long the oldest of them has been waiting. */
  oldestSeconds: number;
}

export const mostCounted = 1000;

/** The queues of the product, each read by its index and no further than `mostCounted`. */
export async function findQueues(db: Db): Promise<QueueState[]> {
  const { rows } = await sql<QueueState>`
    select queue.name, waiting.count::int as waiting, running.count::int as running,
      coalesce(greatest(0, extract(epoch from now() - waiting.oldest)), 0)::float8 as oldest_seconds
    from pgboss.queue queue
    cross join lateral (
      select count(*) as count, min(start_after) as oldest from (
        select start_after from pgboss.job
        where name = queue.name and state < 'active' and not blocked and start_after <= now()
        order by priority desc, created_on limit ${mostCounted}) part) waiting
    cross join lateral (
      select count(*) as count from (
        select from pgboss.job where name = queue.name and state = 'active' limit ${mostCounted}) part) running
    where queue.name !~ '^__'
    order by queue.name`.execute(db);
  return rows;
}

import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { AppError } from '#server/platform/errors.ts';

export interface RateLimitRule {
  max: number;
  windowSeconds: number;
}

/**
 * Counts one try. Returns null when it is allowed, otherwise the seconds until the window ends. Give it the database
 * itself, not a transaction: a refused request rolls back, its try must still count.
 */
export function countTry(db: Db, key: string, rule: RateLimitRule): Promise<number | null> {
  return countTries(db, { [key]: rule });
}

/** The same for several counters at once; the longest wait. Ordered, so that no two requests wait for each other. */
async function countTries(db: Db, rules: Record<string, RateLimitRule>): Promise<number | null> {
  const keys = Object.keys(rules).toSorted();
  const seconds = keys.map((key) => rules[key]?.windowSeconds ?? 0);
  const counted = await sql<{ key: string; count: number; secondsLeft: number }>`
    insert into auth.rate_limit as kept (key, count, window_started_at, window_ends_at)
    select key, 1, now(), now() + make_interval(secs => seconds)
    from unnest(${keys}::text[], ${seconds}::int[]) as given (key, seconds) order by key
    on conflict (key) do update set
      count = case when kept.window_ends_at <= now() then 1 else kept.count + 1 end,
      window_started_at = case when kept.window_ends_at <= now() then now() else kept.window_started_at end,
      window_ends_at = case when kept.window_ends_at <= now() then excluded.window_ends_at else kept.window_ends_at end
    returning key, count, ceil(extract(epoch from window_ends_at - now()))::int as seconds_left`.execute(db);
  if (counted.rows.length !== keys.length) throw new Error('Counting a try returned no row.');
  const refused = counted.rows.filter(({ key, count }) => count > (rules[key]?.max ?? 0));
  return refused.length > 0 ? Math.max(1, ...refused.map(({ secondsLeft }) => secondsLeft)) : null;
}

/** Counts one try and refuses it when there were too many; `factor` is that of the configuration. */
export function limitTries(db: Db, key: string, rule: RateLimitRule, factor: number): Promise<void> {
  return limitAllTries(db, { [key]: rule }, factor);
}

/** The same by several counters, in one statement. */
export async function limitAllTries(db: Db, rules: Record<string, RateLimitRule>, factor: number): Promise<void> {
  const scaled = Object.entries(rules).map(([key, rule]) => [key, { ...rule, max: Math.ceil(rule.max * factor) }]);
  const wait = await countTries(db, Object.fromEntries(scaled));
  if (wait !== null) throw new AppError('too_many_requests', tooManyTries(wait), { retryAfter: wait });
}

/** After a success: only failed tries in a row count. */
export async function forgetTries(db: Db, key: string): Promise<void> {
  await sql`delete from auth.rate_limit where key = ${key}`.execute(db);
}

export function tooManyTries(waitSeconds: number): string {
  const wait = waitSeconds < 90 ? `${waitSeconds} seconds` : `${Math.ceil(waitSeconds / 60)} minutes`;
  return `Too many tries. Please wait ${wait} and try again.`;
}

import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { AppError } from '#server/platform/errors.ts';

export interface RateLimitRule {
  max: number;
  windowSeconds: number;
}

/**
 * Counts one try. Returns null if it is allowed, otherwise the seconds until the window ends. Give it the database
 * itself, not a transaction. A refused request rolls back, and its try must still count.
 */
export function countTry(db: Db, key: string, rule: RateLimitRule): Promise<number | null> {
  return countTries(db, { [key]: rule });
}

type Rules = Record<string, RateLimitRule>;

/** Does the same for several counters at once, and returns the longest wait. */
async function countTries(db: Db, rules: Rules): Promise<number | null> {
  return (await countTriesBeside(db, rules, {}, sql`select`)).wait;
}

/**
 * Does the same in one statement, together with the one row, if any, that `query` finds. Counters of `onlyThen` count
 * only tries that the others let pass. The order keeps two requests from waiting for each other, so the keys of
 * `onlyThen` must sort behind the others.
 */
async function countTriesBeside<Row>(db: Db, rules: Rules, onlyThen: Rules, query: RawBuilder<unknown>) {
  const given = [...entriesOf(rules), ...entriesOf(onlyThen)];
  const counted = await sql<{ isRefused: boolean; secondsLeft: number; found: Row | null }>`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(entriesOf(rules))}::jsonb) as (key text, max int, seconds int)
    ), first as (
      ${countOf(sql`given`)}
    ), later as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(entriesOf(onlyThen))}::jsonb) as (key text, max int, seconds int)
      where not exists (select from first join given using (key) where count > max)
    ), last as (
      ${countOf(sql`later`)}
    )
    select count > max as is_refused, ceil(extract(epoch from window_ends_at - now()))::int as seconds_left,
      (select to_jsonb(found) from (${query}) found) as found
    from (table first union all table last) counted
    join (table given union all table later) rule using (key)`.execute(db);
  const refused = counted.rows.filter(({ isRefused }) => isRefused);
  const found = counted.rows[0]?.found ?? undefined;
  if (refused.length > 0) return { found, wait: Math.max(1, ...refused.map(({ secondsLeft }) => secondsLeft)) };
  if (counted.rows.length !== given.length) throw new Error('Counting a try returned no row.');
  return { found, wait: null };
}

function entriesOf(rules: Rules) {
  return Object.entries(rules).map(([key, { max, windowSeconds }]) => ({ key, max, seconds: windowSeconds }));
}

function countOf(given: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into auth.rate_limit as kept (key, count, window_started_at, window_ends_at)
    select key, 1, now(), now() + make_interval(secs => seconds) from ${given} order by key
    on conflict (key) do update set
      count = case when kept.window_ends_at <= now() then 1 else kept.count + 1 end,
      window_started_at = case when kept.window_ends_at <= now() then now() else kept.window_started_at end,
      window_ends_at = case when kept.window_ends_at <= now() then excluded.window_ends_at else kept.window_ends_at end
    returning key, count, window_ends_at`;
}

/** Counts one try and refuses it after too many. `factor` comes from the configuration. */
export function limitTries(db: Db, key: string, rule: RateLimitRule, factor: number): Promise<void> {
  return limitAllTries(db, { [key]: rule }, factor);
}

/** Does the same with several counters, in one statement. */
export async function limitAllTries(db: Db, rules: Rules, factor: number): Promise<void> {
  const wait = await countTries(db, scaled(rules, factor));
  if (wait !== null) throw refusalOf(wait);
}

/**
 * Does the same, but counters of `onlyThen` count only tries that the others let pass. Returns the one row, if any,
 * that `query` finds, with the names as `query` has them.
 */
export async function limitAllTriesBeside<Row>(
  db: Db,
  { rules, onlyThen, factor }: { rules: Rules; onlyThen: Rules; factor: number },
  query: RawBuilder<Row>,
): Promise<Row | undefined> {
  const { found, wait } = await countTriesBeside<Row>(db, scaled(rules, factor), scaled(onlyThen, factor), query);
  if (wait !== null) throw refusalOf(wait);
  return found;
}

function refusalOf(wait: number): AppError {
  return new AppError('too_many_requests', tooManyTries(wait), { retryAfter: wait });
}

function scaled(rules: Rules, factor: number): Rules {
  const entries = Object.entries(rules).map(([key, rule]) => [key, { ...rule, max: Math.ceil(rule.max * factor) }]);
  return Object.fromEntries(entries);
}

/** A success calls this, so only failed tries in a row count. */
export async function forgetTries(db: Db, key: string): Promise<void> {
  await sql`delete from auth.rate_limit where key = ${key}`.execute(db);
}

function tooManyTries(waitSeconds: number): string {
  const wait = waitSeconds < 90 ? `${waitSeconds} seconds` : `${Math.ceil(waitSeconds / 60)} minutes`;
  return `Too many tries. Please wait ${wait} and try again.`;
}

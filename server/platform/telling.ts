import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** The channel that every process listens to. */
export const liveChannel = 'switchyard_live';

/** What the transactions under way have to say so far. */
const unsaid = new WeakMap<Db, string[]>();

/** From here on what is told in this transaction is kept for the statement that closes it. */
export function keepUnsaid(transaction: Db): void {
  unsaid.set(transaction, []);
}

/** All that this transaction has to say, as a column; it must be in a statement of this transaction, and no more is kept. */
export function said(transaction: Db): RawBuilder<number> {
  const payloads = unsaid.get(transaction) ?? [];
  unsaid.delete(transaction);
  return sql<number>`(select count(pg_notify(${liveChannel}, payload)) from unnest(${payloads}::text[]) as payload)`;
}

/** Reaches every process that listens when the caller's transaction commits. */
export async function tell(db: Db, payloads: string[]): Promise<void> {
  if (payloads.length === 0) return;
  const kept = unsaid.get(db);
  if (kept) kept.push(...payloads);
  else await sql`select pg_notify(${liveChannel}, payload) from unnest(${payloads}::text[]) as payload`.execute(db);
}

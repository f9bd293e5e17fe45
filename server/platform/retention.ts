import { type RawBuilder, sql } from 'kysely';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';

/**
 * What is kept for a time and then goes. `rows` is a select of what has gone by its time at `before`, as `key` (whatever
 * finds the row again) and `at`. `remove` takes it from a part of these rows.
 */
export interface RetentionRule {
  kind: string;
  /** What goes, in words for whoever runs the product. */
  what: string;
  setting: keyof Config['retainedDays'];
  rows: (before: Date) => RawBuilder<{ key: unknown; at: Date }>;
  remove: (part: RawBuilder<unknown>) => RawBuilder<unknown>;
}

export interface Overdue {
  kind: string;
  what: string;
  setting: string;
  /** Null if it is kept for ever. */
  days: number | null;
  rows: number;
  oldest: Date | null;
}

type Days = Config['retainedDays'];

const dayInMs = 86_400_000;
const mostAtOnce = 5000;

/** Counts what would go. It changes nothing. Zero days keep it for ever. */
export async function findOverdue(db: Db, rules: RetentionRule[], days: Days, now: Date): Promise<Overdue[]> {
  const found: Overdue[] = [];
  for (const rule of rules) {
    const { kind, what, setting } = rule;
    const before = cutoff(rule, days, now);
    const { rows } = before
      ? await sql<{ rows: number; oldest: Date | null }>`
          select count(*)::integer as rows, min(at) as oldest from (${rule.rows(before)}) as overdue`.execute(db)
      : { rows: [] };
    const [counted] = rows;
    const kept = { rows: counted?.rows ?? 0, oldest: counted?.oldest ?? null };
    found.push({ kind, what, setting, days: before ? days[setting] : null, ...kept });
  }
  return found;
}

/** Removes it, some thousand rows at once, so that nobody waits for it. Returns how many rows of each kind went. */
export async function removeOverdue(
  db: Db,
  rules: RetentionRule[],
  days: Days,
  now: Date,
): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  for (const rule of rules) {
    const before = cutoff(rule, days, now);
    let part = before ? mostAtOnce : 0;
    let sum = 0;
    while (before && part === mostAtOnce) {
      const some = sql`select key from (${rule.rows(before)}) as overdue order by at limit ${mostAtOnce}`;
      const { numAffectedRows = 0n } = await rule.remove(some).execute(db);
      part = Number(numAffectedRows);
      sum += part;
    }
    removed[rule.kind] = sum;
  }
  return removed;
}

function cutoff(rule: RetentionRule, days: Days, now: Date): Date | null {
  const kept = days[rule.setting];
  return kept === 0 ? null : new Date(now.getTime() - kept * dayInMs);
}

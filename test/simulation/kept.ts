import type pg from 'pg';

/**
 * Acts that were acknowledged and can never be undone. Each kind has the statement that finds which of the given ones
 * are there.
 */
const statements = {
  message: `select message as key from coach_messages where message = any($1)`,
  note: `select note as key from person_notes where note = any($1)`,
  session: `select id::text as key from coaching_sessions where id = any($1::uuid[])`,
  round: `select submission_id || ' ' || round_number as key from submission_rounds
    where submission_id || ' ' || round_number = any($1)`,
  review: `select submission_id || ' ' || round_number as key from submission_rounds
    where submission_id || ' ' || round_number = any($1) and review_status is not null`,
  attendance: `select fellow_id || ' ' || content_id as key from attendance_records
    where fellow_id || ' ' || content_id = any($1)`,
  excuse: `select participant_id || ' ' || activity_id as key from excused_absences
    where participant_id || ' ' || activity_id = any($1)`,
  rating: `select fellow_id || ' ' || cohort_id || ' ' || week_number as key from performance_feedback
    where fellow_id || ' ' || cohort_id || ' ' || week_number = any($1)`,
  decision: `select distinct stipend_id::text as key from stipend_ledger
    where stipend_id = any($1::uuid[]) and kind in ('approval', 'denial', 'first_approval')`,
  amount: `select distinct stipend_id || ' ' || (after ->> 'amountCents') as key from stipend_ledger
    where stipend_id || ' ' || (after ->> 'amountCents') = any($1) and kind in ('amount', 'adjustment')`,
  batch: `select id::text as key from stipend_handovers where id = any($1::uuid[])`,
  payment: `select distinct stipend_id || ' ' || reference as key from stipend_payment_parts
    where stipend_id || ' ' || reference = any($1)`,
  confirmation: `select id::text as key from stipend_confirmations where id = any($1)`,
  file: `select id::text as key from stored_files where id = any($1::uuid[]) and completed_at is not null`,
  account: `select email::text as key from profiles where email = any($1)`,
} as const;
export type KeptKind = keyof typeof statements;

export interface Kept {
  /** Notes that the product acknowledged this. */
  add(kind: KeptKind, key: string): void;
  count(): number;
  /** Says of everything that was acknowledged and is not there. */
  findLost(pool: pg.Pool): Promise<string[]>;
}

export function startKeeping(): Kept {
  const kept = new Map<KeptKind, Set<string>>();
  return {
    add: (kind, key) => {
      const keys = kept.get(kind) ?? new Set();
      kept.set(kind, keys.add(key));
    },
    count: () => [...kept.values()].reduce((sum, keys) => sum + keys.size, 0),
    findLost: async (pool) => {
      const lost: string[] = [];
      for (const [kind, keys] of kept) {
        const { rows } = await pool.query<{ key: string }>(statements[kind], [[...keys]]);
        const found = new Set(rows.map(({ key }) => key));
        for (const key of keys) if (!found.has(key)) lost.push(`An acknowledged ${kind} is gone: ${key}`);
      }
      return lost;
    },
  };
}

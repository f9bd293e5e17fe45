import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { AuditAction } from '#server/platform/audit-actions.ts';

export interface AuditEntry {
  action: AuditAction;
  subjectType: string;
  subjectId: string;
  before?: object | null;
  after?: object | null;
  reason?: string | null;
  /** When it happened, if that was before this transaction. */
  at?: Date;
}

/** Writes who did what, in the act's own transaction. The actor `null` is the product itself. */
export async function audit(db: Db, actorId: string | null, entries: AuditEntry | AuditEntry[]): Promise<void> {
  const rows = Array.isArray(entries) ? entries : [entries];
  if (rows.length > 0) await auditing(actorId, rows).execute(db);
}

/** Does the same as a part of the statement that the entries tell of. */
export function auditing(actorId: string | null, rows: AuditEntry[]): RawBuilder<object> {
  const given = rows.map(({ action, subjectType, subjectId, before, after, reason, at }) => {
    return { action, subject_type: subjectType, subject_id: subjectId, before, after, reason, at };
  });
  // All rows go into one parameter, because a statement takes no more than 65,535.
  return sql`
    insert into audit_log (at, actor_id, action, subject_type, subject_id, before, after, reason)
    select coalesce(at, now()), ${actorId}::uuid, action, subject_type, subject_id, before, after, reason
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      as given (action text, subject_type text, subject_id uuid, before jsonb, after jsonb, reason text,
        at timestamptz)`;
}

import type { Db } from '#server/db/database.ts';

export interface AuditEntry {
  /** What was done, as `subject.verb`: `role.change`, `stipend.approve`. */
  action: string;
  subjectType: string;
  subjectId: string;
  before?: object | null;
  after?: object | null;
  reason?: string | null;
}

/** Writes who did what, in the act's own transaction; `null` as actor is the product itself. */
export async function audit(db: Db, actorId: string | null, entries: AuditEntry | AuditEntry[]): Promise<void> {
  const rows = Array.isArray(entries) ? entries : [entries];
  if (rows.length === 0) return;
  await db
    .insertInto('auditLog')
    .values(
      rows.map((entry) => ({
        actorId,
        action: entry.action,
        subjectType: entry.subjectType,
        subjectId: entry.subjectId,
        before: entry.before ? JSON.stringify(entry.before) : null,
        after: entry.after ? JSON.stringify(entry.after) : null,
        reason: entry.reason ?? null,
      })),
    )
    .execute();
}

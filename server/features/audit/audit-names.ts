import { sql } from 'kysely';
import { z } from 'zod';
import type { AuditEntry } from '#contract/audit.ts';
import { houseZone } from '#contract/house-zone.ts';
import type { Db } from '#server/db/database.ts';

const uuid = z.regexes.uuid();

export function isId(value: unknown): value is string {
  return typeof value === 'string' && uuid.test(value);
}

/** Returns the record itself, and every id that is a value among the facts. */
export function idsIn({ subjectId, before, after }: Pick<AuditEntry, 'subjectId' | 'before' | 'after'>): string[] {
  const values = [...Object.values(before ?? {}), ...Object.values(after ?? {})].flat();
  return [subjectId, ...values.filter(isId)];
}

/** Returns what records are called now, by id. Ids are unique over all tables. Records that are gone are left out. */
export async function findNames(db: Db, ids: string[]): Promise<Map<string, string>> {
  const wanted = [...new Set(ids)];
  const person = sql`profiles.full_name`;
  const found = await sql<{ id: string; name: string }>`
    with wanted as (select unnest(${wanted}::uuid[]) as id)
    select id, ${person} as name from profiles join wanted using (id)
    union all select id, name from cohorts join wanted using (id)
    union all select id, title from courses join wanted using (id)
    union all select id, title from course_modules join wanted using (id)
    union all select id, name from specialization_tracks join wanted using (id)
    union all select id, title from training_activities join wanted using (id)
    union all select id, title from content_items join wanted using (id)
    union all select id, title from content_assignments join wanted using (id)
    union all select id, title from resources join wanted using (id)
    union all select id, filename from bulk_imports join wanted using (id)
    union all select stipend.id, ${person} || ', week ' || stipend.week_number
      from stipend_eligibility stipend join wanted using (id) join profiles on profiles.id = stipend.fellow_id
    union all select asked.id, ${person} || ', week ' || asked.week_number
      from stipend_questions asked join wanted using (id) join profiles on profiles.id = asked.participant_id
    union all select rating.id, ${person} || ', week ' || rating.week_number
      from performance_feedback rating join wanted using (id) join profiles on profiles.id = rating.fellow_id
    union all select submission.id, ${person} || ', ' || content_assignments.title
      from content_submissions submission join wanted using (id)
      join profiles on profiles.id = submission.user_id
      join content_assignments on content_assignments.id = submission.assignment_id
    union all select attendance.id, ${person} || ', ' || training_activities.title
      from attendance_records attendance join wanted using (id)
      join profiles on profiles.id = attendance.fellow_id
      join training_activities on training_activities.id = attendance.content_id
    union all select selection.id, ${person}
      from track_selections selection join wanted using (id) join profiles on profiles.id = selection.participant_id
    union all select session.id, ${person} || ', ' || to_char(session.scheduled_at at time zone ${houseZone}, 'YYYY-MM-DD')
      from coaching_sessions session join wanted using (id)
      join profiles on profiles.id = session.participant_id`.execute(db);
  return new Map(found.rows.map(({ id, name }) => [id, name]));
}

import { sql } from 'kysely';

/**
 * Writes the log entries that `recordAttendance` leaves. A `with made as (…)` before this returns the records they are
 * about.
 */
export const attendanceOnRecord = sql`
  insert into audit_log (at, actor_id, action, subject_type, subject_id, after)
  select accessed_at, fellow_id, 'attendance.record', 'attendance', id,
    jsonb_build_object('fellowId', fellow_id, 'cohortId', cohort_id, 'contentId', content_id, 'weekNumber', week_number,
      'accessedAt', accessed_at)
  from made`;

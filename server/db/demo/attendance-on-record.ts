import { sql } from 'kysely';

/** The entries of the log that `recordAttendance` leaves, of the records that a `with made as (…)` before this returns. */
export const attendanceOnRecord = sql`
  insert into audit_log (at, actor_id, action, subject_type, subject_id, after)
  select accessed_at, fellow_id, 'attendance.record', 'attendance', id,
    jsonb_build_object('fellowId', fellow_id, 'cohortId', cohort_id, 'contentId', content_id, 'weekNumber', week_number,
      'accessedAt', accessed_at)
  from made`;

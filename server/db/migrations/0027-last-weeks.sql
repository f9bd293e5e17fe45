-- The last week of a cohort that attendance or a rating is of. All of them were read to find it.
create index attendance_records_by_week on attendance_records (cohort_id, week_number);
create index performance_feedback_by_week on performance_feedback (cohort_id, week_number);

-- What somebody handed in, had accepted, and attended comes from the indexes alone.
drop index content_submissions_by_user;
create index content_submissions_by_user on content_submissions (user_id, submitted_at desc)
  include (status, assignment_id, reviewed_at);
drop index attendance_records_by_fellow;
create index attendance_records_by_fellow on attendance_records (fellow_id, accessed_at desc)
  include (recorded_by, content_id);

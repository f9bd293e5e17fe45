-- The coach's list counts somebody's work by status, from the index alone.
drop index content_submissions_by_user;
create index content_submissions_by_user on content_submissions (user_id, submitted_at desc) include (status);
-- It asks when somebody last completed an activity themself.
create index attendance_records_by_themselves on attendance_records (fellow_id, accessed_at desc)
  where recorded_by is null;
-- The admin's dashboard counts what waits.
create index stipend_eligibility_waiting on stipend_eligibility (cohort_id, week_number)
  where overall_eligible and payment_status = 'pending';
create index profiles_by_requested_role on profiles (id) where requested_role is not null and deleted_at is null;
-- A week of one cohort, in the order of its list.
create index stipend_eligibility_by_cohort_week
  on stipend_eligibility (cohort_id, week_number, overall_eligible desc, created_at desc, id desc);

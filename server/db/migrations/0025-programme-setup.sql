-- An edit names the version that it began with. What facts hang on is archived, never deleted.
alter table cohorts add column version integer not null default 1;
alter table courses
  add column version integer not null default 1,
  add column archived_at timestamptz;
alter table course_modules
  add column version integer not null default 1,
  add column archived_at timestamptz;
alter table specialization_tracks add column version integer not null default 1;

-- The sequence within a week; calendar_sequence counts the changes.
alter table weekly_requirements
  add column order_index integer not null default 1 check (order_index >= 1);

create index cohorts_by_start on cohorts (start_date desc, id desc);
create index courses_by_age on courses (track_type, created_at, id);
create index user_courses_by_course on user_courses (course_id);
create index participant_module_completions_by_module on participant_module_completions (module_id);
create index track_selections_by_track on track_selections (specialization_track_id);
create index weekly_requirements_in_order on weekly_requirements (cohort_id, week_number, order_index, id);
create index training_activities_by_module on training_activities (module_name) where module_name is not null;

-- A copy of a cohort's programme. The browser makes the id before it asks, so that asking twice makes one copy.
create table programme_copies (
  id uuid primary key,
  source_cohort_id uuid references cohorts (id) on delete set null,
  cohort_id uuid unique references cohorts (id) on delete set null,
  created_by uuid not null references profiles (id),
  created_at timestamptz not null default now(),
  undone_at timestamptz
);
create index programme_copies_by_source on programme_copies (source_cohort_id);

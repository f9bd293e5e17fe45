-- One row per person and assignment (DATA-13): a resubmission updates it, submission_rounds keeps every round.
create table content_submissions (
  id uuid primary key default time_ordered_id(),
  assignment_id uuid not null references content_assignments (id),
  user_id uuid not null references profiles (id),
  round_number integer not null default 1 check (round_number >= 1),
  submission_text text,
  file_path text references stored_files (path),
  status text not null default 'submitted' check (status in
    ('submitted', 'reviewed', 'accepted', 'approved', 'needs_revision', 'rejected', 'graded')),
  feedback text,
  reviewed_by uuid references profiles (id),
  reviewed_at timestamptz,
  submitted_at timestamptz not null default now(),
  unique (assignment_id, user_id),
  check (coalesce(submission_text, '') <> '' or file_path is not null),
  check ((reviewed_by is null) = (reviewed_at is null)),
  -- Only a review leads away from 'submitted'.
  check (status = 'submitted' or reviewed_at is not null)
);
create index content_submissions_waiting on content_submissions (submitted_at, id) where status = 'submitted';
create index content_submissions_by_user on content_submissions (user_id, submitted_at desc);
create index content_submissions_newest on content_submissions (submitted_at desc, id desc);

create table submission_rounds (
  submission_id uuid not null references content_submissions (id),
  round_number integer not null check (round_number >= 1),
  submission_text text,
  file_path text references stored_files (path),
  submitted_at timestamptz not null,
  review_status text check (review_status in ('reviewed', 'accepted', 'approved', 'needs_revision', 'rejected', 'graded')),
  feedback text,
  reviewed_by uuid references profiles (id),
  reviewed_at timestamptz,
  primary key (submission_id, round_number),
  check (coalesce(submission_text, '') <> '' or file_path is not null),
  check ((review_status is null) = (reviewed_at is null))
);

-- What was handed in, and what was said of it, never changes; a review is written once onto its round.
create function keep_round() returns trigger language plpgsql as $$
begin
  if old.reviewed_at is not null
     or (new.submission_id, new.round_number, new.submission_text, new.file_path, new.submitted_at)
        is distinct from (old.submission_id, old.round_number, old.submission_text, old.file_path, old.submitted_at) then
    raise exception 'a submission round is immutable';
  end if;
  return new;
end $$;
create trigger rounds_are_immutable before update on submission_rounds for each row execute function keep_round();
create trigger rounds_stay before delete on submission_rounds for each statement execute function refuse_change();

create table content_evaluations (
  submission_id uuid primary key references content_submissions (id),
  points_earned numeric(7, 2) check (points_earned >= 0),
  feedback text,
  graded_by uuid references profiles (id),
  graded_at timestamptz not null default now()
);

-- content_id is the training activity (STIP-32).
create table attendance_records (
  id uuid primary key default time_ordered_id(),
  fellow_id uuid not null references profiles (id),
  cohort_id uuid not null references cohorts (id),
  content_id uuid not null references training_activities (id),
  week_number integer not null check (week_number between 1 and 20),
  content_type text not null default 'live_session',
  duration_minutes integer not null default 60 check (duration_minutes > 0),
  accessed_at timestamptz not null default now(),
  -- Empty where the participant completed it; set where a coach or admin recorded or corrected it.
  recorded_by uuid references profiles (id),
  reason text,
  unique (fellow_id, content_id),
  check ((recorded_by is null) = (reason is null))
);
create index attendance_records_by_activity on attendance_records (content_id);

create table participant_module_completions (
  participant_id uuid not null references profiles (id),
  cohort_id uuid not null references cohorts (id),
  module_id uuid not null references course_modules (id),
  completed_at timestamptz not null default now(),
  set_by uuid references profiles (id),
  note text,
  primary key (participant_id, cohort_id, module_id)
);

create table track_selections (
  id uuid primary key default time_ordered_id(),
  participant_id uuid not null references profiles (id),
  cohort_id uuid not null references cohorts (id),
  specialization_track_id uuid not null references specialization_tracks (id),
  notes text,
  selected_at timestamptz not null default now(),
  is_locked boolean not null default false,
  locked_at timestamptz,
  unique (participant_id, cohort_id),
  check (is_locked = (locked_at is not null))
);

create table participant_progress (
  participant_id uuid not null references profiles (id),
  cohort_id uuid not null references cohorts (id),
  total_modules integer not null default 0 check (total_modules >= 0),
  completed_modules integer not null default 0 check (completed_modules between 0 and total_modules),
  core_modules_completed integer not null default 0,
  specialization_modules_completed integer not null default 0,
  overall_completion_percentage numeric(5, 2) not null default 0 check (overall_completion_percentage between 0 and 100),
  days_ahead_behind integer not null default 0,
  status text not null default 'on_track' check (status in ('on_track', 'behind', 'at_risk', 'ahead')),
  last_activity_date date,
  primary key (participant_id, cohort_id),
  check (completed_modules = core_modules_completed + specialization_modules_completed)
);
create index participant_progress_by_cohort on participant_progress (cohort_id, overall_completion_percentage desc);

create table performance_feedback (
  id uuid primary key default time_ordered_id(),
  fellow_id uuid not null references profiles (id),
  cohort_id uuid not null references cohorts (id),
  week_number integer not null check (week_number between 1 and 16),
  overall_rating numeric(2, 1) not null check (overall_rating between 1 and 5 and overall_rating * 2 = trunc(overall_rating * 2)),
  comment text,
  rated_by uuid not null references profiles (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (fellow_id, cohort_id, week_number)
);

create table user_files (
  id uuid primary key default time_ordered_id(),
  user_id uuid not null references profiles (id),
  file_path text not null unique references stored_files (path),
  display_name text not null check (display_name <> ''),
  size bigint not null check (size >= 0),
  mime_type text not null,
  upload_date timestamptz not null default now()
);
create index user_files_by_user on user_files (user_id, upload_date desc);

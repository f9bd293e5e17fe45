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
  -- The coach or admin who recorded or corrected it. Null says that the participant completed the activity.
  recorded_by uuid references profiles (id),
  reason text,
  unique (fellow_id, content_id),
  check ((recorded_by is null) = (reason is null))
);

-- Attendance that was taken back stays taken back: its participant asks for a correction instead of recording it again.
-- The row goes when a coach or an admin records the attendance anew.
create table attendance_removals (
  participant_id uuid not null references profiles (id),
  activity_id uuid not null references training_activities (id) on delete cascade,
  removed_by uuid not null references profiles (id),
  removed_at timestamptz not null default now(),
  reason text not null check (reason <> ''),
  primary key (participant_id, activity_id)
);

-- A participant who finds a record of attendance wrong asks for its correction before the week's stipend is decided.
create table attendance_corrections (
  id uuid primary key default time_ordered_id(),
  participant_id uuid not null references profiles (id),
  activity_id uuid not null references training_activities (id),
  cohort_id uuid not null references cohorts (id),
  week_number integer not null check (week_number between 1 and 20),
  -- What the participant says is right.
  attended boolean not null,
  reason text not null check (reason <> ''),
  asked_at timestamptz not null default now(),
  status text not null default 'open' check (status in ('open', 'accepted', 'declined', 'withdrawn')),
  answer text check (answer <> ''),
  answered_by uuid references profiles (id),
  answered_at timestamptz,
  check ((status in ('accepted', 'declined')) = (answered_by is not null and answered_at is not null)),
  -- Somebody who is refused reads why.
  check (status <> 'declined' or answer is not null)
);

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

-- What a participant marked as done for themselves. Work that is handed in speaks for itself.
create table content_ticks (
  user_id uuid not null references profiles (id),
  content_item_id uuid not null references content_items (id) on delete cascade,
  ticked_at timestamptz not null default now(),
  primary key (user_id, content_item_id)
);

-- The secret address of a person's calendar. Its owner reads it again by encrypted_token.
create table calendar_feeds (
  user_id uuid primary key references profiles (id),
  token_hash text not null unique,
  encrypted_token text not null,
  created_at timestamptz not null default now(),
  last_read_at timestamptz
);

create index attendance_records_by_activity on attendance_records (content_id);
create index attendance_removals_of_activity on attendance_removals (activity_id);
create unique index one_open_correction on attendance_corrections (participant_id, activity_id) where status = 'open';
create index attendance_corrections_open on attendance_corrections (asked_at, id) where status = 'open';
create index attendance_corrections_answered on attendance_corrections (answered_at desc, id desc)
  where status in ('accepted', 'declined');
create index attendance_corrections_of_one on attendance_corrections (participant_id, activity_id, asked_at desc);
create index participant_module_completions_by_module on participant_module_completions (module_id);
create index track_selections_by_track on track_selections (specialization_track_id);
create index participant_progress_by_cohort on participant_progress (cohort_id, overall_completion_percentage desc);
create index content_ticks_by_item on content_ticks (content_item_id);

create view weekly_attendance as
select members.participant_id as fellow_id,
       members.cohort_id,
       activities.week_number,
       count(*)::integer as activities_total,
       count(attendance.id)::integer as activities_accessed,
       round(100.0 * count(attendance.id) / count(*), 2) as attendance_percentage
from cohort_participants members
join training_activities activities on activities.cohort_id = members.cohort_id
left join attendance_records attendance
  on attendance.fellow_id = members.participant_id and attendance.content_id = activities.id
group by members.participant_id, members.cohort_id, activities.week_number;

-- A locked choice of track stays as it is (TRACK-09).
create function keep_locked_track() returns trigger language plpgsql as $$
begin
  raise exception 'a locked track selection is immutable';
end $$;
create trigger locked_tracks_stay before update or delete on track_selections for each row
  when (old.is_locked) execute function keep_locked_track();

create trigger own_attendance_is_not_recorded before insert or update of recorded_by on attendance_records for each row
  when (new.recorded_by = new.fellow_id) execute function refuse_own();
create trigger own_attendance_is_not_taken_back before insert or update of removed_by on attendance_removals
  for each row when (new.removed_by = new.participant_id) execute function refuse_own();
create trigger own_corrections_are_not_answered before insert or update of answered_by on attendance_corrections
  for each row when (new.answered_by = new.participant_id) execute function refuse_own();
create trigger own_modules_are_not_completed before insert or update of set_by on participant_module_completions
  for each row when (new.set_by = new.participant_id) execute function refuse_own();

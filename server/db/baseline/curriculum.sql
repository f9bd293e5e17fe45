create table specialization_tracks (
  id uuid primary key default time_ordered_id(),
  name text not null unique check (name <> ''),
  description text not null default '',
  duration_weeks integer not null default 4 check (duration_weeks between 1 and 16),
  is_active boolean not null default true,
  version integer not null default 1
);

-- The title is the module_name that activities carry.
create table course_modules (
  id uuid primary key default time_ordered_id(),
  title text not null check (title <> ''),
  module_type text not null check (module_type in ('core', 'specialization')),
  specialization_track_id uuid references specialization_tracks (id),
  curriculum_version text not null default '1',
  order_index integer not null default 1 check (order_index >= 1),
  version integer not null default 1,
  archived_at timestamptz,
  unique nulls not distinct (curriculum_version, title, specialization_track_id),
  check ((module_type = 'specialization') = (specialization_track_id is not null))
);

-- A copy of a cohort's programme. The browser makes the id before it asks, so that asking twice makes one copy.
create table programme_copies (
  id uuid primary key,
  source_cohort_id uuid references cohorts (id) on delete set null,
  cohort_id uuid unique references cohorts (id) on delete set null,
  created_by uuid not null references profiles (id),
  created_at timestamptz not null default now(),
  undone_at timestamptz
);

create table training_activities (
  id uuid primary key default time_ordered_id(),
  -- Null: the activity is taught to every cohort of its audience.
  cohort_id uuid references cohorts (id),
  title text not null check (title <> ''),
  week_number integer not null check (week_number between 1 and 20),
  session_date date,
  -- US Eastern wall-clock time of the session, where it has one.
  session_time time,
  duration text,
  duration_minutes integer check (duration_minutes > 0),
  -- A room, an address or the meeting link.
  location text,
  delivery_partner text,
  delivery_medium text check (delivery_medium in ('Online', 'In-person', 'Virtual', 'Hybrid')),
  training_delivery_mode text check (training_delivery_mode in
    ('Self-paced Online', 'SME-delivered In-person', 'SME-delivered Hybrid', 'SME-delivered Webconference')),
  description text,
  sharepoint_id text,
  module_name text,
  is_required boolean not null default true,
  applicable_fellowship boolean not null default false,
  applicable_amp boolean not null default false,
  applicable_fellowship_adjunct boolean not null default false,
  applicable_ambassador boolean not null default false,
  -- The copy of a programme that made this activity. Undoing that copy removes no others.
  copy_id uuid references programme_copies (id),
  calendar_sequence integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table content_items (
  id uuid primary key default time_ordered_id(),
  training_activity_id uuid not null references training_activities (id) on delete cascade,
  title text not null check (title <> ''),
  description text,
  content_type text not null default 'reading' check (content_type in
    ('reading', 'video', 'assignment', 'link_task', 'certificate', 'quiz', 'project')),
  content_url text,
  content_text text,
  file_path text references stored_files (path),
  order_index integer not null default 1 check (order_index >= 1),
  estimated_minutes integer not null default 30 check (estimated_minutes >= 1),
  is_required boolean not null default true,
  due_date date,
  -- An item with work handed in below it is archived with its assignments instead of deleted. Nobody's work goes.
  archived_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  -- Browsers open it, so only the web's own schemes are kept (CONT-15).
  constraint content_items_url_is_of_the_web check (content_url ~* '^https?://')
);

create table content_assignments (
  id uuid primary key default time_ordered_id(),
  content_item_id uuid not null references content_items (id) on delete cascade,
  title text not null check (title <> ''),
  instructions text not null,
  assignment_type text not null default 'written_response' check (assignment_type in
    ('written_response', 'project_submission', 'upload_certificate', 'link_task', 'read_material', 'watch_video')),
  due_date date,
  is_required boolean not null default true,
  max_points integer not null default 100 check (max_points > 0),
  -- An edit names the version that it began with. Placing an assignment among the others is no edit.
  version integer not null default 1,
  order_index integer not null default 1 check (order_index >= 1),
  calendar_sequence integer not null default 0,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table weekly_requirements (
  id uuid primary key default time_ordered_id(),
  cohort_id uuid not null references cohorts (id),
  week_number integer check (week_number between 1 and 20),
  title text not null check (title <> ''),
  type text not null,
  due_date date not null,
  -- The place within a week. calendar_sequence counts the changes.
  order_index integer not null default 1 check (order_index >= 1),
  calendar_sequence integer not null default 0,
  updated_at timestamptz not null default now()
);

create index programme_copies_by_source on programme_copies (source_cohort_id);
create index training_activities_by_cohort_week on training_activities (cohort_id, week_number, session_date);
create index training_activities_by_week on training_activities (week_number, session_date, id);
create index training_activities_by_module on training_activities (module_name) where module_name is not null;
-- The management list (TRAIN-02) shows everything, one week or one cohort in this order.
create index training_activities_in_order on training_activities (week_number, created_at, id);
create index training_activities_of_cohort_in_order
  on training_activities (cohort_id, week_number, created_at, id);
create index content_items_by_activity on content_items (training_activity_id, order_index);
create index content_items_by_file on content_items (file_path) where file_path is not null;
create index content_assignments_by_item on content_assignments (content_item_id);
create index weekly_requirements_by_cohort on weekly_requirements (cohort_id, due_date);
create index weekly_requirements_in_order on weekly_requirements (cohort_id, week_number, order_index, id);

create trigger activity_changes_count before update on training_activities for each row
  when (old.* is distinct from new.*) execute function count_calendar_change();
create trigger assignment_changes_count before update on content_assignments for each row
  when (old.* is distinct from new.*) execute function count_calendar_change();
create trigger requirement_changes_count before update on weekly_requirements for each row
  when (old.* is distinct from new.*) execute function count_calendar_change();

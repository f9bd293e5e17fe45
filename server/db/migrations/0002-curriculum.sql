create table specialization_tracks (
  id uuid primary key default time_ordered_id(),
  name text not null unique check (name <> ''),
  description text not null default '',
  duration_weeks integer not null default 4 check (duration_weeks between 1 and 16),
  is_active boolean not null default true
);

-- The title is the module_name that activities carry.
create table course_modules (
  id uuid primary key default time_ordered_id(),
  title text not null check (title <> ''),
  module_type text not null check (module_type in ('core', 'specialization')),
  specialization_track_id uuid references specialization_tracks (id),
  curriculum_version text not null default '1',
  order_index integer not null default 1 check (order_index >= 1),
  unique nulls not distinct (curriculum_version, title, specialization_track_id),
  check ((module_type = 'specialization') = (specialization_track_id is not null))
);

create table training_activities (
  id uuid primary key default time_ordered_id(),
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
  created_at timestamptz not null default now()
);
create index training_activities_by_cohort_week on training_activities (cohort_id, week_number, session_date);
create index training_activities_by_week on training_activities (week_number, session_date, id);

-- Every upload of the product: submissions, My Files, message attachments, content.
create table stored_files (
  id uuid primary key,
  owner_id uuid not null references profiles (id),
  area text not null check (area in ('submissions', 'my_files', 'messages', 'content')),
  -- Generated; the shown name is kept beside it.
  path text not null unique,
  display_name text not null check (display_name <> ''),
  size bigint not null check (size >= 0),
  mime_type text not null,
  created_at timestamptz not null default now(),
  completed_at timestamptz
);
create index stored_files_by_owner on stored_files (owner_id, created_at desc);

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
  created_at timestamptz not null default now()
);
create index content_items_by_activity on content_items (training_activity_id, order_index);

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
  archived_at timestamptz,
  created_at timestamptz not null default now()
);
create index content_assignments_by_item on content_assignments (content_item_id);

create table weekly_requirements (
  id uuid primary key default time_ordered_id(),
  cohort_id uuid not null references cohorts (id),
  week_number integer check (week_number between 1 and 20),
  title text not null check (title <> ''),
  type text not null,
  due_date date not null
);
create index weekly_requirements_by_cohort on weekly_requirements (cohort_id, due_date);

create table resources (
  id uuid primary key default time_ordered_id(),
  title text not null check (title <> ''),
  description text,
  file_type text not null default 'material' check (file_type in ('recording', 'slide', 'material')),
  file_url text not null check (file_url <> ''),
  course_module text,
  program text not null default 'fellowship' check (program in ('fellowship', 'adult_mobilization', 'self_learner')),
  uploaded_by uuid references profiles (id),
  created_at timestamptz not null default now()
);

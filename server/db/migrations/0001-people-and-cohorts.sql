create extension if not exists btree_gist;
create extension if not exists citext;
create extension if not exists pg_trgm;

-- A time-ordered id (RFC 9562 version 7): uuidv7() exists on PostgreSQL 18 only.
create function time_ordered_id() returns uuid language sql volatile parallel safe as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
        from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
$$;

-- The id is that of the sign-in (auth."user"); there is no foreign key because a deleted person keeps the profile
-- row as 'Deleted user' while the sign-in is gone.
create table profiles (
  id uuid primary key,
  email citext not null unique,
  first_name text not null,
  last_name text not null,
  role text not null default 'participant' check (role in ('participant', 'coach', 'admin')),
  requested_role text check (requested_role in ('coach', 'admin')),
  track_type text check (track_type in ('fellowship', 'adult_mobilization', 'self_learner')),
  phone text,
  scheduling_link text,
  scheduling_enabled boolean not null default false,
  calendly_link text,
  microsoft_booking_link text,
  external_booking_instructions text,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint enabled_scheduling_has_a_link check (not scheduling_enabled or scheduling_link is not null),
  constraint request_differs_from_role check (requested_role is null or requested_role <> role)
);
create index profiles_by_role on profiles (role, first_name, id) where deleted_at is null;
create index profiles_by_age on profiles (created_at desc, id desc);

create table courses (
  id uuid primary key default time_ordered_id(),
  title text not null check (title <> ''),
  track_type text not null check (track_type in ('fellowship', 'adult_mobilization', 'self_learner')),
  created_at timestamptz not null default now()
);

create table user_courses (
  user_id uuid not null references profiles (id),
  course_id uuid not null references courses (id),
  coach_id uuid references profiles (id),
  status text not null default 'enrolled' check (status in ('enrolled', 'completed', 'withdrawn')),
  start_date date not null default current_date,
  primary key (user_id, course_id),
  constraint nobody_coaches_themself check (coach_id is distinct from user_id)
);
create index user_courses_by_coach on user_courses (coach_id, user_id) where status = 'enrolled';

create table cohorts (
  id uuid primary key default time_ordered_id(),
  name text not null check (name <> ''),
  description text not null default '',
  start_date date not null,
  end_date date not null,
  capacity integer not null default 30 check (capacity > 0),
  current_enrollment integer not null default 0 check (current_enrollment >= 0),
  status text not null default 'planning' check (status in ('planning', 'active', 'completed', 'cancelled')),
  program_type text not null check (program_type in ('fellowship', 'adult_mobilization', 'self_learner')),
  curriculum_version text not null default '1',
  unlocked_weeks integer not null default 5 check (unlocked_weeks between 0 and 20),
  created_at timestamptz not null default now(),
  unique (program_type, name),
  check (end_date >= start_date)
);

create table cohort_participants (
  cohort_id uuid not null references cohorts (id),
  participant_id uuid not null references profiles (id),
  status text not null default 'active' check (status in ('active', 'completed', 'withdrawn')),
  enrolled_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (participant_id, cohort_id)
);
create index cohort_participants_by_cohort on cohort_participants (cohort_id, participant_id) where status = 'active';

-- current_enrollment follows the active members (ADMIN-23), whoever writes them.
create function follow_enrollment() returns trigger language plpgsql as $$
begin
  if tg_op in ('INSERT', 'UPDATE') then
    update cohorts set current_enrollment = current_enrollment + joined.n
    from (select cohort_id, count(*) n from new_rows where status = 'active' group by 1) joined
    where cohorts.id = joined.cohort_id;
  end if;
  if tg_op in ('DELETE', 'UPDATE') then
    update cohorts set current_enrollment = current_enrollment - gone.n
    from (select cohort_id, count(*) n from old_rows where status = 'active' group by 1) gone
    where cohorts.id = gone.cohort_id;
  end if;
  return null;
end $$;
create trigger enrollment_grows after insert on cohort_participants
  referencing new table as new_rows for each statement execute function follow_enrollment();
create trigger enrollment_changes after update on cohort_participants
  referencing new table as new_rows old table as old_rows for each statement execute function follow_enrollment();
create trigger enrollment_shrinks after delete on cohort_participants
  referencing old table as old_rows for each statement execute function follow_enrollment();

create table bulk_imports (
  id uuid primary key default time_ordered_id(),
  filename text not null,
  status text not null default 'processing' check (status in ('processing', 'completed', 'failed')),
  total_records integer not null check (total_records >= 0),
  successful_records integer not null default 0,
  failed_records integer not null default 0,
  error_report jsonb not null default '[]',
  webhook_sent boolean not null default false,
  created_by uuid not null references profiles (id),
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  check ((status = 'processing') = (completed_at is null))
);

create table bulk_import_rows (
  import_id uuid not null references bulk_imports (id) on delete cascade,
  row_number integer not null check (row_number > 0),
  record jsonb not null,
  status text not null default 'waiting' check (status in ('waiting', 'succeeded', 'failed')),
  error text,
  user_id uuid references profiles (id),
  primary key (import_id, row_number),
  check ((status = 'failed') = (error is not null)),
  check ((status = 'succeeded') = (user_id is not null))
);

create table invitations (
  id uuid primary key default time_ordered_id(),
  user_id uuid not null references profiles (id),
  import_id uuid references bulk_imports (id),
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz
);
create index invitations_by_user on invitations (user_id, sent_at desc);

-- Who did what, when, before and after. Nobody changes or removes a row, the product's own code included.
create table audit_log (
  id uuid primary key default time_ordered_id(),
  at timestamptz not null default now(),
  actor_id uuid references profiles (id),
  action text not null,
  subject_type text not null,
  subject_id uuid not null,
  before jsonb,
  after jsonb,
  reason text
);
create index audit_log_by_subject on audit_log (subject_type, subject_id, at desc);
create index audit_log_by_time on audit_log (at desc, id desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger audit_log_is_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

create table courses (
  id uuid primary key default time_ordered_id(),
  title text not null check (title <> ''),
  track_type text not null check (track_type in ('fellowship', 'adult_mobilization', 'self_learner')),
  -- An edit names the version that it began with. A course that facts hang on is archived, never deleted.
  version integer not null default 1,
  archived_at timestamptz,
  created_at timestamptz not null default now()
);

create table user_courses (
  user_id uuid not null references profiles (id),
  course_id uuid not null references courses (id),
  coach_id uuid references profiles (id),
  status text not null default 'enrolled' check (status in ('enrolled', 'completed', 'withdrawn')),
  -- The day of the programme's zone, not that of the database's clock.
  start_date date not null default (now() at time zone 'America/New_York')::date,
  primary key (user_id, course_id),
  constraint nobody_coaches_themself check (coach_id is distinct from user_id)
);

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
  needs_second_approver boolean not null default false,
  -- One admin asks that one approver be enough. It is enough once another admin agrees.
  asked_off_by uuid references profiles (id),
  asked_off_at timestamptz,
  -- An edit names the version that it began with.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  unique (program_type, name),
  check (end_date >= start_date),
  check ((asked_off_by is null) = (asked_off_at is null)),
  check (asked_off_by is null or needs_second_approver)
);

create table cohort_participants (
  cohort_id uuid not null references cohorts (id),
  participant_id uuid not null references profiles (id),
  status text not null default 'active' check (status in ('active', 'completed', 'withdrawn')),
  enrolled_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (participant_id, cohort_id)
);

create index courses_by_age on courses (track_type, created_at, id);
create index user_courses_by_coach on user_courses (coach_id, user_id) where status = 'enrolled';
create index user_courses_without_coach on user_courses (user_id) where status = 'enrolled' and coach_id is null;
create index user_courses_by_course on user_courses (course_id);
create index cohorts_by_start on cohorts (start_date desc, id desc);
create index cohort_participants_by_cohort on cohort_participants (cohort_id, participant_id) where status = 'active';
create index cohort_participants_who_left on cohort_participants (cohort_id, participant_id) where status <> 'active';

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

create function needs_two_admins(in_cohort_id uuid) returns boolean language sql stable as $$
  select needs_second_approver from cohorts where id = in_cohort_id
$$;

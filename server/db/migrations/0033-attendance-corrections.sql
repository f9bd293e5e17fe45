-- A participant who finds a record of attendance wrong asks for its correction, before the week's stipend is decided.
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
  -- Who is refused reads why.
  check (status <> 'declined' or answer is not null)
);
create unique index one_open_correction on attendance_corrections (participant_id, activity_id) where status = 'open';
create index attendance_corrections_open on attendance_corrections (asked_at, id) where status = 'open';
create index attendance_corrections_answered on attendance_corrections (answered_at desc, id desc)
  where status in ('accepted', 'declined');
create index attendance_corrections_of_one on attendance_corrections (participant_id, activity_id, asked_at desc);

-- Attendance that was taken back stays taken back: its participant asks for a correction instead of recording it again.
-- It goes when a coach or an admin records the attendance anew.
create table attendance_removals (
  participant_id uuid not null references profiles (id),
  activity_id uuid not null references training_activities (id) on delete cascade,
  removed_by uuid not null references profiles (id),
  removed_at timestamptz not null default now(),
  reason text not null check (reason <> ''),
  primary key (participant_id, activity_id)
);
create index attendance_removals_of_activity on attendance_removals (activity_id);

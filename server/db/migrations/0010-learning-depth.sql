-- What a participant has written and uploaded for an assignment but not handed in (ASSIGN-16); goes when it is.
create table assignment_drafts (
  assignment_id uuid not null references content_assignments (id),
  user_id uuid not null references profiles (id),
  draft_text text not null default '',
  file_path text references stored_files (path),
  -- The round that the person saw when the draft was begun: null before the first submission.
  based_on_round integer check (based_on_round >= 1),
  updated_at timestamptz not null default now(),
  primary key (assignment_id, user_id)
);
create index assignment_drafts_by_user on assignment_drafts (user_id);

-- Who has a submission open for review, so that two reviewers don't write at once without knowing.
create table review_claims (
  submission_id uuid primary key references content_submissions (id),
  reviewer_id uuid not null references profiles (id),
  claimed_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check (expires_at > claimed_at)
);

create table review_drafts (
  submission_id uuid not null references content_submissions (id),
  reviewer_id uuid not null references profiles (id),
  round_number integer not null check (round_number >= 1),
  review_status text not null check (review_status in ('needs_revision', 'accepted', 'rejected')),
  feedback text not null default '',
  points_earned numeric(7, 2) check (points_earned >= 0),
  updated_at timestamptz not null default now(),
  primary key (submission_id, reviewer_id)
);

-- content_evaluations holds the points that count now; each round keeps those it was given.
alter table submission_rounds add column points_earned numeric(7, 2) check (points_earned >= 0);
alter table submission_rounds add check (points_earned is null or reviewed_at is not null);

create index content_submissions_by_status on content_submissions (status, submitted_at desc, id desc);

-- The secret address of a person's calendar; encrypted_token lets its owner read it again.
create table calendar_feeds (
  user_id uuid primary key references profiles (id),
  token_hash text not null unique,
  encrypted_token text not null,
  created_at timestamptz not null default now(),
  last_read_at timestamptz
);

-- Calendar programs take a change of an event over only when its sequence has grown.
alter table training_activities
  add column calendar_sequence integer not null default 0,
  add column updated_at timestamptz not null default now();
alter table content_assignments
  add column calendar_sequence integer not null default 0,
  add column updated_at timestamptz not null default now();
alter table coaching_sessions
  add column calendar_sequence integer not null default 0,
  add column updated_at timestamptz not null default now();

create function count_calendar_change() returns trigger language plpgsql as $$
begin
  new.calendar_sequence := old.calendar_sequence + 1;
  new.updated_at := now();
  return new;
end $$;
create trigger activity_changes_count before update on training_activities for each row
  when (old.* is distinct from new.*) execute function count_calendar_change();
create trigger assignment_changes_count before update on content_assignments for each row
  when (old.* is distinct from new.*) execute function count_calendar_change();
create trigger session_changes_count before update on coaching_sessions for each row
  when (old.* is distinct from new.*) execute function count_calendar_change();

-- One row per person and assignment (DATA-13). A resubmission updates it, and submission_rounds keeps every round.
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

create table submission_rounds (
  submission_id uuid not null references content_submissions (id),
  round_number integer not null check (round_number >= 1),
  submission_text text,
  file_path text references stored_files (path),
  submitted_at timestamptz not null,
  review_status text check (review_status in ('reviewed', 'accepted', 'approved', 'needs_revision', 'rejected', 'graded')),
  feedback text,
  -- content_evaluations holds the points that count now. Each round keeps those that it was given.
  points_earned numeric(7, 2) check (points_earned >= 0),
  reviewed_by uuid references profiles (id),
  reviewed_at timestamptz,
  primary key (submission_id, round_number),
  check (coalesce(submission_text, '') <> '' or file_path is not null),
  check ((review_status is null) = (reviewed_at is null)),
  check (points_earned is null or reviewed_at is not null),
  -- A file is handed in with one submission only, through as many of its rounds as it stays. Of two requests at the
  -- same moment the database lets one through.
  constraint one_submission_a_file
    exclude using gist (file_path with =, submission_id with <>) where (file_path is not null)
);

create table content_evaluations (
  submission_id uuid primary key references content_submissions (id),
  points_earned numeric(7, 2) check (points_earned >= 0),
  feedback text,
  graded_by uuid references profiles (id),
  graded_at timestamptz not null default now()
);

-- A correction replaces a review while the week's pay is undecided. The review itself stays on its round. The latest
-- correction counts.
create table review_corrections (
  id uuid primary key default time_ordered_id(),
  submission_id uuid not null,
  round_number integer not null,
  review_status text not null check (review_status in ('needs_revision', 'accepted', 'rejected')),
  feedback text not null check (feedback <> ''),
  points_earned numeric(7, 2) check (points_earned >= 0),
  reason text not null check (reason <> ''),
  corrected_by uuid not null references profiles (id),
  corrected_at timestamptz not null,
  foreign key (submission_id, round_number) references submission_rounds (submission_id, round_number)
);

-- What a participant has written and uploaded for an assignment but not handed in (ASSIGN-16). Handing it in removes
-- it.
create table assignment_drafts (
  assignment_id uuid not null references content_assignments (id),
  user_id uuid not null references profiles (id),
  draft_text text not null default '',
  file_path text references stored_files (path),
  -- The round that the person saw when they began the draft. It is null before the first submission.
  based_on_round integer check (based_on_round >= 1),
  updated_at timestamptz not null default now(),
  primary key (assignment_id, user_id)
);

-- Who has a submission open for review, so that two reviewers do not write at once without knowing.
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

create index content_submissions_waiting on content_submissions (submitted_at, id) where status = 'submitted';
create index content_submissions_by_user on content_submissions (user_id, submitted_at desc);
create index content_submissions_newest on content_submissions (submitted_at desc, id desc);
create index content_submissions_by_status on content_submissions (status, submitted_at desc, id desc);
-- The list shows the submissions of one assignment, or of each assignment that a search finds, in this order.
create index content_submissions_by_assignment on content_submissions (assignment_id, submitted_at desc, id desc);
-- Whoever removes a stored file asks whether it is in use.
create index content_submissions_by_file on content_submissions (file_path) where file_path is not null;
-- A coach sees what waits of their own participants.
create index content_submissions_waiting_by_user on content_submissions (user_id, submitted_at, id)
  where status = 'submitted';
create index review_corrections_by_round on review_corrections (submission_id, round_number, corrected_at desc);
create index assignment_drafts_by_user on assignment_drafts (user_id);
create index assignment_drafts_by_file on assignment_drafts (file_path) where file_path is not null;

-- What was handed in, and what was said of it, never changes. A review is written once onto its round.
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
create trigger review_corrections_are_immutable before update on review_corrections
  for each statement execute function refuse_change();
create trigger review_corrections_stay before delete on review_corrections
  for each statement execute function refuse_change();

-- The tables beside content_submissions do not say whose work it is. The argument names the column with the reviewer.
create function refuse_own_work() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) ->> tg_argv[0])::uuid = (select user_id from content_submissions where id = new.submission_id) then
    raise exception 'nobody decides about what is their own';
  end if;
  return new;
end $$;
create trigger own_work_is_not_reviewed before insert or update of reviewed_by on content_submissions for each row
  when (new.reviewed_by = new.user_id) execute function refuse_own();
create trigger own_rounds_are_not_reviewed before insert or update of reviewed_by on submission_rounds for each row
  when (new.reviewed_by is not null) execute function refuse_own_work('reviewed_by');
create trigger own_work_is_not_graded before insert or update of graded_by on content_evaluations for each row
  when (new.graded_by is not null) execute function refuse_own_work('graded_by');
create trigger own_work_is_not_claimed before insert or update of reviewer_id on review_claims for each row
  execute function refuse_own_work('reviewer_id');
create trigger own_work_has_no_review_draft before insert or update of reviewer_id on review_drafts for each row
  execute function refuse_own_work('reviewer_id');

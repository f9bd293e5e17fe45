-- A participant who finds a week's stipend wrong, or does not understand it, asks about it; the coach or an admin answers.
create table stipend_questions (
  id uuid primary key default time_ordered_id(),
  participant_id uuid not null references profiles (id),
  cohort_id uuid not null references cohorts (id),
  week_number integer not null check (week_number between 1 and 16),
  question text not null check (question <> ''),
  -- The week as the participant saw it, in words, one line each: it may change before somebody answers.
  facts text[] not null,
  asked_at timestamptz not null default now(),
  status text not null default 'open' check (status in ('open', 'answered', 'closed', 'withdrawn')),
  answer text check (answer <> ''),
  answered_by uuid references profiles (id),
  answered_at timestamptz,
  -- Closed is what was settled without an answer here, as in a talk or by a message.
  check ((status in ('answered', 'closed')) = (answered_by is not null and answered_at is not null)),
  check ((status = 'answered') = (answer is not null))
);
create unique index one_open_stipend_question on stipend_questions (participant_id, cohort_id, week_number)
  where status = 'open';
create index stipend_questions_open on stipend_questions (asked_at, id) where status = 'open';
create index stipend_questions_answered on stipend_questions (answered_at desc, id desc)
  where status in ('answered', 'closed');
create index stipend_questions_of_one on stipend_questions (participant_id, cohort_id, week_number, asked_at desc);

-- What happened, or is about to be due, that a person may have to be told. Whether and by which channels is decided
-- when it is due, from the person's preferences and the state of its subject then.
create table notice_events (
  id uuid primary key default time_ordered_id(),
  kind text not null,
  -- The preference that switches it off. It is null for what is always told (sign-in, account).
  category text check (category in
    ('assignment_reminders', 'deadline_alerts', 'performance_feedback', 'stipend_updates', 'coach_messages')),
  user_id uuid not null references profiles (id),
  -- The session or message that it is about. Whoever got an invitation to a session gets its changes too.
  subject_id uuid,
  facts jsonb not null default '{}',
  -- The same event never exists twice.
  event_key text not null unique,
  due_at timestamptz not null default now(),
  decided_at timestamptz,
  -- Why nothing was sent, where nothing was.
  outcome text,
  created_at timestamptz not null default now()
);

-- What a person is told inside the product.
create table notices (
  id uuid primary key default time_ordered_id(),
  user_id uuid not null references profiles (id),
  event_id uuid unique references notice_events (id),
  kind text not null,
  title text not null,
  message text not null default '',
  link text,
  -- Several notices of one matter are one line: while the line is unread, the next one takes its place.
  matter text,
  replaced_by uuid references notices (id),
  created_at timestamptz not null default now(),
  read_at timestamptz
);

create table notification_preferences (
  user_id uuid primary key references profiles (id),
  email_enabled boolean not null default true,
  sms_enabled boolean not null default false,
  push_enabled boolean not null default true,
  assignment_reminders boolean not null default true,
  deadline_alerts boolean not null default true,
  performance_feedback boolean not null default true,
  stipend_updates boolean not null default true,
  coach_messages boolean not null default true
);

create index notice_events_waiting on notice_events (due_at, id) where decided_at is null;
create index notice_events_by_user on notice_events (user_id, created_at desc);
create index notice_events_by_session on notice_events (subject_id, user_id) where kind = 'coaching_session';
-- This finds out whether anybody was told of a message, or will be.
create index notice_events_by_message on notice_events (subject_id) where kind = 'message';
create index notices_by_user on notices (user_id, created_at desc, id desc);
create index notices_replaced on notices (replaced_by) where replaced_by is not null;
create index notices_unread on notices (user_id) where read_at is null and replaced_by is null;

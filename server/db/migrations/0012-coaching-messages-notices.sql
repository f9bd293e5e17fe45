-- The sender's own key of a message: sent again after a lost answer, or after being offline, it exists once.
alter table coach_messages add column client_key uuid;
create unique index coach_messages_once on coach_messages (sender_id, client_key) where client_key is not null;
drop index coach_messages_by_pair;
create index coach_messages_by_pair
  on coach_messages (least(sender_id, recipient_id), greatest(sender_id, recipient_id), sent_at desc, id desc);

-- What happened, or is about to be due, that a person may have to be told. Whether and by which channels is decided
-- when it is due, from the person's preferences and the state of its subject then.
create table notice_events (
  id uuid primary key default time_ordered_id(),
  kind text not null,
  -- The preference that switches it off; empty for what is always told (sign-in, account).
  category text check (category in
    ('assignment_reminders', 'deadline_alerts', 'performance_feedback', 'stipend_updates', 'coach_messages')),
  user_id uuid not null references profiles (id),
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
create index notice_events_waiting on notice_events (due_at, id) where decided_at is null;
create index notice_events_by_user on notice_events (user_id, created_at desc);

alter table notices add column event_id uuid unique references notice_events (id);
create index notices_unread on notices (user_id) where read_at is null;
alter table deliveries
  add column event_id uuid references notice_events (id),
  -- Quiet hours: nothing is sent before.
  add column not_before timestamptz;

create table push_subscriptions (
  id uuid primary key default time_ordered_id(),
  user_id uuid not null references profiles (id),
  endpoint text not null unique check (endpoint like 'https://%' or endpoint like 'http://127.0.0.1:%'),
  p256dh text not null,
  auth_secret text not null,
  user_agent text,
  created_at timestamptz not null default now()
);
create index push_subscriptions_by_user on push_subscriptions (user_id);

-- The server's own identity towards push services (VAPID), made once.
create table push_keys (
  is_only_row boolean primary key default true check (is_only_row),
  public_key text not null,
  encrypted_private_key text not null,
  created_at timestamptz not null default now()
);

-- Days, both included, on which a coach takes no bookings.
create table coach_leave (
  id uuid primary key default time_ordered_id(),
  coach_id uuid not null references profiles (id),
  starts_on date not null,
  ends_on date not null,
  note text,
  check (ends_on >= starts_on)
);
create index coach_leave_by_coach on coach_leave (coach_id, ends_on);

-- Adding whole minutes to an instant does not depend on a zone, so this may be indexed.
create function session_period(starts timestamptz, minutes integer) returns tstzrange
  language sql immutable strict parallel safe as $$
  select tstzrange(starts, starts + make_interval(secs => minutes * 60), '[)')
$$;

create table coach_availability (
  id uuid primary key default time_ordered_id(),
  coach_id uuid not null references profiles (id),
  week_start_date date not null,
  -- 0 = Sunday
  day_of_week integer not null check (day_of_week between 0 and 6),
  -- US Eastern wall-clock times.
  start_time time not null,
  end_time time not null,
  is_available boolean not null default true,
  check (end_time > start_time),
  unique (coach_id, week_start_date, day_of_week, start_time)
);

create table coaching_sessions (
  id uuid primary key default time_ordered_id(),
  coach_id uuid not null references profiles (id),
  participant_id uuid not null references profiles (id),
  scheduled_at timestamptz not null,
  duration_minutes integer not null default 30 check (duration_minutes between 5 and 480),
  agenda text,
  notes text,
  status text not null default 'scheduled' check (status in ('scheduled', 'completed', 'cancelled', 'no_show')),
  cancel_reason text,
  teams_link text,
  created_at timestamptz not null default now(),
  check (coach_id <> participant_id),
  check (cancel_reason is null or status = 'cancelled'),
  constraint coach_is_never_double_booked
    exclude using gist (coach_id with =, session_period(scheduled_at, duration_minutes) with &&) where (status = 'scheduled'),
  constraint participant_is_never_double_booked
    exclude using gist (participant_id with =, session_period(scheduled_at, duration_minutes) with &&) where (status = 'scheduled')
);
create index coaching_sessions_by_coach on coaching_sessions (coach_id, scheduled_at);
create index coaching_sessions_by_participant on coaching_sessions (participant_id, scheduled_at);

create table coach_messages (
  id uuid primary key default time_ordered_id(),
  sender_id uuid not null references profiles (id),
  recipient_id uuid not null references profiles (id),
  recipient_type text not null check (recipient_type in ('fellow', 'coach')),
  subject text,
  message text not null default '',
  message_type text not null default 'general' check (message_type in ('general', 'feedback', 'session_request', 'performance_note')),
  file_path text references stored_files (path),
  is_read boolean not null default false,
  read_at timestamptz,
  sent_at timestamptz not null default now(),
  check (sender_id <> recipient_id),
  check (message <> '' or file_path is not null),
  check (is_read = (read_at is not null))
);
create index coach_messages_by_pair on coach_messages (least(sender_id, recipient_id), greatest(sender_id, recipient_id), sent_at desc);
create index coach_messages_unread on coach_messages (recipient_id, sender_id) where not is_read;

-- An admin reading a conversation is logged and shown to the two people in it.
create table conversation_openings (
  id uuid primary key default time_ordered_id(),
  admin_id uuid not null references profiles (id),
  coach_id uuid not null references profiles (id),
  participant_id uuid not null references profiles (id),
  reason text,
  opened_at timestamptz not null default now()
);
create index conversation_openings_by_pair on conversation_openings (coach_id, participant_id, opened_at desc);

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

-- What a person is told inside the product.
create table notices (
  id uuid primary key default time_ordered_id(),
  user_id uuid not null references profiles (id),
  kind text not null,
  title text not null,
  message text not null default '',
  link text,
  created_at timestamptz not null default now(),
  read_at timestamptz
);
create index notices_by_user on notices (user_id, created_at desc, id desc);

-- What is sent to a person outside the product: one row a delivery, whatever becomes of it.
create table deliveries (
  id uuid primary key default time_ordered_id(),
  channel text not null default 'mail' check (channel in ('mail', 'push', 'sms')),
  kind text not null,
  recipient_id uuid references profiles (id),
  address text not null,
  subject text not null,
  text_body text not null,
  html_body text,
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed', 'given_up')),
  attempts integer not null default 0 check (attempts >= 0),
  last_error text,
  -- The same event never makes a second delivery.
  event_key text unique,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  check ((status = 'sent') = (sent_at is not null))
);
create index deliveries_newest on deliveries (created_at desc, id desc);
create index deliveries_waiting on deliveries (created_at) where status in ('queued', 'failed');

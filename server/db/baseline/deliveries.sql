-- What is sent to a person outside the product: one row a delivery, whatever becomes of it.
create table deliveries (
  id uuid primary key default time_ordered_id(),
  event_id uuid references notice_events (id),
  channel text not null default 'mail' check (channel in ('mail', 'push', 'sms')),
  kind text not null,
  recipient_id uuid references profiles (id),
  address text not null,
  subject text not null,
  text_body text not null,
  html_body text,
  -- A message with a link or a code for one person alone is sealed while it waits. Nobody reads it in the table or in a
  -- copy of the table.
  is_sealed boolean not null default false,
  -- The calendar part of a mail, by which a mail program adds, changes or removes one event. It stays as it was first
  -- written, so that what is sent again is the same to the last byte.
  calendar_method text check (calendar_method in ('REQUEST', 'CANCEL')),
  calendar_text text,
  -- A delivery is dropped when what it tells of was read, done or switched off meanwhile. It is given up when it could
  -- not be delivered.
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed', 'given_up', 'dropped')),
  attempts integer not null default 0 check (attempts >= 0),
  last_error text,
  -- The same event never makes a second delivery.
  event_key text unique,
  -- Quiet hours: nothing is sent before then.
  not_before timestamptz,
  -- Whoever sends a delivery has it alone until then. Of two runs of its job one sends, and a try that was cut off ends
  -- by itself.
  tried_until timestamptz,
  -- Since then a mail server has the whole mail, or all but the line that ends it, and has not answered. Such a try is
  -- not repeated: nobody can know whether the mail has arrived.
  awaiting_answer_since timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  given_up_at timestamptz,
  check ((status = 'sent') = (sent_at is not null)),
  check ((status = 'given_up') = (given_up_at is not null)),
  constraint calendar_part_is_whole check (
    (calendar_method is null) = (calendar_text is null) and (calendar_text is null or channel = 'mail')),
  constraint waiting_deliveries_have_a_body
    check (event_id is not null or text_body <> '' or status in ('sent', 'dropped', 'given_up'))
);

create table push_subscriptions (
  id uuid primary key default time_ordered_id(),
  user_id uuid not null references profiles (id),
  -- The setting PUSH_ALLOW_PRIVATE says whether an endpoint without https is taken. The database does not know it.
  endpoint text not null unique check (endpoint ~ '^https?://'),
  p256dh text not null,
  auth_secret text not null,
  user_agent text,
  -- A session is a browser, and a browser has one subscription. When somebody ends that session, its pushes end too.
  -- There is no foreign key, because a session that only ran out leaves the subscription as it is.
  session_id uuid,
  created_at timestamptz not null default now()
);

-- The server's own identity towards push services (VAPID), made once.
create table push_keys (
  is_only_row boolean primary key default true check (is_only_row),
  public_key text not null,
  encrypted_private_key text not null,
  created_at timestamptz not null default now()
);

create index deliveries_newest on deliveries (created_at desc, id desc);
create index deliveries_waiting on deliveries (created_at) where status in ('queued', 'failed');
create index deliveries_given_up on deliveries (given_up_at desc, id desc) where status = 'given_up';
-- This finds out whether somebody's invitation was delivered.
create index deliveries_of_invitations on deliveries (recipient_id, id desc) where kind = 'invitation';
create index deliveries_with_calendar on deliveries (event_id) where calendar_method is not null;
create index push_subscriptions_by_user on push_subscriptions (user_id);
create unique index push_subscriptions_by_session on push_subscriptions (session_id);

create table coach_messages (
  id uuid primary key default time_ordered_id(),
  sender_id uuid not null references profiles (id),
  recipient_id uuid not null references profiles (id),
  recipient_type text not null check (recipient_type in ('fellow', 'coach')),
  subject text,
  message text not null default '',
  message_type text not null default 'general' check (message_type in
    ('general', 'feedback', 'session_request', 'performance_note')),
  file_path text references stored_files (path),
  -- The sender's own key of a message. Sent again after a lost answer, or after being offline, it exists once.
  client_key uuid,
  is_read boolean not null default false,
  read_at timestamptz,
  sent_at timestamptz not null default now(),
  check (sender_id <> recipient_id),
  check (message <> '' or file_path is not null),
  check (is_read = (read_at is not null))
);

-- An admin who reads a conversation is logged, and the two people in it see that.
create table conversation_openings (
  id uuid primary key default time_ordered_id(),
  admin_id uuid not null references profiles (id),
  coach_id uuid not null references profiles (id),
  participant_id uuid not null references profiles (id),
  reason text,
  opened_at timestamptz not null default now()
);

-- When each person last sent or received a message. It orders an admin's contacts without reading all messages.
create table last_messages (
  person_id uuid primary key references profiles (id),
  sent_at timestamptz not null
);

create index coach_messages_unread on coach_messages (recipient_id, sender_id) where not is_read;
create unique index coach_messages_once on coach_messages (sender_id, client_key) where client_key is not null;
create index coach_messages_by_pair
  on coach_messages (least(sender_id, recipient_id), greatest(sender_id, recipient_id), sent_at desc, id desc);
create index coach_messages_by_file on coach_messages (file_path) where file_path is not null;
-- Admins list the conversations of one person.
create index coach_messages_by_sender on coach_messages (sender_id, sent_at desc);
create index coach_messages_by_recipient on coach_messages (recipient_id, sent_at desc);
create index conversation_openings_by_pair on conversation_openings (coach_id, participant_id, opened_at desc);
create index last_messages_newest on last_messages (sent_at desc, person_id);

-- Only that a message was read changes after it was sent, and once (MSG-37).
create function keep_sent_message() returns trigger language plpgsql as $$
begin
  if old.is_read or (to_jsonb(new) - 'is_read' - 'read_at') is distinct from (to_jsonb(old) - 'is_read' - 'read_at') then
    raise exception 'a sent message is immutable';
  end if;
  return new;
end $$;
create trigger sent_messages_stay before update on coach_messages for each row execute function keep_sent_message();

-- People are written in the order of their ids, so that two conversations which share a person never wait for each
-- other.
create function remember_last_message() returns trigger language plpgsql as $$
begin
  insert into last_messages as known (person_id, sent_at)
  select person_id, new.sent_at from unnest(array[new.sender_id, new.recipient_id]) as person_id order by person_id
  on conflict (person_id) do update set sent_at = greatest(known.sent_at, excluded.sent_at);
  return null;
end $$;
create trigger messages_are_the_last after insert on coach_messages
  for each row execute function remember_last_message();

-- The conversations of one person, for admins.
create index coach_messages_by_sender on coach_messages (sender_id, sent_at desc);
create index coach_messages_by_recipient on coach_messages (recipient_id, sent_at desc);

-- Of a sent message only that it was read changes, once (MSG-37).
create function keep_sent_message() returns trigger language plpgsql as $$
begin
  if old.is_read or (to_jsonb(new) - 'is_read' - 'read_at') is distinct from (to_jsonb(old) - 'is_read' - 'read_at') then
    raise exception 'a sent message is immutable';
  end if;
  return new;
end $$;
create trigger sent_messages_stay before update on coach_messages for each row execute function keep_sent_message();

-- A message takes the row of each of its people in last_messages. It takes them as its transaction commits, so that those
-- who write to one coach at once do not wait for each other's whole acts.
drop trigger messages_are_the_last on coach_messages;
create constraint trigger messages_are_the_last after insert on coach_messages
  deferrable initially deferred for each row execute function remember_last_message();

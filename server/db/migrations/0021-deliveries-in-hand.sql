-- A delivery that is not needed any more (what it tells of was read, done or switched off meanwhile) is dropped; one
-- that could not be delivered is given up, at an instant that its list is ordered by.
alter table deliveries drop constraint deliveries_status_check;
alter table deliveries
  add constraint deliveries_status_check check (status in ('queued', 'sent', 'failed', 'given_up', 'dropped')),
  add column given_up_at timestamptz;
update deliveries set given_up_at = created_at where status = 'given_up';
alter table deliveries add check ((status = 'given_up') = (given_up_at is not null));
create index deliveries_given_up on deliveries (given_up_at desc, id desc) where status = 'given_up';

-- When each person last sent or received a message: the order of an admin's contacts, without reading all messages.
create table last_messages (
  person_id uuid primary key references profiles (id),
  sent_at timestamptz not null
);
create index last_messages_newest on last_messages (sent_at desc, person_id);
insert into last_messages (person_id, sent_at)
select person_id, max(sent_at)
from (
  select sender_id as person_id, sent_at from coach_messages
  union all select recipient_id, sent_at from coach_messages
) sent_or_received group by person_id;

-- In the order of the ids, so that two conversations which share a person never wait for each other.
create function remember_last_message() returns trigger language plpgsql as $$
begin
  insert into last_messages as known (person_id, sent_at)
  select person_id, new.sent_at from unnest(array[new.sender_id, new.recipient_id]) as person_id order by person_id
  on conflict (person_id) do update set sent_at = greatest(known.sent_at, excluded.sent_at);
  return null;
end $$;
create trigger messages_are_the_last after insert on coach_messages
  for each row execute function remember_last_message();

-- Notices of messages that were read in the conversation.
update notices set read_at = coach_messages.read_at
from notice_events join coach_messages on coach_messages.id = notice_events.subject_id
where notices.event_id = notice_events.id and notice_events.kind = 'message'
  and notices.read_at is null and coach_messages.is_read;

-- The admin's dashboard counts everybody and all work. Whoever writes one of these adds to the tallies in the same
-- transaction, and waits for nobody: each writes lines of its own, for which a job counts anew (docs/decisions/0095).
create table tallies (
  id bigint generated always as identity primary key,
  -- work: all that was handed in. waiting: what of it waits for review.
  what text not null check (what in ('people', 'work', 'waiting')),
  -- Of people: their role and kind.
  part text not null default '',
  -- When it came to be, in whole hours of UTC, so that the latest can be told from the others.
  hour timestamptz not null default '-infinity',
  change bigint not null
);
create index tallies_by_hour on tallies (what, hour);

create function hour_of(instant timestamptz) returns timestamptz language sql immutable strict parallel safe as $$
  select date_trunc('hour', instant, 'UTC')
$$;

create function part_of(role text, track_type text) returns text language sql immutable parallel safe as $$
  select role || ' ' || coalesce(track_type, '')
$$;

create function tally_new_people() returns trigger language plpgsql as $$
begin
  insert into tallies (what, part, change)
  select 'people', part_of(role, track_type), count(*) from added where deleted_at is null group by 2;
  return null;
end $$;

create function tally_changed_person() returns trigger language plpgsql as $$
begin
  if old.deleted_at is null then
    insert into tallies (what, part, change) values ('people', part_of(old.role, old.track_type), -1);
  end if;
  if tg_op = 'UPDATE' and new.deleted_at is null then
    insert into tallies (what, part, change) values ('people', part_of(new.role, new.track_type), 1);
  end if;
  return null;
end $$;

create trigger new_people_are_tallied after insert on profiles
  referencing new table as added for each statement execute function tally_new_people();
create trigger changed_people_are_tallied after update of role, track_type, deleted_at or delete on profiles
  for each row execute function tally_changed_person();

create function tally_new_work() returns trigger language plpgsql as $$
begin
  insert into tallies (what, hour, change)
  select 'work', hour_of(submitted_at), count(*) from added group by 2
  union all
  select 'waiting', '-infinity', count(*) from added where status = 'submitted' having count(*) > 0;
  return null;
end $$;

create function tally_changed_work() returns trigger language plpgsql as $$
begin
  insert into tallies (what, hour, change) values ('work', hour_of(old.submitted_at), -1);
  if old.status = 'submitted' then
    insert into tallies (what, change) values ('waiting', -1);
  end if;
  if tg_op = 'UPDATE' then
    insert into tallies (what, hour, change) values ('work', hour_of(new.submitted_at), 1);
    if new.status = 'submitted' then
      insert into tallies (what, change) values ('waiting', 1);
    end if;
  end if;
  return null;
end $$;

create trigger new_work_is_tallied after insert on content_submissions
  referencing new table as added for each statement execute function tally_new_work();
create trigger changed_work_is_tallied after update of status, submitted_at or delete on content_submissions
  for each row execute function tally_changed_work();

-- What the tallies sum up to, counted anew.
create view counted_anew as
select 'people' as what, part_of(role, track_type) as part, '-infinity'::timestamptz as hour, count(*) as change
from profiles where deleted_at is null group by 2
union all
select 'work', '', hour_of(submitted_at), count(*) from content_submissions group by 3
union all
select 'waiting', '', '-infinity', count(*) from content_submissions where status = 'submitted';

insert into tallies (what, part, hour, change) select * from counted_anew;

-- Who came or left in the last days.
create index profiles_by_day on profiles (created_at);
create index profiles_deleted on profiles (deleted_at) where deleted_at is not null;
create index cohort_participants_by_day on cohort_participants (enrolled_at);
create index cohort_participants_ended on cohort_participants (ended_at) where ended_at is not null;

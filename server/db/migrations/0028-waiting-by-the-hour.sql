-- The lines of what waits for review carry the hour of the hand-in too, so that it is summed up by how long it waits
-- (docs/decisions/0095).
create or replace function tally_new_work() returns trigger language plpgsql as $$
begin
  insert into tallies (what, hour, change)
  select 'work', hour_of(submitted_at), count(*) from added group by 2
  union all
  select 'waiting', hour_of(submitted_at), count(*) from added where status = 'submitted' group by 2;
  return null;
end $$;

create or replace function tally_changed_work() returns trigger language plpgsql as $$
begin
  insert into tallies (what, hour, change) values ('work', hour_of(old.submitted_at), -1);
  if old.status = 'submitted' then
    insert into tallies (what, hour, change) values ('waiting', hour_of(old.submitted_at), -1);
  end if;
  if tg_op = 'UPDATE' then
    insert into tallies (what, hour, change) values ('work', hour_of(new.submitted_at), 1);
    if new.status = 'submitted' then
      insert into tallies (what, hour, change) values ('waiting', hour_of(new.submitted_at), 1);
    end if;
  end if;
  return null;
end $$;

create or replace view counted_anew as
select 'people' as what, part_of(role, track_type) as part, '-infinity'::timestamptz as hour, count(*) as change
from profiles where deleted_at is null group by 2
union all
select 'work', '', hour_of(submitted_at), count(*) from content_submissions group by 3
union all
select 'waiting', '', hour_of(submitted_at), count(*) from content_submissions where status = 'submitted' group by 3
union all
select line.what, part_of_week(week_number, payment_status, is_eligible), '-infinity', (line.change)::bigint
from (
  select week_number, payment_status, overall_eligible as is_eligible, count(*) as rows, sum(stipend_amount_cents) as cents
  from stipend_eligibility group by 1, 2, 3
) week, lateral (values ('stipends', week.rows), ('stipend cents', week.cents)) line (what, change);

with former as (delete from tallies where what = 'waiting')
insert into tallies (what, part, hour, change) select * from counted_anew where what = 'waiting';

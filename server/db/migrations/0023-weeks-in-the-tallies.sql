-- The figures of a week of stipends are summed up, not counted (docs/decisions/0096). Whoever writes rows of stipends adds
-- to the tallies in the same transaction, a line for each week and standing that the statement changed.
alter table tallies
  drop constraint tallies_what_check,
  add constraint tallies_what_check check (what in ('people', 'work', 'waiting', 'stipends', 'stipend cents'));
create index tallies_by_part on tallies (what, part);

create function part_of_week(week_number integer, payment_status text, is_eligible boolean) returns text
language sql immutable parallel safe as $$
  select week_number || ' ' || payment_status || case when is_eligible then ' eligible' else '' end
$$;

create function tally_new_stipends() returns trigger language plpgsql as $$
begin
  insert into tallies (what, part, change)
  select line.what, part_of_week(week_number, payment_status, overall_eligible), sum(line.change)
  from added, lateral (values ('stipends', 1), ('stipend cents', stipend_amount_cents)) line (what, change)
  group by 1, 2 having sum(line.change) <> 0;
  return null;
end $$;

create function tally_changed_stipends() returns trigger language plpgsql as $$
begin
  insert into tallies (what, part, change)
  select line.what, part, sum(sign * line.change)
  from (
    select 1 as sign, part_of_week(week_number, payment_status, overall_eligible) as part, stipend_amount_cents from added
    union all
    select -1, part_of_week(week_number, payment_status, overall_eligible), stipend_amount_cents from removed
  ) changed, lateral (values ('stipends', 1), ('stipend cents', stipend_amount_cents)) line (what, change)
  group by 1, 2 having sum(sign * line.change) <> 0;
  return null;
end $$;

create function tally_removed_stipends() returns trigger language plpgsql as $$
begin
  insert into tallies (what, part, change)
  select line.what, part_of_week(week_number, payment_status, overall_eligible), -sum(line.change)
  from removed, lateral (values ('stipends', 1), ('stipend cents', stipend_amount_cents)) line (what, change)
  group by 1, 2 having sum(line.change) <> 0;
  return null;
end $$;

create trigger new_stipends_are_tallied after insert on stipend_eligibility
  referencing new table as added for each statement execute function tally_new_stipends();
create trigger changed_stipends_are_tallied after update on stipend_eligibility
  referencing old table as removed new table as added for each statement execute function tally_changed_stipends();
create trigger removed_stipends_are_tallied after delete on stipend_eligibility
  referencing old table as removed for each statement execute function tally_removed_stipends();

create or replace view counted_anew as
select 'people' as what, part_of(role, track_type) as part, '-infinity'::timestamptz as hour, count(*) as change
from profiles where deleted_at is null group by 2
union all
select 'work', '', hour_of(submitted_at), count(*) from content_submissions group by 3
union all
select 'waiting', '', '-infinity', count(*) from content_submissions where status = 'submitted'
union all
select line.what, part_of_week(week_number, payment_status, is_eligible), '-infinity', (line.change)::bigint
from (
  select week_number, payment_status, overall_eligible as is_eligible, count(*) as rows, sum(stipend_amount_cents) as cents
  from stipend_eligibility group by 1, 2, 3
) week, lateral (values ('stipends', week.rows), ('stipend cents', week.cents)) line (what, change);

insert into tallies (what, part, hour, change)
select * from counted_anew where what in ('stipends', 'stipend cents');

-- The stipends of a week that wait for approval, and those that may wait for their payment.
create index stipend_eligibility_waiting_in_week on stipend_eligibility (week_number, id)
  include (fellow_id, stipend_amount_cents, version) where overall_eligible and payment_status = 'pending';
create index stipend_eligibility_approved_in_week on stipend_eligibility (week_number, id) where payment_status = 'approved';

-- The outlook of a running week that is worked out is taken from its row, and holds as long as the row has this version
-- (docs/decisions/0103). Null for a week that had no row.
alter table stipend_outlooks
  add column stipend_id uuid,
  add column stipend_version integer,
  add constraint stipend_outlooks_row check ((stipend_id is null) = (stipend_version is null));

-- As before, and a fact of an activity of no cohort counts in whichever cohort the person is about to be.
create or replace function forget_outlooks_of_facts() returns trigger language plpgsql as $$
begin
  if exists (
    select from new_notes where person_id is not null
      and (fact in ('membership', 'person') or cohort_id is null and fact not in ('completion', 'track'))
  ) then
    perform pg_advisory_xact_lock_shared(outlooks_lock());
  end if;
  perform forget_outlooks(array(
    select person_id from new_notes where fact not in ('completion', 'track') and person_id is not null));
  if exists (select from new_notes where person_id is null) then
    perform forget_outlooks_of_cohorts(array(
      select cohort_id from new_notes where person_id is null and cohort_id is not null
      union
      select id from cohorts where exists (select from new_notes where person_id is null and cohort_id is null)));
  end if;
  return null;
end $$;

-- As before, but nothing is filled in from the moment at which the cohorts are listed. While it then waits for their
-- weeks, a cohort may be made.
create or replace function forget_outlooks_of_program() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(outlooks_lock());
  perform forget_outlooks_of_cohorts(array(
    select id from cohorts where programme_id = (to_jsonb(new) ->> tg_argv[0])::uuid));
  return null;
end $$;

-- Whether a person's pay of the running week would fall short even if the rest of the week went well. It is read at each
-- look and changes seldom (docs/decisions/0101). A job fills in what is missing. It holds from one midnight to the next,
-- and whatever it follows from removes it.
create table stipend_outlooks (
  -- Without a reference, so that nobody who fills this in waits for who changes a profile.
  person_id uuid primary key,
  is_at_risk boolean not null,
  holds_from timestamptz not null,
  holds_until timestamptz not null
);

-- Whose memberships change, or the terms of a program, is held in common, and alone by whoever fills outlooks in: no lock
-- of a cohort's weeks says in which cohorts a person is about to be.
create function outlooks_lock() returns bigint language sql immutable parallel safe as $$
  select hashtextextended('stipend outlooks', 0)
$$;

-- As before, but a person's note holds the weeks of all their cohorts: an activity may move to another of these.
create or replace function hold_new_weeks() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(weeks_lock(noted.cohort_id)) from (
    select cohort_id from new_notes where cohort_id is not null and fact not in ('completion', 'track')
    union
    select membership.cohort_id from new_notes note
    join cohort_participants membership on membership.participant_id = note.person_id
    where note.fact not in ('completion', 'track')
    union
    select cohorts.id from cohorts
    where exists (select from new_notes note where note.cohort_id is null and note.person_id is null)
    order by cohort_id) noted;
  return null;
end $$;

-- All remove them in one order.
create function forget_outlooks(person_ids uuid[]) returns void language plpgsql as $$
begin
  delete from stipend_outlooks using (
    select person_id from stipend_outlooks where person_id = any(person_ids) order by person_id for update) held
  where stipend_outlooks.person_id = held.person_id;
end $$;

create function forget_outlooks_of_cohorts(cohort_ids uuid[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(weeks_lock(id)) from (select id from unnest(cohort_ids) id order by id) cohorts;
  perform pg_advisory_xact_lock_shared(outlooks_lock());
  perform forget_outlooks(array(
    select participant_id from cohort_participants where cohort_id = any(cohort_ids) and status = 'active'));
end $$;

-- By its name it runs after new_weeks_are_held, which holds the weeks.
create function forget_outlooks_of_facts() returns trigger language plpgsql as $$
begin
  if exists (select from new_notes where person_id is not null and fact in ('membership', 'person')) then
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
create trigger outlooks_are_forgotten after insert on fact_changes
  referencing new table as new_notes for each statement execute function forget_outlooks_of_facts();

-- The terms of a program, and the rules by which it pays. Its argument names the column with the program.
create function forget_outlooks_of_program() returns trigger language plpgsql as $$
begin
  perform forget_outlooks_of_cohorts(array(
    select id from cohorts where programme_id = (to_jsonb(new) ->> tg_argv[0])::uuid));
  return null;
end $$;
create trigger outlooks_are_forgotten after update of weeks, days_per_week, zone, pay_period, paid_kinds on programmes
  for each row execute function forget_outlooks_of_program('id');
create trigger outlooks_are_forgotten after insert or update on rule_sets
  for each row when (new.published_at is not null) execute function forget_outlooks_of_program('programme_id');

create function forget_outlooks_of_cohort() returns trigger language plpgsql as $$
begin
  perform forget_outlooks_of_cohorts(array[new.id]);
  return null;
end $$;
create trigger outlooks_are_forgotten after update of status, programme_id on cohorts
  for each row when ((new.status, new.programme_id) is distinct from (old.status, old.programme_id))
  execute function forget_outlooks_of_cohort();

-- The zone in which a person's days begin and end, and in which times are said to them: that of the program of the
-- cohort that they are in (FELL-08), or else that of the first program.
create function zone_of_person(in_person_id uuid) returns text language sql stable parallel safe as $$
  select coalesce(
    (select programmes.zone from cohort_participants membership
      join cohorts on cohorts.id = membership.cohort_id
      join programmes on programmes.id = cohorts.programme_id
      where membership.participant_id = in_person_id and membership.status = 'active'
      order by cohorts.start_date desc, cohorts.id desc limit 1),
    (select zone from programmes where id = default_programme_id()))
$$;

create function zone_of_cohort(in_cohort_id uuid) returns text language sql stable parallel safe as $$
  select zone from cohorts join programmes on programmes.id = cohorts.programme_id where cohorts.id = in_cohort_id
$$;

-- The instant of a wall-clock time in a zone. A time that a change of the clocks skips has none. A time that comes twice
-- has the first.
create function instant_in(wall_clock timestamp, in_zone text) returns timestamptz language sql stable strict parallel safe
as $$
  select case
    when (instant - interval '1 hour') at time zone in_zone = wall_clock then instant - interval '1 hour'
    when instant at time zone in_zone = wall_clock then instant
  end
  from (select wall_clock at time zone in_zone as instant) as read
$$;
create or replace function eastern_instant(wall_clock timestamp) returns timestamptz language sql stable strict parallel safe
as $$ select instant_in(wall_clock, 'America/New_York') $$;

-- The half hours in which a participant can meet a coach: what the coach offers, without leave and without what either
-- has scheduled. A session that is to be moved does not stand in its own way. Both what is shown and what is accepted
-- are asked here. Each half hour and each session becomes a range once, and not for each of the other.
create or replace function free_slots(
  of_coach uuid, for_participant uuid, not_before timestamptz, not_after timestamptz, moved_session uuid default null
) returns table (starts_at timestamptz) language sql stable parallel safe as $$
  with offered as (
    select week_start_date + (day_of_week - extract(dow from week_start_date)::integer + 7) % 7 as day,
      start_time, end_time, is_available
    from coach_availability
    where coach_id = of_coach
      and week_start_date between (not_before at time zone 'America/New_York')::date - 7
        and (not_after at time zone 'America/New_York')::date
  ),
  wall_clocks as (
    select distinct slot
    from offered, generate_series(day + start_time, day + end_time - interval '30 minutes', interval '30 minutes') as slot
    where is_available
      and not exists (select from offered as closed
        where not closed.is_available
          and tsrange(closed.day + closed.start_time, closed.day + closed.end_time) && tsrange(slot, slot + interval '30 minutes'))
      and not exists (select from coach_leave
        where coach_leave.coach_id = of_coach and slot::date between starts_on and ends_on)
  ),
  instants as materialized (select eastern_instant(slot) as instant from wall_clocks),
  slots as materialized (
    select instant, session_period(instant, 30) as during from instants where instant >= not_before and instant < not_after
  ),
  scheduled as materialized (
    select session_period(scheduled_at, duration_minutes) as during from coaching_sessions
    where status = 'scheduled' and (coach_id = of_coach or participant_id = for_participant)
      and id is distinct from moved_session
  )
  select slots.instant from slots
  where not exists (select from scheduled where scheduled.during && slots.during)
  order by slots.instant
$$;

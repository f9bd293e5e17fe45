-- The instant of a US Eastern wall-clock time. A time that a change of the clocks skips has none; of one that comes
-- twice the first counts.
create function eastern_instant(wall_clock timestamp) returns timestamptz language sql stable strict parallel safe as $$
  select case
    when (instant - interval '1 hour') at time zone 'America/New_York' = wall_clock then instant - interval '1 hour'
    when instant at time zone 'America/New_York' = wall_clock then instant
  end
  from (select wall_clock at time zone 'America/New_York' as instant) as read
$$;

-- The half hours in which a participant can meet a coach: what the coach offers, without leave and without what either
-- has scheduled; a session that is to be moved does not stand in its own way. What is shown and what is accepted are
-- both asked here.
create function free_slots(
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
  )
  select slots.instant
  from (select eastern_instant(slot) as instant from wall_clocks) as slots
  where slots.instant >= not_before and slots.instant < not_after
    and not exists (select from coaching_sessions
      where coaching_sessions.status = 'scheduled'
        and (coaching_sessions.coach_id = of_coach or coaching_sessions.participant_id = for_participant)
        and session_period(scheduled_at, duration_minutes) && session_period(slots.instant, 30)
        and coaching_sessions.id is distinct from moved_session)
  order by slots.instant
$$;

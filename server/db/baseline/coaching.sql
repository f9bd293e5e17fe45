-- Adding whole minutes to an instant does not depend on a zone, so an index may rest on this.
create function session_period(starts timestamptz, minutes integer) returns tstzrange
  language sql immutable strict parallel safe as $$
  select tstzrange(starts, starts + make_interval(secs => minutes * 60), '[)')
$$;

create table coaching_sessions (
  id uuid primary key default time_ordered_id(),
  coach_id uuid not null references profiles (id),
  participant_id uuid not null references profiles (id),
  scheduled_at timestamptz not null,
  duration_minutes integer not null default 30 check (duration_minutes between 5 and 480),
  agenda text,
  notes text,
  status text not null default 'scheduled' check (status in ('scheduled', 'completed', 'cancelled', 'no_show')),
  cancel_reason text,
  -- Why somebody did not come, in the coach's words.
  no_show_reason text,
  teams_link text,
  calendar_sequence integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (coach_id <> participant_id),
  check (cancel_reason is null or status = 'cancelled'),
  check (no_show_reason is null or (no_show_reason <> '' and status = 'no_show')),
  constraint coach_is_never_double_booked exclude using gist
    (coach_id with =, session_period(scheduled_at, duration_minutes) with &&) where (status = 'scheduled'),
  constraint participant_is_never_double_booked exclude using gist
    (participant_id with =, session_period(scheduled_at, duration_minutes) with &&) where (status = 'scheduled')
);

create table coach_availability (
  id uuid primary key default time_ordered_id(),
  coach_id uuid not null references profiles (id),
  week_start_date date not null,
  -- 0 = Sunday
  day_of_week integer not null check (day_of_week between 0 and 6),
  -- US Eastern wall-clock times.
  start_time time not null,
  end_time time not null,
  is_available boolean not null default true,
  check (end_time > start_time),
  unique (coach_id, week_start_date, day_of_week, start_time)
);

-- Days, both included, on which a coach takes no bookings.
create table coach_leave (
  id uuid primary key default time_ordered_id(),
  coach_id uuid not null references profiles (id),
  starts_on date not null,
  ends_on date not null,
  note text,
  check (ends_on >= starts_on)
);

create table performance_feedback (
  id uuid primary key default time_ordered_id(),
  fellow_id uuid not null references profiles (id),
  cohort_id uuid not null references cohorts (id),
  week_number integer not null check (week_number between 1 and 16),
  overall_rating numeric(2, 1) not null check (overall_rating between 1 and 5 and overall_rating * 2 = trunc(overall_rating * 2)),
  comment text,
  rated_by uuid not null references profiles (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (fellow_id, cohort_id, week_number)
);

create index coaching_sessions_by_coach on coaching_sessions (coach_id, scheduled_at);
create index coaching_sessions_by_participant on coaching_sessions (participant_id, scheduled_at);
create index coach_leave_by_coach on coach_leave (coach_id, ends_on);

create trigger session_changes_count before update on coaching_sessions for each row
  when (old.* is distinct from new.*) execute function count_calendar_change();
create trigger own_weeks_are_not_rated before insert or update of rated_by on performance_feedback for each row
  when (new.rated_by = new.fellow_id) execute function refuse_own();

-- The instant of a US Eastern wall-clock time. A time that a change of the clocks skips has none. A time that comes
-- twice has the first.
create function eastern_instant(wall_clock timestamp) returns timestamptz language sql stable strict parallel safe as $$
  select case
    when (instant - interval '1 hour') at time zone 'America/New_York' = wall_clock then instant - interval '1 hour'
    when instant at time zone 'America/New_York' = wall_clock then instant
  end
  from (select wall_clock at time zone 'America/New_York' as instant) as read
$$;

-- The half hours in which a participant can meet a coach: what the coach offers, without leave and without what either
-- has scheduled. A session that is to be moved does not stand in its own way. Both what is shown and what is accepted
-- are asked here.
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

-- A locked choice of track stays as it is (TRACK-09).
create function keep_locked_track() returns trigger language plpgsql as $$
begin
  raise exception 'a locked track selection is immutable';
end $$;
create trigger locked_tracks_stay before update or delete on track_selections for each row
  when (old.is_locked) execute function keep_locked_track();

alter table weekly_requirements
  add column calendar_sequence integer not null default 0,
  add column updated_at timestamptz not null default now();
create trigger requirement_changes_count before update on weekly_requirements for each row
  when (old.* is distinct from new.*) execute function count_calendar_change();

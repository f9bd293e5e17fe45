-- An edit of a person names the version that it began with, whoever wrote since.
alter table profiles add column version integer not null default 1;
create function count_profile_edit() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
create trigger profile_edits_count before update on profiles for each row
  when ((old.first_name, old.last_name, old.role, old.track_type)
    is distinct from (new.first_name, new.last_name, new.role, new.track_type))
  execute function count_profile_edit();

-- Sessions go when they end; when somebody last signed in stays. With a second factor it is when that was given.
alter table profiles add column last_sign_in_at timestamptz;
create function note_sign_in() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' or new.is_device_remembered or not exists (
    select from auth.second_factor where user_id = new.user_id and confirmed_at is not null
  ) then
    update profiles set last_sign_in_at = now() where id = new.user_id;
  end if;
  return new;
end $$;
-- Before the row is there: the profile is locked first, as by every act that changes a person.
create trigger sessions_are_noted before insert on auth.session for each row execute function note_sign_in();
create trigger second_factors_are_noted before update on auth.session for each row
  when ((new.assurance_level = 'aal2' and old.assurance_level = 'aal1')
    or (new.is_device_remembered and not old.is_device_remembered))
  execute function note_sign_in();
update profiles set last_sign_in_at = known.at
from (select user_id, max(created_at) as at from auth.session group by user_id) known
where known.user_id = profiles.id;

-- The orders of the list of people, and the search in it.
create index profiles_by_role_and_age on profiles (role, created_at desc, id desc) where deleted_at is null;
create index profiles_by_name on profiles (lower(first_name || ' ' || last_name), id) where deleted_at is null;
create index profiles_by_sign_in on profiles (coalesce(last_sign_in_at, '-infinity') desc, id desc)
  where deleted_at is null;
create index profiles_by_words on profiles
  using gin ((first_name || ' ' || last_name || ' ' || email::text) gin_trgm_ops) where deleted_at is null;

create index user_courses_without_coach on user_courses (user_id) where status = 'enrolled' and coach_id is null;

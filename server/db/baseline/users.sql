-- People find each other with or without accents and capitals, by their names in any order. This function folds both
-- what is typed and what is searched. It asks no dictionary and no locale but for capitals. The same text therefore
-- gives the same answer on every server, and an index can rest on it.
create function folded_words(words text) returns text language sql immutable strict parallel safe as $$
  select replace(replace(replace(replace(
    lower(translate(
      regexp_replace(normalize(words, nfd), '[\u0300-\u036f]', '', 'g'),
      'ŁłĐđØøĦħŦŧðıẞÆŒÞ’‘ʼ', 'llddoohhttdißæœþ''''''')),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
$$;

-- The id is that of the sign-in (auth."user"). There is no foreign key, because a deleted person keeps the profile row
-- as 'Deleted user' while the sign-in is gone.
create table profiles (
  id uuid primary key,
  email citext not null unique,
  first_name text not null,
  last_name text not null,
  role text not null default 'participant' check (role in ('participant', 'coach', 'admin')),
  requested_role text check (requested_role in ('coach', 'admin')),
  track_type text check (track_type in ('fellowship', 'adult_mobilization', 'self_learner')),
  phone text,
  -- An imported number is a guess until the person has texted a code back. Only a confirmed number gets texts.
  phone_confirmed_at timestamptz,
  scheduling_link text,
  scheduling_enabled boolean not null default false,
  calendly_link text,
  microsoft_booking_link text,
  external_booking_instructions text,
  -- An edit names the version that it began with, and is refused when somebody else wrote since.
  version integer not null default 1,
  search_text text not null
    generated always as (folded_words(first_name || ' ' || last_name || ' ' || email::text)) stored,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint enabled_scheduling_has_a_link check (not scheduling_enabled or scheduling_link is not null),
  constraint request_differs_from_role check (requested_role is null or requested_role <> role),
  constraint confirmed_phone_is_there check (phone_confirmed_at is null or phone is not null)
);

-- Who made somebody an admin, and when. Nobody made the first admin, nor an admin whom the shell made.
create table admin_grants (
  person_id uuid not null references profiles (id),
  granted_by uuid not null references profiles (id),
  granted_at timestamptz not null default now(),
  primary key (person_id, granted_at),
  check (person_id <> granted_by)
);

create index profiles_by_role on profiles (role, first_name, id) where deleted_at is null;
create index profiles_by_age on profiles (created_at desc, id desc);
-- The list of people has these orders, and this search.
create index profiles_by_role_and_age on profiles (role, created_at desc, id desc) where deleted_at is null;
create index profiles_by_name on profiles (lower(first_name || ' ' || last_name), id) where deleted_at is null;
create index profiles_by_search_text on profiles using gin (search_text gin_trgm_ops);
create index admin_grants_by_giver on admin_grants (granted_by);
create index admin_grants_by_time on admin_grants (granted_at);

create function count_profile_edit() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
create trigger profile_edits_count before update on profiles for each row
  when ((old.first_name, old.last_name, old.role, old.track_type)
    is distinct from (new.first_name, new.last_name, new.role, new.track_type))
  execute function count_profile_edit();

create trigger admin_grants_are_append_only before update or delete or truncate on admin_grants
  for each statement execute function refuse_change();
alter table admin_grants enable always trigger admin_grants_are_append_only;

-- A new admin approves nothing for seven days.
create view new_admins as
  select person_id, max(granted_at) + interval '7 days' as approves_from from admin_grants
  where granted_at > now() - interval '7 days' group by person_id;

-- These are the admins who made one of the given people an admin, or whom one of them made an admin. They and the given
-- people are never two who decide.
create function bound_admins(of_people uuid[]) returns uuid[] language sql stable as $$
  select coalesce(array_agg(distinct case when person_id = any(of_people) then granted_by else person_id end), '{}')
  from admin_grants where person_id = any(of_people) or granted_by = any(of_people)
$$;

-- The other of two admins is none of the first, and neither made one of them an admin nor was made one by them.
-- Whatever takes two admins asks this function and nothing else.
create function may_be_second(in_admin_id uuid, in_first_ids uuid[]) returns boolean language sql stable as $$
  select not coalesce(in_admin_id = any(array_remove(in_first_ids, null) || bound_admins(in_first_ids)), false)
$$;

-- A deleted person is forgotten by the log and by what is not decided, whichever way they go. A decided stipend forgets
-- whom it pays, by its own trigger on any update. What was handed over keeps what was sent.
create function forget_person() returns trigger language plpgsql as $$
begin
  perform forget_in_log(array[new.id]);
  perform forget_undecided_stipends(array[new.id]);
  update stipend_eligibility set updated_at = now() where fellow_id = new.id and payee_name is not null;
  return null;
end $$;
create trigger deleted_people_are_forgotten after update of deleted_at on profiles for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function forget_person();

-- The filters of a list that a person keeps under a name. They are the person's alone and go with the person.
create table saved_filters (
  id uuid primary key default time_ordered_id(),
  owner_id uuid not null references profiles (id) on delete cascade,
  list text not null check (list <> ''),
  name text not null check (name <> '' and length(name) <= 60),
  search jsonb not null check (jsonb_typeof(search) = 'object'),
  saved_at timestamptz not null default now()
);
create unique index saved_filters_by_name on saved_filters (owner_id, list, lower(name));

create table resources (
  id uuid primary key default time_ordered_id(),
  title text not null check (title <> ''),
  description text,
  file_type text not null default 'material' check (file_type in ('recording', 'slide', 'material')),
  file_url text not null check (file_url <> ''),
  course_module text,
  program text not null default 'fellowship' check (program in ('fellowship', 'adult_mobilization', 'self_learner')),
  uploaded_by uuid references profiles (id),
  -- An edit names the version that it began with.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  -- Browsers open it, so only the web's own schemes are kept.
  constraint resources_file_url_is_of_the_web check (file_url ~* '^https?://')
);

create index resources_by_age on resources (created_at, id);
create index resources_by_title on resources (lower(title), id);
create index resources_by_program on resources (program, created_at, id);

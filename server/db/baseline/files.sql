-- Every upload of the product: submissions, My Files, message attachments, content.
create table stored_files (
  id uuid primary key,
  owner_id uuid not null references profiles (id),
  area text not null check (area in ('submissions', 'my_files', 'messages', 'content')),
  -- The path is generated. The shown name is kept beside it.
  path text not null unique,
  display_name text not null check (display_name <> ''),
  size bigint not null check (size >= 0),
  mime_type text not null,
  created_at timestamptz not null default now(),
  -- When its owner last sent a piece of it, or asked where to go on. An upload that nobody goes on with is removed.
  continued_at timestamptz not null default now(),
  completed_at timestamptz
);

create table user_files (
  id uuid primary key default time_ordered_id(),
  user_id uuid not null references profiles (id),
  file_path text not null unique references stored_files (path),
  display_name text not null check (display_name <> ''),
  size bigint not null check (size >= 0),
  mime_type text not null,
  upload_date timestamptz not null default now()
);

-- What a person began to upload on a day (US Eastern), whatever became of it. Removing a file gives nothing back.
create table uploads_by_day (
  owner_id uuid not null references profiles (id),
  day date not null,
  files integer not null check (files > 0),
  bytes bigint not null check (bytes > 0),
  primary key (owner_id, day)
);

create index stored_files_by_owner on stored_files (owner_id, created_at desc);
create index stored_files_under_way on stored_files (continued_at) where completed_at is null;
create index user_files_by_user on user_files (user_id, upload_date desc);
create index uploads_by_day_old on uploads_by_day (day);

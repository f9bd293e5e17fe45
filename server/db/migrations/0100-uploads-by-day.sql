-- What a person began to upload on a day (US Eastern), whatever became of it: removing a file gives nothing back.
create table uploads_by_day (
  owner_id uuid not null references profiles (id),
  day date not null,
  files integer not null check (files > 0),
  bytes bigint not null check (bytes > 0),
  primary key (owner_id, day)
);
create index uploads_by_day_old on uploads_by_day (day);

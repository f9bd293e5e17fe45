-- Every backup that this instance began. A backup leaves these rows out: whoever restores it begins a record of their
-- own, and removes no backup of the instance that made it.
create table backups (
  id uuid primary key default time_ordered_id(),
  name text not null unique,
  -- Where it lies, in words without secrets.
  place text not null,
  is_scheduled boolean not null,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  outcome text check (outcome in ('done', 'failed')),
  size_bytes bigint check (size_bytes >= 0),
  -- Files that were not in the storage any more, though rows name them.
  missing_files integer check (missing_files >= 0),
  error text,
  -- When the schedule removed it because newer ones were there.
  removed_at timestamptz,
  check ((ended_at is null) = (outcome is null)),
  check (outcome is distinct from 'done' or (size_bytes is not null and missing_files is not null)),
  check (outcome is distinct from 'failed' or error is not null)
);
create index backups_by_start on backups (started_at desc);

-- Whether the database takes writes is known only by writing: the one row that /readyz writes.
create table readiness_checks (
  is_only_row boolean primary key default true check (is_only_row),
  checked_at timestamptz not null
);

-- What each verification of the ledger found. The last hash of one, kept elsewhere too, proves that no line was changed
-- since.
create table ledger_verifications (
  id uuid primary key default time_ordered_id(),
  verified_at timestamptz not null default now(),
  lines bigint not null check (lines >= 0),
  last_hash text not null,
  problems integer not null check (problems >= 0),
  differences integer not null check (differences >= 0),
  first_problem text,
  check ((problems = 0) = (first_problem is null))
);
create index ledger_verifications_newest on ledger_verifications (verified_at desc);

-- What the last thorough look at this installation found. Only its latest result counts.
create table inspections (
  is_only_row boolean primary key default true check (is_only_row),
  inspected_at timestamptz not null,
  findings jsonb not null check (jsonb_typeof(findings) = 'array')
);

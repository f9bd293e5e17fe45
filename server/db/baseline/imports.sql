create table bulk_imports (
  id uuid primary key default time_ordered_id(),
  filename text not null,
  status text not null default 'processing' check (status in ('processing', 'completed', 'failed')),
  total_records integer not null check (total_records >= 0),
  successful_records integer not null default 0,
  failed_records integer not null default 0,
  error_report jsonb not null default '[]',
  webhook_sent boolean not null default false,
  created_by uuid not null references profiles (id),
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  -- An upload can be undone while nobody whom it brought in has been here. It keeps its end state.
  undone_at timestamptz,
  undone_by uuid references profiles (id),
  check ((status = 'processing') = (completed_at is null)),
  constraint undone_by_somebody check ((undone_at is null) = (undone_by is null)),
  constraint undone_after_its_end check (undone_at is null or status <> 'processing')
);

create table bulk_import_rows (
  import_id uuid not null references bulk_imports (id) on delete cascade,
  row_number integer not null check (row_number > 0),
  -- The row as a spreadsheet counts it, which counts blank rows too. Null stands for row_number + 1.
  file_row integer check (file_row > 0),
  record jsonb not null,
  status text not null default 'waiting' check (status in ('waiting', 'succeeded', 'failed', 'undone')),
  error text,
  user_id uuid references profiles (id),
  primary key (import_id, row_number),
  check ((status = 'failed') = (error is not null)),
  check ((status = 'succeeded') = (user_id is not null))
);

create index bulk_import_rows_by_user on bulk_import_rows (user_id) where user_id is not null;
create index bulk_import_rows_refused on bulk_import_rows (import_id, row_number) where user_id is null;

-- A row that brought nobody in keeps the address that the file gave, until the person of that address is deleted.
create function forget_in_uploads(address text) returns void language sql as $$
  with row as (
    update bulk_import_rows
    set record = case when lower(record ->> 'email') = lower(address) then '{}' else record end,
      error = replace(error, '"' || lower(address) || '"', 'that was deleted')
    where user_id is null and status <> 'waiting'
      and (lower(record ->> 'email') = lower(address) or position('"' || lower(address) || '"' in error) > 0)
    returning import_id
  )
  update bulk_imports
  set error_report = (
    select jsonb_agg(
      entry || jsonb_build_object(
        'email', case when lower(entry ->> 'email') = lower(address) then '' else entry ->> 'email' end,
        'error', replace(entry ->> 'error', '"' || lower(address) || '"', 'that was deleted'))
      order by place)
    from jsonb_array_elements(error_report) with ordinality as entries (entry, place))
  where id in (select import_id from row) and jsonb_array_length(error_report) > 0
$$;

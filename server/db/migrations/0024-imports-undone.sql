-- An upload can be taken back while nobody whom it brought in has been here. It keeps the end state that it had.
alter table bulk_imports
  add column undone_at timestamptz,
  add column undone_by uuid references profiles (id),
  add constraint undone_by_somebody check ((undone_at is null) = (undone_by is null)),
  add constraint undone_after_its_end check (undone_at is null or status <> 'processing');

alter table bulk_import_rows
  drop constraint bulk_import_rows_status_check,
  add constraint bulk_import_rows_status_check check (status in ('waiting', 'succeeded', 'failed', 'undone')),
  -- The row of the file as a spreadsheet counts it, where blank rows stand above; else one below its number.
  add column file_row integer check (file_row > 0);
create index bulk_import_rows_by_user on bulk_import_rows (user_id) where user_id is not null;

-- Whether somebody's invitation was delivered.
create index deliveries_of_invitations on deliveries (recipient_id, id desc) where kind = 'invitation';

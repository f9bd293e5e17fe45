-- When its owner last sent a piece of it, or asked where to go on: what nobody goes on with is removed.
alter table stored_files add continued_at timestamptz not null default now();
create index stored_files_under_way on stored_files (continued_at) where completed_at is null;

-- Why somebody did not come, in the coach's words.
alter table coaching_sessions
  add column no_show_reason text check (no_show_reason is null or (no_show_reason <> '' and status = 'no_show'));

-- What a notice is about, where several in a row are one line: while the line is unread, the next takes its place.
alter table notices
  add column matter text,
  add column replaced_by uuid references notices (id);
create index notices_replaced on notices (replaced_by) where replaced_by is not null;
drop index notices_unread;
create index notices_unread on notices (user_id) where read_at is null and replaced_by is null;

-- The calendar part of a mail, by which a mail program adds, changes or removes one event. It is kept as it was first
-- written, so that what is sent again is the same to the last byte.
alter table deliveries
  add column calendar_method text check (calendar_method in ('REQUEST', 'CANCEL')),
  add column calendar_text text,
  add constraint calendar_part_is_whole check (
    (calendar_method is null) = (calendar_text is null) and (calendar_text is null or channel = 'mail'));

-- Whether anybody was told of a message, or is to be.
create index notice_events_by_message on notice_events (subject_id) where kind = 'message';

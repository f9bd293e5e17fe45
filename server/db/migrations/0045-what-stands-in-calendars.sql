-- Which session a notice is about, so that who got an invitation gets its changes too, whatever was switched off since.
update notice_events set subject_id = split_part(event_key, ':', 2)::uuid
where kind = 'coaching_session' and subject_id is null and event_key ~ '^session:[0-9a-f-]{36}:';
create index notice_events_by_session on notice_events (subject_id, user_id) where kind = 'coaching_session';
create index deliveries_with_calendar on deliveries (event_id) where calendar_method is not null;

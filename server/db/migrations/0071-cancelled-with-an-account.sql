-- As 0045: sessions that ended because an account was closed, or got another role, were told without naming the session.
update notice_events set subject_id = split_part(event_key, ':', 2)::uuid
where kind = 'coaching_session' and subject_id is null and event_key ~ '^session:[0-9a-f-]{36}:';

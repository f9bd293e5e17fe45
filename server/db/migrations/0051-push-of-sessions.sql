-- In which session a browser subscribed: when somebody ends that one, what is pushed to the browser ends with it. No
-- reference, because a session that only ran out leaves the subscription as it is.
alter table push_subscriptions add column session_id uuid;

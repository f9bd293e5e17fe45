-- A session is a browser, and a browser has one subscription: what it subscribed later stays.
delete from push_subscriptions earlier using push_subscriptions later
where later.session_id = earlier.session_id and (later.created_at, later.id) > (earlier.created_at, earlier.id);
create unique index push_subscriptions_by_session on push_subscriptions (session_id);

-- Whether one without https is taken is a setting (PUSH_ALLOW_PRIVATE), which the database does not know.
alter table push_subscriptions
  drop constraint push_subscriptions_endpoint_check,
  add constraint push_subscriptions_endpoint_check check (endpoint ~ '^https?://');

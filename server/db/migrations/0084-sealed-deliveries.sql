-- A message with a link or a code for one person alone is sealed while it waits: whoever reads the table, or a copy of it,
-- reads none. What was waiting already stays as it is, and is sent.
alter table deliveries add column is_sealed boolean not null default false;

-- Of messages about accounts nobody reads the body again once they were sent, or nobody needs them any more.
update deliveries set text_body = '', html_body = null
where event_id is null and status in ('sent', 'dropped');
alter table deliveries add constraint waiting_deliveries_have_a_body
  check (event_id is not null or text_body <> '' or status in ('sent', 'dropped', 'given_up'));

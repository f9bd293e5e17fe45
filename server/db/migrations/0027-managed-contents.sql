-- An item with work handed in below it is archived instead of deleted, with its assignments: nobody's work goes.
alter table content_items
  add column archived_at timestamptz,
  add column version integer not null default 1,
  -- Opened by browsers, so only the web's own schemes (CONT-15); what was there before is shown as text.
  add constraint content_items_url_is_of_the_web check (content_url ~* '^https?://') not valid;

-- An edit names the version that it began with; placing among the others is none.
alter table content_assignments
  add column order_index integer not null default 1 check (order_index >= 1),
  add column version integer not null default 1;

-- The management list in its order (TRAIN-02), of all, of one week, of one cohort.
create index training_activities_in_order on training_activities (week_number, created_at, id);
create index training_activities_of_cohort_in_order
  on training_activities (cohort_id, week_number, created_at, id);

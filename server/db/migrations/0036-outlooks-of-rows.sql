-- The outlook of a running week that is worked out is taken from its row, and holds as long as the row has this version
-- (docs/decisions/0103). Null for a week that had no row.
alter table stipend_outlooks
  add column stipend_id uuid,
  add column stipend_version integer,
  add constraint stipend_outlooks_row check ((stipend_id is null) = (stipend_version is null));

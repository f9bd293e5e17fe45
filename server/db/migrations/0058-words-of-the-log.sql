-- What an entry is found by beside people, and people who are not there any more: the log speaks of them still.
create index audit_log_by_words on audit_log using gin (
  (coalesce(reason, '') || ' ' || coalesce(before ->> 'title', '') || ' ' || coalesce(after ->> 'title', '') || ' '
    || coalesce(before ->> 'name', '') || ' ' || coalesce(after ->> 'name', '') || ' '
    || coalesce(after ->> 'filename', '')) gin_trgm_ops
);
create index profiles_gone_by_words on profiles
  using gin ((first_name || ' ' || last_name || ' ' || email::text) gin_trgm_ops) where deleted_at is not null;

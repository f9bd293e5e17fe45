-- The search of the audit log asks titles and reasons as every search asks names: all typed words, in any order, without
-- accents and capitals.
drop index audit_log_by_words;
create index audit_log_by_words on audit_log using gin (
  folded_words(coalesce(reason, '') || ' ' || coalesce(before ->> 'title', '') || ' ' || coalesce(after ->> 'title', '')
    || ' ' || coalesce(before ->> 'name', '') || ' ' || coalesce(after ->> 'name', '') || ' '
    || coalesce(after ->> 'filename', '')) gin_trgm_ops
);

-- Who did what, when, before and after. Nobody changes or removes a row, the product's own code included.
create table audit_log (
  id uuid primary key default time_ordered_id(),
  at timestamptz not null default now(),
  actor_id uuid references profiles (id),
  action text not null,
  subject_type text not null,
  subject_id uuid not null,
  before jsonb,
  after jsonb,
  reason text
);

create index audit_log_by_time on audit_log (at desc, id desc);
-- The audit log is read by who acted, by what was done and by the record, each latest first.
create index audit_log_by_actor on audit_log (actor_id, at desc, id desc);
create index audit_log_by_action on audit_log (action, at desc, id desc);
create index audit_log_of_subject on audit_log (subject_id, at desc, id desc);
create index audit_log_by_kind on audit_log (subject_type, at desc, id desc);
-- The search finds an entry by these words, beside the people in it.
create index audit_log_by_words on audit_log using gin (
  (coalesce(reason, '') || ' ' || coalesce(before ->> 'title', '') || ' ' || coalesce(after ->> 'title', '') || ' '
    || coalesce(before ->> 'name', '') || ' ' || coalesce(after ->> 'name', '') || ' '
    || coalesce(after ->> 'filename', '')) gin_trgm_ops
);

create trigger audit_log_is_append_only before delete or truncate on audit_log
  for each statement execute function refuse_change();

-- These keys of an entry name a person.
create function without_personal_facts(facts jsonb) returns jsonb language sql immutable as $$
  select facts || coalesce((
    select jsonb_object_agg(key, 'erased')
    from jsonb_object_keys(facts) as key
    where key in ('firstName', 'lastName', 'name', 'email', 'phone', 'account') and jsonb_typeof(facts -> key) = 'string'), '{}')
$$;

-- The log forgets what names a deleted person. It keeps everything else forever.
create function refuse_change_of_log() returns trigger language plpgsql as $$
begin
  if (new.id, new.at, new.actor_id, new.action, new.subject_type, new.subject_id, new.reason)
      is not distinct from (old.id, old.at, old.actor_id, old.action, old.subject_type, old.subject_id, old.reason)
    and new.before is not distinct from without_personal_facts(old.before)
    and new.after is not distinct from without_personal_facts(old.after)
    and exists (select from profiles where id = old.subject_id and deleted_at is not null)
  then
    return new;
  end if;
  raise exception 'audit_log is append-only';
end $$;
create trigger audit_log_keeps_what_it_says before update on audit_log
  for each row execute function refuse_change_of_log();

create function forget_in_log(person_ids uuid[]) returns void language sql as $$
  update audit_log
  set before = without_personal_facts(before), after = without_personal_facts(after)
  where subject_id = any(person_ids)
    and (before ?| array['firstName', 'lastName', 'name', 'email', 'phone', 'account']
      or after ?| array['firstName', 'lastName', 'name', 'email', 'phone', 'account'])
$$;

-- What the log says of a person by name. Who is deleted is forgotten there too; all else in it stays for ever.
create function without_personal_facts(facts jsonb) returns jsonb language sql immutable as $$
  select facts || coalesce((
    select jsonb_object_agg(key, 'erased')
    from jsonb_object_keys(facts) as key
    where key in ('firstName', 'lastName', 'name', 'email', 'phone', 'account') and jsonb_typeof(facts -> key) = 'string'), '{}')
$$;

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

drop trigger audit_log_is_append_only on audit_log;
create trigger audit_log_is_append_only before delete or truncate on audit_log
  for each statement execute function refuse_change();
create trigger audit_log_keeps_what_it_says before update on audit_log
  for each row execute function refuse_change_of_log();

create function forget_in_log(person_ids uuid[]) returns void language sql as $$
  update audit_log
  set before = without_personal_facts(before), after = without_personal_facts(after)
  where subject_id = any(person_ids)
    and (before ?| array['firstName', 'lastName', 'name', 'email', 'phone', 'account']
      or after ?| array['firstName', 'lastName', 'name', 'email', 'phone', 'account'])
$$;
select forget_in_log(array(select id from profiles where deleted_at is not null));

-- Rows of uploads that brought nobody in keep the address that the file gave.
create index bulk_import_rows_refused on bulk_import_rows (import_id, row_number) where user_id is null;
create function forget_in_uploads(address text) returns void language sql as $$
  with row as (
    update bulk_import_rows
    set record = case when lower(record ->> 'email') = lower(address) then '{}' else record end,
      error = replace(error, '"' || lower(address) || '"', 'that was deleted')
    where user_id is null and status <> 'waiting'
      and (lower(record ->> 'email') = lower(address) or position('"' || lower(address) || '"' in error) > 0)
    returning import_id
  )
  update bulk_imports
  set error_report = (
    select jsonb_agg(
      entry || jsonb_build_object(
        'email', case when lower(entry ->> 'email') = lower(address) then '' else entry ->> 'email' end,
        'error', replace(entry ->> 'error', '"' || lower(address) || '"', 'that was deleted'))
      order by place)
    from jsonb_array_elements(error_report) with ordinality as entries (entry, place))
  where id in (select import_id from row) and jsonb_array_length(error_report) > 0
$$;

-- Nobody decides any more about the weeks of who was deleted or whose import was undone; what was decided stays.
create function forget_undecided_stipends(person_ids uuid[]) returns void language sql as $$
  delete from stipend_eligibility stipend
  where fellow_id = any(person_ids) and payment_status = 'pending'
    and not exists (select from stipend_ledger where stipend_id = stipend.id)
    and not exists (select from stipend_payments where stipend_id = stipend.id)
    and not exists (select from stipend_handover_rows where stipend_id = stipend.id)
    and not exists (select from stipend_confirmation_rows where stipend_id = stipend.id)
$$;
select forget_undecided_stipends(array(select id from profiles where deleted_at is not null));

-- By whichever way somebody goes.
create function forget_person() returns trigger language plpgsql as $$
begin
  perform forget_in_log(array[new.id]);
  perform forget_undecided_stipends(array[new.id]);
  return null;
end $$;
create trigger deleted_people_are_forgotten after update of deleted_at on profiles for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function forget_person();

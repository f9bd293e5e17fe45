-- What was sent stays as it was sent: a hash of the exact body goes into the ledger with every row of the batch.
alter table stipend_handovers add column body_hash text not null default '';
update stipend_handovers set body_hash = encode(sha256(convert_to(body, 'UTF8')), 'hex');

create function hash_handover_body() returns trigger language plpgsql as $$
begin
  new.body_hash := encode(sha256(convert_to(new.body, 'UTF8')), 'hex');
  return new;
end $$;
create trigger handover_bodies_are_hashed before insert on stipend_handovers
  for each row execute function hash_handover_body();

create function name_batch_in_ledger() returns trigger language plpgsql as $$
begin
  select new.after || jsonb_build_object('rowCents', handed.amount_cents, 'bodyHash', batch.body_hash) into strict new.after
  from stipend_handover_rows handed join stipend_handovers batch on batch.id = handed.handover_id
  where handed.handover_id = new.handover_id and handed.stipend_id = new.stipend_id;
  return new;
end $$;
-- Before the line is chained: triggers of one moment run in the order of their names.
create trigger a_handover_names_its_batch before insert on stipend_ledger
  for each row when (new.kind = 'handover') execute function name_batch_in_ledger();

create function keep_handover() returns trigger language plpgsql as $$
declare changing text[] := array['status', 'claimed_until', 'sent_at', 'recalled_by', 'recall_reason'];
begin
  if to_jsonb(new) - changing <> to_jsonb(old) - changing then
    raise exception 'what a batch holds does not change';
  end if;
  if old.status in ('sent', 'recalled') and new.status <> old.status then
    raise exception 'a batch that was % stays so', old.status;
  end if;
  return new;
end $$;
create trigger handovers_are_kept before update on stipend_handovers for each row execute function keep_handover();
create trigger handovers_stay before delete or truncate on stipend_handovers
  for each statement execute function refuse_change();

-- Of a recalled batch the rows may go out anew: nothing else of them changes.
create function keep_handover_row() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - 'is_first' <> to_jsonb(old) - 'is_first' or new.is_first and not old.is_first then
    raise exception 'what was handed over does not change';
  end if;
  return new;
end $$;
create trigger handover_rows_are_kept before update on stipend_handover_rows
  for each row execute function keep_handover_row();
create trigger handover_rows_stay before delete or truncate on stipend_handover_rows
  for each statement execute function refuse_change();
create trigger handover_tries_stay before delete or truncate on stipend_handover_tries
  for each statement execute function refuse_change();

-- Nobody, the owner included, has the right to change what is only ever added to.
do $$
declare
  kept regclass;
  guard record;
begin
  for kept in select tgrelid from pg_trigger
    where tgfoid = 'refuse_change'::regproc and tgrelid::regclass::text like 'stipend\_%' group by tgrelid
  loop
    execute format('revoke delete, truncate on %s from public, %I', kept, current_user);
  end loop;
  -- Those whose rows never change either: bit 16 of a trigger's type says that it is asked about updates.
  for kept in select tgrelid from pg_trigger
    where tgfoid = 'refuse_change'::regproc and tgrelid::regclass::text like 'stipend\_%' and tgtype & 16 <> 0
  loop
    execute format('revoke update on %s from public, %I', kept, current_user);
  end loop;
  -- Also where a session says that it replays what another database did (session_replication_role), which skips the
  -- triggers of the ordinary kind.
  for guard in select tgrelid::regclass as kept, tgname from pg_trigger
    where not tgisinternal and tgrelid::regclass::text like 'stipend\_%'
  loop
    execute format('alter table %s enable always trigger %I', guard.kept, guard.tgname);
  end loop;
end $$;

-- Who signed in: sign-ins, refusals, proofs and ends of sessions, for 90 days.
alter table auth.session
  -- By what the person last proved who they are: at first the way in.
  add column proved_by text check (proved_by in
    ('password', 'mail', 'provider', 'passkey', 'wallet', 'second_factor', 'mailed_code')),
  -- A session in use is prolonged until here, then the person signs in again.
  add column ends_for_good_at timestamptz default now();

create function auth.longest_session(of_person uuid) returns interval language sql stable as $$
  select case when exists (select from public.profiles where id = of_person and role = 'admin')
    then interval '12 hours' else interval '30 days' end
$$;
update auth.session set ends_for_good_at = created_at + auth.longest_session(user_id);
alter table auth.session alter column ends_for_good_at set not null;

create function auth.limit_session() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then new.ends_for_good_at := new.created_at + auth.longest_session(new.user_id); end if;
  new.expires_at := least(new.expires_at, new.ends_for_good_at);
  return new;
end $$;
create trigger sessions_end_for_good before insert or update on auth.session
  for each row execute function auth.limit_session();
update auth.session set expires_at = expires_at where expires_at > ends_for_good_at;

create table auth.sign_in_record (
  id uuid primary key default time_ordered_id(),
  at timestamptz not null default now(),
  -- Null for a refusal at an address without an account. No reference: the trigger below forgets whoever is gone.
  user_id uuid,
  kind text not null check (kind in ('sign_in', 'refusal', 'proof', 'end')),
  way text check (way in
    ('password', 'mail', 'provider', 'passkey', 'wallet', 'second_factor', 'mailed_code')),
  ip_address text,
  user_agent text,
  check (user_id is not null or kind = 'refusal')
);
create index sign_in_record_of_person on auth.sign_in_record (user_id, id desc);
create index sign_in_record_by_time on auth.sign_in_record (at);

create function auth.keep_sign_in_record() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and (old.at < now() - interval '90 days'
      or (old.user_id is not null and not exists (select from auth."user" where id = old.user_id))) then
    return old;
  end if;
  raise exception 'sign_in_record is append-only';
end $$;
create trigger sign_in_records_stay before update or delete on auth.sign_in_record
  for each row execute function auth.keep_sign_in_record();
create trigger sign_in_records_are_not_emptied before truncate on auth.sign_in_record
  for each statement execute function refuse_change();

create function auth.record_session() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into auth.sign_in_record (user_id, kind, way, ip_address, user_agent)
    values (new.user_id, 'sign_in', new.proved_by, new.ip_address, new.user_agent);
  elsif tg_op = 'UPDATE' then
    insert into auth.sign_in_record (user_id, kind, way, ip_address, user_agent)
    values (new.user_id, 'proof', new.proved_by, new.ip_address, new.user_agent);
  elsif exists (select from auth."user" where id = old.user_id) then
    insert into auth.sign_in_record (user_id, kind, ip_address, user_agent)
    values (old.user_id, 'end', old.ip_address, old.user_agent);
  end if;
  return null;
end $$;
create trigger sign_ins_are_on_record after insert or delete on auth.session
  for each row execute function auth.record_session();
create trigger proofs_are_on_record after update of proved_at on auth.session
  for each row when (new.proved_at > old.proved_at) execute function auth.record_session();

create function auth.forget_sign_ins() returns trigger language plpgsql as $$
begin
  delete from auth.sign_in_record where user_id = old.id;
  return null;
end $$;
create trigger sign_ins_are_forgotten after delete on auth."user"
  for each row execute function auth.forget_sign_ins();

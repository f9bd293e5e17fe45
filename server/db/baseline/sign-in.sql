-- Sessions, the ways that lead to one, and what proves who somebody is. Nobody's powers are read from here: the role
-- that counts is the one in profiles.
create schema auth;

create table auth."user" (
  id uuid primary key default time_ordered_id(),
  name text not null,
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  image text,
  -- What the person said about themself when registering. A missing profile is made from it.
  first_name text not null default '',
  last_name text not null default '',
  requested_role text check (requested_role in ('coach', 'admin')),
  track_type text check (track_type in ('fellowship', 'adult_mobilization', 'self_learner')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Ways in: a password, an account at a provider, a wallet.
create table auth.account (
  id uuid primary key default time_ordered_id(),
  user_id uuid not null references auth."user" (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  -- An argon2id hash. It is set where provider_id is 'credential'.
  password text,
  -- Somebody else chose this password. It opens nothing until its owner sets another one.
  must_be_changed boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id),
  check (not must_be_changed or password is not null)
);

-- What a person unlinked. A confirmed address alone does not link it to their account again.
create table auth.unlinked_identity (
  user_id uuid not null references auth."user" (id) on delete cascade,
  provider_id text not null,
  account_id text not null,
  unlinked_at timestamptz not null default now(),
  primary key (user_id, provider_id, account_id)
);

create table auth.passkey (
  id uuid primary key default time_ordered_id(),
  user_id uuid not null references auth."user" (id) on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null default 0,
  transports text[] not null default '{}',
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);

-- A browser that somebody signed in with. It is known by a cookie of its own, of which only the hash is kept.
create table auth.device (
  id uuid primary key default time_ordered_id(),
  user_id uuid not null references auth."user" (id) on delete cascade,
  token_hash text not null,
  user_agent text,
  ip_address text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  -- The second factor is not asked for on this device before then.
  remembered_until timestamptz,
  unique (user_id, token_hash)
);

create table auth.session (
  id uuid primary key default time_ordered_id(),
  user_id uuid not null references auth."user" (id) on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  -- A session in use is prolonged until then. After that the person signs in again.
  ends_for_good_at timestamptz not null default now(),
  device_id uuid references auth.device (id) on delete set null,
  -- The session began on a device that was remembered after a second factor.
  is_device_remembered boolean not null default false,
  -- aal2 says that the second factor was given in this session.
  assurance_level text not null default 'aal1' check (assurance_level in ('aal1', 'aal2')),
  -- When and how the person last proved in this session who they are. The way in is the first proof.
  proved_at timestamptz not null default now(),
  proved_by text check (proved_by in
    ('password', 'mail', 'provider', 'passkey', 'wallet', 'second_factor', 'mailed_code')),
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- A code generator (TOTP, RFC 6238). It counts for nothing until a first code confirms it.
create table auth.second_factor (
  user_id uuid primary key references auth."user" (id) on delete cascade,
  encrypted_secret text not null,
  confirmed_at timestamptz,
  -- The 30-second step of the last code that was accepted. No code is accepted twice.
  last_step bigint,
  created_at timestamptz not null default now()
);

create table auth.recovery_code (
  user_id uuid not null references auth.second_factor (user_id) on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- A mailed code by which a signed-in person proves once more who they are.
create table auth.mailed_code (
  user_id uuid primary key references auth."user" (id) on delete cascade,
  code_hash text not null,
  tries integer not null default 0,
  expires_at timestamptz not null
);

-- One row says which roles must have a second factor.
create table auth.sign_in_policy (
  is_only_row boolean primary key default true check (is_only_row),
  second_factor_roles text[] not null default '{}' check (second_factor_roles <@ array['coach', 'admin']),
  changed_at timestamptz not null default now(),
  changed_by uuid references profiles (id),
  -- Since then this instance asks admins for a second factor by itself. Null says that it never did. An admin has seven
  -- days from that moment, or from the moment at which they became one.
  admins_asked_since timestamptz
);
insert into auth.sign_in_policy default values;

create table invitations (
  id uuid primary key default time_ordered_id(),
  user_id uuid not null references profiles (id),
  import_id uuid references bulk_imports (id),
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz
);

-- A mailed link that sets a password. Only the hash of its token is kept, and using it deletes the row. There is no
-- foreign key to the person: the link of somebody who was deleted meanwhile differs from one that never was.
create table auth.password_link (
  token_hash text primary key,
  user_id uuid not null,
  kind text not null check (kind in ('reset', 'invitation')),
  invitation_id uuid references invitations (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check ((kind = 'invitation') = (invitation_id is not null))
);

create table auth.verification (
  id uuid primary key default time_ordered_id(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Whoever has this token reads the log of an empty instance, and may make its first admin. Each start without an admin
-- prints a link. The links of earlier starts stay good until one of them is used. Only the hash is kept.
create table auth.first_admin_token (
  token_hash text not null primary key,
  created_at timestamptz not null default now()
);

-- A crash may lose these counters.
create unlogged table auth.rate_limit (
  key text primary key,
  count integer not null,
  window_started_at timestamptz not null,
  window_ends_at timestamptz not null
);

-- Sign-ins, refusals, proofs and ends of sessions, for 90 days.
create table auth.sign_in_record (
  id uuid primary key default time_ordered_id(),
  at timestamptz not null default now(),
  -- Null stands for a refusal at an address without an account. There is no foreign key: the trigger below forgets a
  -- deleted person.
  user_id uuid,
  -- A refused proof is no refused sign-in: whoever gave it was signed in already.
  kind text not null check (kind in ('sign_in', 'refusal', 'proof', 'refused_proof', 'end')),
  way text check (way in
    ('password', 'mail', 'provider', 'passkey', 'wallet', 'second_factor', 'mailed_code')),
  ip_address text,
  user_agent text,
  check (user_id is not null or kind = 'refusal')
);

-- When each person last signed in. Every sign-in writes it, so it has a narrow row of its own, and the person's row
-- with all its indexes stays as it is.
create table last_sign_ins (
  user_id uuid primary key references profiles (id) on delete cascade,
  -- The default stands for somebody who never signed in.
  signed_in_at timestamptz not null default '-infinity'
);

-- Key pairs that sign the short-lived tokens for other services. The private part is encrypted.
create table auth.jwks (
  id uuid primary key default time_ordered_id(),
  public_key text not null,
  private_key text not null,
  alg text,
  crv text,
  created_at timestamptz not null default now(),
  expires_at timestamptz
);

create index account_by_user on auth.account (user_id);
create index account_that_must_be_changed on auth.account (user_id) where must_be_changed;
create index passkey_by_user on auth.passkey (user_id);
create index session_by_user on auth.session (user_id);
create index session_by_end on auth.session (expires_at);
create index session_by_device on auth.session (device_id);
create index invitations_by_user on invitations (user_id, sent_at desc);
create index password_link_by_user on auth.password_link (user_id);
create index password_link_by_end on auth.password_link (expires_at);
create index verification_by_identifier on auth.verification (identifier);
create index verification_by_end on auth.verification (expires_at);
create index rate_limit_by_end on auth.rate_limit (window_ends_at);
create index sign_in_record_of_person on auth.sign_in_record (user_id, id desc);
create index sign_in_record_by_time on auth.sign_in_record (at);
create index last_sign_ins_in_order on last_sign_ins (signed_in_at desc, user_id desc);

-- A session ends for good after 30 days, that of an admin after 12 hours.
create function auth.longest_session(of_person uuid) returns interval language sql stable as $$
  select case when exists (select from public.profiles where id = of_person and role = 'admin')
    then interval '12 hours' else interval '30 days' end
$$;

create function auth.limit_session() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then new.ends_for_good_at := new.created_at + auth.longest_session(new.user_id); end if;
  new.expires_at := least(new.expires_at, new.ends_for_good_at);
  return new;
end $$;
create trigger sessions_end_for_good before insert or update on auth.session
  for each row execute function auth.limit_session();

-- An admin without a second factor has to have one by then.
create function second_factor_due_at(in_person_id uuid) returns timestamptz language sql stable as $$
  select greatest(policy.admins_asked_since, person.created_at,
    (select max(granted_at) from admin_grants where person_id = person.id)) + interval '7 days'
  from auth.sign_in_policy policy join profiles person on person.id = in_person_id
  where policy.admins_asked_since is not null
$$;

create function begin_sign_ins() returns trigger language plpgsql as $$
begin
  insert into last_sign_ins (user_id) values (new.id);
  return null;
end $$;
create trigger profiles_begin_sign_ins after insert on profiles for each row execute function begin_sign_ins();

-- Somebody with a second factor has signed in when they have given it.
create function note_sign_in() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' or new.is_device_remembered or not exists (
    select from auth.second_factor where user_id = new.user_id and confirmed_at is not null
  ) then
    update last_sign_ins set signed_in_at = now() where user_id = new.user_id;
  end if;
  return new;
end $$;
create trigger sessions_are_noted before insert on auth.session for each row execute function note_sign_in();
create trigger second_factors_are_noted before update on auth.session for each row
  when ((new.assurance_level = 'aal2' and old.assurance_level = 'aal1')
    or (new.is_device_remembered and not old.is_device_remembered))
  execute function note_sign_in();

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

-- A row of the record goes after 90 days or with its person, and never changes.
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

create function auth.forget_sign_ins() returns trigger language plpgsql as $$
begin
  delete from auth.sign_in_record where user_id = old.id;
  return null;
end $$;
create trigger sign_ins_are_forgotten after delete on auth."user"
  for each row execute function auth.forget_sign_ins();

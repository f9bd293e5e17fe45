-- How sure the product is of who signed in: devices, second factors, other ways in, keys for other services.

-- A browser that somebody signed in with, known by a cookie of its own. Only the hash of the cookie is kept.
create table auth.device (
  id uuid primary key default time_ordered_id(),
  user_id uuid not null references auth."user" (id) on delete cascade,
  token_hash text not null,
  user_agent text,
  ip_address text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  -- Until then the second factor is not asked for on this device.
  remembered_until timestamptz,
  unique (user_id, token_hash)
);

alter table auth.session
  add column device_id uuid references auth.device (id) on delete set null,
  -- aal2: the second factor was given in this session.
  add column assurance_level text not null default 'aal1' check (assurance_level in ('aal1', 'aal2')),
  -- The session began on a device that was remembered after a second factor.
  add column is_device_remembered boolean not null default false,
  -- When the person last proved in this session who they are.
  add column proved_at timestamptz not null default now();
create index session_by_device on auth.session (device_id);

-- A code generator (TOTP, RFC 6238). Until it is confirmed by a first code it counts for nothing.
create table auth.second_factor (
  user_id uuid primary key references auth."user" (id) on delete cascade,
  encrypted_secret text not null,
  confirmed_at timestamptz,
  -- The 30-second step of the last code that was accepted: no code is accepted twice.
  last_step bigint,
  created_at timestamptz not null default now()
);

create table auth.recovery_code (
  user_id uuid not null references auth.second_factor (user_id) on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- A code in a mail by which a signed-in person proves once more who they are.
create table auth.mailed_code (
  user_id uuid primary key references auth."user" (id) on delete cascade,
  code_hash text not null,
  tries integer not null default 0,
  expires_at timestamptz not null
);

-- One row: which roles must have a second factor.
create table auth.sign_in_policy (
  is_only_row boolean primary key default true check (is_only_row),
  second_factor_roles text[] not null default '{}' check (second_factor_roles <@ array['coach', 'admin']),
  changed_at timestamptz not null default now(),
  changed_by uuid references profiles (id)
);
insert into auth.sign_in_policy default values;

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
create index passkey_by_user on auth.passkey (user_id);

-- Key pairs that sign the short-lived tokens for other services; the private part is encrypted.
create table auth.jwks (
  id uuid primary key default time_ordered_id(),
  public_key text not null,
  private_key text not null,
  alg text,
  crv text,
  created_at timestamptz not null default now(),
  expires_at timestamptz
);

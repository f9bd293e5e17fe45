-- Tables of the sign-in library (user, session, account, verification) and what stands around them. A person's
-- powers are never read from here: the stored role is that of profiles.
create schema auth;

create table auth."user" (
  id uuid primary key default time_ordered_id(),
  name text not null,
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  image text,
  -- What the person said about themself when registering; the profile is made from it when it is missing.
  first_name text not null default '',
  last_name text not null default '',
  requested_role text check (requested_role in ('coach', 'admin')),
  track_type text check (track_type in ('fellowship', 'adult_mobilization', 'self_learner')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table auth.session (
  id uuid primary key default time_ordered_id(),
  user_id uuid not null references auth."user" (id) on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index session_by_user on auth.session (user_id);
create index session_by_end on auth.session (expires_at);

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
  -- An argon2id hash; set where provider_id is 'credential'.
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index account_by_user on auth.account (user_id);

create table auth.verification (
  id uuid primary key default time_ordered_id(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verification_by_identifier on auth.verification (identifier);
create index verification_by_end on auth.verification (expires_at);

-- A mailed link that sets a password. Only the hash of its token is kept; using it deletes the row. No foreign key to
-- the person: the link of somebody who was deleted meanwhile is told apart from one that never was.
create table auth.password_link (
  token_hash text primary key,
  user_id uuid not null,
  kind text not null check (kind in ('reset', 'invitation')),
  invitation_id uuid references invitations (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check ((kind = 'invitation') = (invitation_id is not null))
);
create index password_link_by_user on auth.password_link (user_id);
create index password_link_by_end on auth.password_link (expires_at);

-- Proves that whoever makes the first admin of an empty instance reads its log. Only the hash is kept.
create table auth.first_admin_token (
  is_only_row boolean primary key default true check (is_only_row),
  token_hash text not null,
  created_at timestamptz not null default now()
);

-- Counters that may be lost in a crash.
create unlogged table auth.rate_limit (
  key text primary key,
  count integer not null,
  window_started_at timestamptz not null,
  window_ends_at timestamptz not null
);
create index rate_limit_by_end on auth.rate_limit (window_ends_at);

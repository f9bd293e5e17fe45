-- What a person unlinked: a confirmed address alone does not link it to their account again.
create table auth.unlinked_identity (
  user_id uuid not null references auth."user" (id) on delete cascade,
  provider_id text not null,
  account_id text not null,
  unlinked_at timestamptz not null default now(),
  primary key (user_id, provider_id, account_id)
);

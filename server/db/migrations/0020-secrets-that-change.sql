-- Which secret of the instance made the hash. Null if it was made before this was noted.
alter table auth.recovery_code add column secret_sign text;

-- Earlier identities of the server towards push services. A browser that subscribed to one takes no message of another.
create table former_push_keys (
  public_key text primary key,
  encrypted_private_key text not null,
  replaced_at timestamptz not null default now()
);

-- The identity that the browser subscribed to. Null if it is the present one.
alter table push_subscriptions add column former_key text references former_push_keys (public_key);
create index push_subscriptions_by_former_key on push_subscriptions (former_key) where former_key is not null;

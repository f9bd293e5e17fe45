-- A password that somebody else chose: until its owner sets one of their own, it opens nothing but that.
alter table auth.account
  add column must_be_changed boolean not null default false,
  add check (not must_be_changed or password is not null);
create index account_that_must_be_changed on auth.account (user_id) where must_be_changed;

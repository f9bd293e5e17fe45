-- When somebody last signed in is written at each sign-in: in a narrow row of its own, so that the person's row with all
-- its indexes stays as it is.
create table last_sign_ins (
  user_id uuid primary key references profiles (id) on delete cascade,
  -- Of who never did: before everything.
  signed_in_at timestamptz not null default '-infinity'
);
insert into last_sign_ins (user_id, signed_in_at) select id, coalesce(last_sign_in_at, '-infinity') from profiles;
create index last_sign_ins_in_order on last_sign_ins (signed_in_at desc, user_id desc);
create function begin_sign_ins() returns trigger language plpgsql as $$
begin
  insert into last_sign_ins (user_id) values (new.id);
  return null;
end $$;
create trigger profiles_begin_sign_ins after insert on profiles for each row execute function begin_sign_ins();

create or replace function note_sign_in() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' or new.is_device_remembered or not exists (
    select from auth.second_factor where user_id = new.user_id and confirmed_at is not null
  ) then
    update last_sign_ins set signed_in_at = now() where user_id = new.user_id;
  end if;
  return new;
end $$;
drop index profiles_by_sign_in;
alter table profiles drop column last_sign_in_at;

-- A person's full name is made here and nowhere else.
alter table profiles add column full_name text not null generated always as (first_name || ' ' || last_name) stored;

drop index profiles_by_name;
create index profiles_by_name on profiles (lower(full_name), id) where deleted_at is null;

-- Only the line that reads the name is new.
create or replace function keep_payee() returns trigger language plpgsql as $$
declare
  person profiles;
  was_owed boolean := tg_op = 'UPDATE' and old.payment_status in ('approved', 'paid');
begin
  if new.payment_status not in ('approved', 'paid') then
    new.payee_name := null;
    new.payee_email := null;
    new.payee_renewed_by := null;
    new.payee_renewed_at := null;
    return new;
  end if;
  select * into strict person from profiles where id = new.fellow_id;
  if was_owed and person.deleted_at is null and new.payee_renewed_at is not distinct from old.payee_renewed_at then
    if (new.payee_name, new.payee_email, new.payee_renewed_by)
        is distinct from (old.payee_name, old.payee_email, old.payee_renewed_by) then
      raise exception 'whom a stipend pays was approved with it';
    end if;
    return new;
  end if;
  if was_owed and person.deleted_at is null and is_payee_settled(old) then
    raise exception 'whom a stipend pays stays as it was handed over or paid';
  end if;
  if new.payee_renewed_by = new.fellow_id then raise exception 'nobody decides about what is their own'; end if;
  if not was_owed then
    new.payee_renewed_by := null;
    new.payee_renewed_at := null;
  end if;
  -- The profile of a deleted person names nobody, so this forgets them.
  new.payee_name := person.full_name;
  new.payee_email := person.email;
  return new;
end $$;

-- Whom a stipend pays is written down when it is approved. A name or an address that changes afterwards changes nothing
-- of it, before an admin takes it over; once it was handed over or paid it stays as it is.
alter table stipend_eligibility
  add column payee_name text,
  add column payee_email text,
  -- Who took the person's present name and address over, since the approval.
  add column payee_renewed_by uuid references profiles (id),
  add column payee_renewed_at timestamptz;

-- What was handed over says whom it named; the rest is approved for whoever the person is now.
with sent as (
  select distinct on (handed.stipend_id) handed.stipend_id, handed.handover_id, handed.participant_email
  from stipend_handover_rows handed join stipend_handovers batch on batch.id = handed.handover_id
  where handed.participant_email is not null
    and (batch.status <> 'recalled' or exists (select from stipend_confirmations told where told.handover_id = batch.id))
  order by handed.stipend_id, handed.part desc, batch.created_at desc
), named as (
  select distinct on (batch.id, lower(entry ->> 'participant_email')) batch.id as handover_id,
    lower(entry ->> 'participant_email') as address, entry ->> 'participant_name' as name
  from stipend_handovers batch, jsonb_array_elements(batch.body::jsonb -> 'approved_stipends') entry
), known as (
  select sent.stipend_id, sent.participant_email, named.name
  from sent left join named on named.handover_id = sent.handover_id and named.address = lower(sent.participant_email)
)
update stipend_eligibility stipend set payee_name = given.name, payee_email = given.email
from (
  select owed.id, coalesce(case when person.deleted_at is null then known.name end,
      person.first_name || ' ' || person.last_name) as name,
    coalesce(case when person.deleted_at is null then known.participant_email end, person.email::text) as email
  from stipend_eligibility owed
  join profiles person on person.id = owed.fellow_id
  left join known on known.stipend_id = owed.id
  where owed.payment_status in ('approved', 'paid')
) given where given.id = stipend.id;

alter table stipend_eligibility
  add constraint approved_stipends_name_their_payee check (
    (payment_status in ('approved', 'paid')) = (payee_name is not null)
    and (payee_name is null) = (payee_email is null)),
  add check ((payee_renewed_by is null) = (payee_renewed_at is null)),
  add check (payee_renewed_by is null or payee_name is not null);

-- Nothing is left to pay, or what is to be paid next is in a batch that stands.
create function is_payee_settled(stipend stipend_eligibility) returns boolean language sql stable as $$
  select stipend.payment_status = 'paid' and stipend.stipend_amount_cents <= coalesce(sum(paid.amount_cents), 0)
    or exists (select from stipend_handover_rows handed
      join stipend_handovers batch on batch.id = handed.handover_id
      where handed.stipend_id = stipend.id and handed.part = coalesce(max(paid.part), 0) + 1
        and (batch.status <> 'recalled'
          or exists (select from stipend_confirmations told where told.handover_id = batch.id)))
  from standing_payment_parts paid where paid.stipend_id = stipend.id
$$;

-- By whichever way a stipend is approved. Nobody writes another payee than the person is: renewing takes what stands in
-- the profile.
create function keep_payee() returns trigger language plpgsql as $$
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
  -- Of who was deleted this forgets them.
  new.payee_name := person.first_name || ' ' || person.last_name;
  new.payee_email := person.email;
  return new;
end $$;
create trigger payee_is_kept before insert or update on stipend_eligibility
  for each row execute function keep_payee();
alter table stipend_eligibility enable always trigger payee_is_kept;

create function refuse_other_payee() returns trigger language plpgsql as $$
begin
  if new.participant_email is distinct from (select payee_email from stipend_eligibility where id = new.stipend_id) then
    raise exception 'a stipend is handed over for whom it was approved';
  end if;
  return new;
end $$;
create trigger handed_over_payees_are_approved before insert on stipend_handover_rows
  for each row when (new.participant_email is not null) execute function refuse_other_payee();
alter table stipend_handover_rows enable always trigger handed_over_payees_are_approved;

alter table stipend_ledger drop constraint stipend_ledger_kind_check;
alter table stipend_ledger add constraint stipend_ledger_kind_check check (kind in ('first_approval',
  'first_approval_lapsed', 'approval', 'denial', 'amount', 'adjustment', 'amount_approval', 'payee', 'handover', 'recall',
  'payment', 'reversal'));

-- Without name and address: a line is never changed, and people are forgotten.
create function write_payee_to_ledger() returns trigger language plpgsql as $$
begin
  insert into stipend_ledger (at, stipend_id, fellow_id, kind, actor_id, owed_cents, handed_cents, paid_cents, before, after)
  select new.payee_renewed_at, new.id, new.fellow_id, 'payee', new.payee_renewed_by, 0, 0, 0, facts, facts
  from jsonb_build_object('paymentStatus', new.payment_status, 'amountCents', new.stipend_amount_cents) facts;
  return null;
end $$;
create trigger renewed_payees_are_in_the_ledger after update on stipend_eligibility for each row
  when (new.payee_renewed_at is distinct from old.payee_renewed_at and new.payee_renewed_at is not null)
  execute function write_payee_to_ledger();
alter table stipend_eligibility enable always trigger renewed_payees_are_in_the_ledger;

-- Who decides saw a name and an address: when one changes, what was seen is another row, and a first approval lapses.
create function follow_payee() returns trigger language plpgsql as $$
begin
  with touched as materialized (
    select stipend.id from changed_rows
    join earlier_rows using (id)
    join stipend_eligibility stipend on stipend.fellow_id = changed_rows.id
    where (changed_rows.first_name, changed_rows.last_name, changed_rows.email::text)
        is distinct from (earlier_rows.first_name, earlier_rows.last_name, earlier_rows.email::text)
      and changed_rows.deleted_at is null and stipend.payment_status <> 'denied'
    order by stipend.cohort_id, stipend.fellow_id, stipend.week_number for no key update of stipend
  )
  update stipend_eligibility stipend set version = version + 1, updated_at = now(),
    first_approved_by = case when payment_status = 'pending' then null else first_approved_by end,
    first_approved_at = case when payment_status = 'pending' then null else first_approved_at end
  from touched where touched.id = stipend.id;
  return null;
end $$;
create trigger payee_changed after update on profiles
  referencing old table as earlier_rows new table as changed_rows for each statement execute function follow_payee();

-- As in 0042; whom decided stipends pay is forgotten too. What was handed over keeps what was sent.
create or replace function forget_person() returns trigger language plpgsql as $$
begin
  perform forget_in_log(array[new.id]);
  perform forget_undecided_stipends(array[new.id]);
  update stipend_eligibility set updated_at = now() where fellow_id = new.id and payee_name is not null;
  return null;
end $$;

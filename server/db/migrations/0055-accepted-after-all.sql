-- A recalled batch that the payment system told of was accepted after all: its stipends count as handed over.
create index stipend_confirmations_by_handover on stipend_confirmations (handover_id);
create or replace function is_handed_over(in_stipend_id uuid) returns boolean language sql stable as $$
  select exists (select from stipend_handover_rows handed
    join stipend_handovers handover on handover.id = handed.handover_id
    where handed.stipend_id = in_stipend_id and (handover.status <> 'recalled'
      or exists (select from stipend_confirmations told where told.handover_id = handover.id)))
$$;

-- As in 0037, but who set an amount that stands no longer may approve the one that does: where both of two admins
-- changed it, nobody could.
create or replace function keep_amount_setters() returns trigger language plpgsql as $$
begin
  new.amount_setters := old.amount_setters;
  if new.stipend_amount_cents <> old.stipend_amount_cents then
    new.amount_approved_by := null;
    new.amount_approved_at := null;
    if new.amount_set_by is not null then
      new.amount_setters := array[new.amount_set_by];
    end if;
  else
    new.amount_set_by := old.amount_set_by;
    new.amount_reason := old.amount_reason;
  end if;
  if new.payment_status = 'approved' and old.payment_status = 'pending' then
    if needs_two_admins(new.cohort_id) and (new.first_approved_by is null or new.first_approved_by = new.approved_by
        or new.approved_by = any(new.amount_setters)) then
      raise exception 'a stipend of this cohort is approved by two admins, the second not who changed its amount';
    end if;
    if not new.approved_by = any(new.amount_setters) then new.amount_setters := '{}'; end if;
  elsif new.amount_approved_by is not null and new.amount_approved_at is distinct from old.amount_approved_at then
    if new.amount_approved_by = any(new.amount_setters) then
      raise exception 'an amount is approved by somebody who did not change it';
    end if;
    new.amount_setters := '{}';
  end if;
  return new;
end $$;
alter table stipend_eligibility disable trigger amount_setters_are_kept;
update stipend_eligibility set amount_setters = array[amount_set_by]
where cardinality(amount_setters) > 1 and amount_set_by is not null;
alter table stipend_eligibility enable always trigger amount_setters_are_kept;

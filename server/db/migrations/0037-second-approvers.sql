-- One admin asks that one approver be enough; it is so when another one agrees.
alter table cohorts
  add column asked_off_by uuid references profiles (id),
  add column asked_off_at timestamptz,
  add check ((asked_off_by is null) = (asked_off_at is null)),
  add check (asked_off_by is null or needs_second_approver);

alter table stipend_eligibility
  -- Everybody who changed the amount since somebody else approved it.
  add column amount_setters uuid[] not null default '{}',
  -- Of an amount that was changed after the decision.
  add column amount_approved_by uuid references profiles (id),
  add column amount_approved_at timestamptz,
  add check ((amount_approved_by is null) = (amount_approved_at is null));

update stipend_eligibility stipend set amount_setters = array(
  select distinct change.actor_id
  from stipend_ledger change
  where change.stipend_id = stipend.id and change.kind in ('amount', 'adjustment') and change.actor_id is not null
    and not exists (
      select from stipend_ledger approval
      where approval.stipend_id = stipend.id and approval.kind = 'approval' and approval.position > change.position
        and approval.actor_id not in (
          select earlier.actor_id from stipend_ledger earlier
          where earlier.stipend_id = stipend.id and earlier.kind in ('amount', 'adjustment')
            and earlier.actor_id is not null and earlier.position < approval.position)))
where exists (
  select from stipend_ledger line where line.stipend_id = stipend.id and line.kind in ('amount', 'adjustment'));

create function needs_two_admins(in_cohort_id uuid) returns boolean language sql stable as $$
  select needs_second_approver from cohorts where id = in_cohort_id
$$;

-- Neither sent nor paid until an admin who did not change it has approved it.
create function amount_awaits_approval(stipend stipend_eligibility) returns boolean language sql stable as $$
  select stipend.payment_status in ('approved', 'paid') and cardinality(stipend.amount_setters) > 0
    and needs_two_admins(stipend.cohort_id)
$$;

-- Who set an amount is known until somebody else approves it, whichever path the change takes, and two are two.
create function keep_amount_setters() returns trigger language plpgsql as $$
begin
  new.amount_setters := old.amount_setters;
  if new.stipend_amount_cents <> old.stipend_amount_cents then
    new.amount_approved_by := null;
    new.amount_approved_at := null;
    if new.amount_set_by is not null and not new.amount_set_by = any(new.amount_setters) then
      new.amount_setters := new.amount_setters || new.amount_set_by;
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
create trigger amount_setters_are_kept before update on stipend_eligibility
  for each row execute function keep_amount_setters();
alter table stipend_eligibility enable always trigger amount_setters_are_kept;

alter table stipend_ledger drop constraint stipend_ledger_kind_check;
alter table stipend_ledger add constraint stipend_ledger_kind_check check (kind in
  ('first_approval', 'first_approval_lapsed', 'approval', 'denial', 'amount', 'adjustment', 'amount_approval', 'handover',
   'recall', 'payment', 'reversal'));

create function write_amount_approval_to_ledger() returns trigger language plpgsql as $$
begin
  insert into stipend_ledger (at, stipend_id, fellow_id, kind, actor_id, owed_cents, handed_cents, paid_cents, before, after)
  select new.amount_approved_at, new.id, new.fellow_id, 'amount_approval', new.amount_approved_by, 0, 0, 0, facts, facts
  from jsonb_build_object('paymentStatus', new.payment_status, 'amountCents', new.stipend_amount_cents) facts;
  return null;
end $$;
create trigger amount_approvals_are_in_the_ledger after update on stipend_eligibility
  for each row when (new.amount_approved_at is distinct from old.amount_approved_at and new.amount_approved_at is not null)
  execute function write_amount_approval_to_ledger();
alter table stipend_eligibility enable always trigger amount_approvals_are_in_the_ledger;

create function refuse_unapproved_amount() returns trigger language plpgsql as $$
begin
  if (select amount_awaits_approval(stipend) from stipend_eligibility stipend where stipend.id = new.stipend_id) then
    raise exception 'the new amount of this stipend has to be approved by another admin first';
  end if;
  return new;
end $$;
create trigger handed_over_amounts_are_approved before insert on stipend_handover_rows
  for each row execute function refuse_unapproved_amount();
alter table stipend_handover_rows enable always trigger handed_over_amounts_are_approved;
-- Payments have another name since they are made in parts (0035).
do $$
declare payments regclass := coalesce(to_regclass('stipend_payment_parts'), to_regclass('stipend_payments'));
begin
  execute format('create trigger marked_amounts_are_approved before insert on %s
    for each row when (new.source = ''admin'') execute function refuse_unapproved_amount()', payments);
end $$;

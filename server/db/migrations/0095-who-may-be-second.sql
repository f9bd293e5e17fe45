-- Who may be the other of two admins: none of the first, nor who made one of them an admin or was made one by them.
-- Whatever takes two asks this and nothing else.
create function may_be_second(in_admin_id uuid, in_first_ids uuid[]) returns boolean language sql stable as $$
  select not coalesce(in_admin_id = any(array_remove(in_first_ids, null) || bound_admins(in_first_ids)), false)
$$;

-- What the rules pay for a week; contract/money.ts has it too.
create function stipend_rule_cents() returns integer language sql immutable as $$ select 50000 $$;
alter table stipend_eligibility alter column stipend_amount_cents set default stipend_rule_cents();

-- An amount above twice the rule's takes a second admin in every cohort.
create function is_amount_unusual(in_cents integer) returns boolean language sql immutable as $$
  select in_cents > 2 * stipend_rule_cents()
$$;

-- Neither sent nor paid until an admin who did not change it has approved it.
create or replace function amount_awaits_approval(stipend stipend_eligibility) returns boolean language sql stable as $$
  select stipend.payment_status in ('approved', 'paid') and cardinality(stipend.amount_setters) > 0
    and (is_amount_unusual(stipend.stipend_amount_cents) or needs_two_admins(stipend.cohort_id))
$$;

-- As in 0055, but who may be second is asked of the one function that says it.
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
    if needs_two_admins(new.cohort_id) and (new.first_approved_by is null
        or not may_be_second(new.approved_by, new.first_approved_by || new.amount_setters)) then
      raise exception 'a stipend of this cohort is approved by two admins, the second not who changed its amount, and neither made the other an admin';
    end if;
    if may_be_second(new.approved_by, new.amount_setters) then new.amount_setters := '{}'; end if;
  elsif new.amount_approved_by is not null and new.amount_approved_at is distinct from old.amount_approved_at then
    if not may_be_second(new.amount_approved_by, new.amount_setters) then
      raise exception 'an amount is approved by somebody who did not change it';
    end if;
    new.amount_setters := '{}';
  end if;
  return new;
end $$;

-- What was paid whole before this rule was there waits for nobody.
alter table stipend_eligibility disable trigger amount_setters_are_kept;
update stipend_eligibility stipend set amount_setters = '{}'
where payment_status = 'paid' and cardinality(amount_setters) > 0 and is_amount_unusual(stipend_amount_cents)
  and not needs_two_admins(cohort_id)
  and stipend_amount_cents <= (select coalesce(sum(part.amount_cents), 0) from standing_payment_parts part
    where part.stipend_id = stipend.id);
alter table stipend_eligibility enable always trigger amount_setters_are_kept;

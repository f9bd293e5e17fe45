-- A stipend is paid in parts: the first one is what was owed, later ones are what adjustments added after it was paid.
-- Each is paid at most once. What an admin noted can be taken back with a reason; then it may be paid anew.
alter table stipend_payments rename to stipend_payment_parts;
alter table stipend_payment_parts
  add column id uuid not null default time_ordered_id(),
  add column part integer not null default 1 check (part >= 1),
  -- How often this part was taken back before, which a trigger counts.
  add column reversals_before integer not null default 0,
  -- The batch that the payment system was paying; null where an admin noted it.
  add column handover_id uuid references stipend_handovers (id),
  add constraint noted_payments_have_a_reference
    check (source <> 'admin' or coalesce(trim(reference), '') <> '') not valid;
alter table stipend_payment_parts drop constraint stipend_payments_pkey;
alter table stipend_payment_parts
  add primary key (id), add constraint a_part_is_paid_once unique (stipend_id, part, reversals_before);

create table stipend_payment_reversals (
  payment_id uuid primary key references stipend_payment_parts (id),
  at timestamptz not null default now(),
  reversed_by uuid not null references profiles (id),
  reason text not null check (trim(reason) <> '')
);
create trigger stipend_payment_reversals_are_append_only before update or delete or truncate on stipend_payment_reversals
  for each statement execute function refuse_change();

create view standing_payment_parts as
select parts.* from stipend_payment_parts parts
where not exists (select from stipend_payment_reversals reversals where reversals.payment_id = parts.id);

-- One row a stipend that is paid: the sum of its parts, and who paid the last of them.
create view stipend_payments as
select last.stipend_id, last.paid_at, last.source, last.recorded_by, last.reference, last.note, last.part,
  (select sum(part.amount_cents)::integer from standing_payment_parts part where part.stipend_id = last.stipend_id)
    as amount_cents
from standing_payment_parts last
where not exists (select from standing_payment_parts later
  where later.stipend_id = last.stipend_id and later.part > last.part);

create function number_payment_part() returns trigger language plpgsql as $$
begin
  select count(*) into new.reversals_before
  from stipend_payment_reversals reversals
  join stipend_payment_parts earlier on earlier.id = reversals.payment_id
  where earlier.stipend_id = new.stipend_id and earlier.part = new.part;
  if new.part > 1 and not exists (select from standing_payment_parts earlier
      where earlier.stipend_id = new.stipend_id and earlier.part = new.part - 1) then
    raise exception 'part % of a stipend is not paid before part %', new.part, new.part - 1;
  end if;
  return new;
end $$;
create trigger payment_parts_are_numbered before insert on stipend_payment_parts
  for each row execute function number_payment_part();

alter table stipend_ledger drop constraint stipend_ledger_kind_check;
alter table stipend_ledger add constraint stipend_ledger_kind_check check (kind in ('first_approval',
  'first_approval_lapsed', 'approval', 'denial', 'amount', 'adjustment', 'amount_approval', 'handover', 'recall', 'payment', 'reversal'));

create function write_payment_to_ledger() returns trigger language plpgsql as $$
begin
  insert into stipend_ledger (at, stipend_id, fellow_id, kind, actor_id, owed_cents, handed_cents, paid_cents, before, after, reason, handover_id)
  select new.paid_at, stipend.id, stipend.fellow_id, 'payment', new.recorded_by, 0, 0, new.amount_cents,
    jsonb_build_object('paymentStatus', case when new.part = 1 then 'approved' else 'paid' end,
      'amountCents', stipend.stipend_amount_cents),
    jsonb_strip_nulls(jsonb_build_object('paymentStatus', 'paid', 'amountCents', stipend.stipend_amount_cents,
      'paidCents', (select sum(part.amount_cents) from standing_payment_parts part where part.stipend_id = stipend.id),
      'reference', new.reference)), new.note, new.handover_id
  from stipend_eligibility stipend where stipend.id = new.stipend_id;
  return null;
end $$;
create trigger payments_are_in_the_ledger after insert on stipend_payment_parts
  for each row execute function write_payment_to_ledger();

create function write_reversal_to_ledger() returns trigger language plpgsql as $$
begin
  insert into stipend_ledger (at, stipend_id, fellow_id, kind, actor_id, owed_cents, handed_cents, paid_cents, before, after, reason)
  select new.at, stipend.id, stipend.fellow_id, 'reversal', new.reversed_by, 0, 0, -taken_back.amount_cents,
    jsonb_strip_nulls(jsonb_build_object('paymentStatus', 'paid', 'paidCents', remaining.cents + taken_back.amount_cents,
      'reference', taken_back.reference)),
    jsonb_build_object('paymentStatus', case when remaining.parts = 0 then 'approved' else 'paid' end,
      'paidCents', remaining.cents), new.reason
  from stipend_payment_parts taken_back
  join stipend_eligibility stipend on stipend.id = taken_back.stipend_id
  cross join lateral (select coalesce(sum(part.amount_cents), 0)::integer as cents, count(*) as parts
    from standing_payment_parts part where part.stipend_id = stipend.id) remaining
  where taken_back.id = new.payment_id;
  return null;
end $$;
create trigger reversals_are_in_the_ledger after insert on stipend_payment_reversals
  for each row execute function write_reversal_to_ledger();

-- As in 0029, but payments and what takes them back write their own lines.
create or replace function write_stipend_ledger() returns trigger language plpgsql as $$
declare
  was stipend_eligibility;
  line_kind text;
  line_actor uuid;
  line_reason text;
  line_at timestamptz := new.updated_at;
  status_after text := new.payment_status;
begin
  if tg_op = 'INSERT' then
    was := new;
    was.payment_status := 'pending';
    was.first_approved_by := null;
  else
    was := old;
  end if;
  if tg_op = 'UPDATE' and 'paid' in (was.payment_status, new.payment_status) and new.payment_status <> was.payment_status then
    if new.stipend_amount_cents <> was.stipend_amount_cents then
      raise exception 'a stipend is not paid and adjusted in one go';
    end if;
    if was.payment_status = 'paid' and (new.payment_status <> 'approved'
        or exists (select from standing_payment_parts part where part.stipend_id = new.id)) then
      raise exception 'a stipend that is % does not become %', was.payment_status, new.payment_status;
    end if;
    if new.payment_status = 'paid' and was.payment_status <> 'approved' then
      raise exception 'a stipend that is % does not become %', was.payment_status, new.payment_status;
    end if;
  elsif new.payment_status <> was.payment_status then
    if tg_op = 'UPDATE' and not (was.payment_status = 'pending' and new.payment_status in ('approved', 'denied')) then
      raise exception 'a stipend that is % does not become %', was.payment_status, new.payment_status;
    end if;
    status_after := case new.payment_status when 'denied' then 'denied' else 'approved' end;
    line_kind := case status_after when 'denied' then 'denial' else 'approval' end;
    line_actor := new.approved_by;
    line_at := new.approved_at;
  elsif new.stipend_amount_cents <> was.stipend_amount_cents then
    line_kind := case when is_handed_over(new.id) then 'adjustment' else 'amount' end;
    line_actor := new.amount_set_by;
    line_reason := new.amount_reason;
  elsif new.first_approved_by is distinct from was.first_approved_by then
    line_kind := case when new.first_approved_by is null then 'first_approval_lapsed' else 'first_approval' end;
    line_actor := new.first_approved_by;
    line_at := coalesce(new.first_approved_at, new.updated_at);
  end if;
  if line_kind is not null then
    insert into stipend_ledger (at, stipend_id, fellow_id, kind, actor_id, owed_cents, handed_cents, paid_cents, before, after, reason)
    values (line_at, new.id, new.fellow_id, line_kind, line_actor, owed_of(new) - owed_of(was), 0, 0,
      jsonb_build_object('paymentStatus', was.payment_status, 'amountCents', was.stipend_amount_cents),
      jsonb_build_object('paymentStatus', status_after, 'amountCents', new.stipend_amount_cents), line_reason);
  end if;
  -- Whoever sets a row to paid without a payment has it noted as one from elsewhere.
  if new.payment_status = 'paid' and new.payment_status <> was.payment_status
      and not exists (select from standing_payment_parts part where part.stipend_id = new.id) then
    insert into stipend_payment_parts (stipend_id, amount_cents, paid_at, source)
      values (new.id, new.stipend_amount_cents, new.updated_at, 'import');
  end if;
  return null;
end $$;

-- A batch hands over one part of each of its stipends.
alter table stipend_handover_rows add column part integer not null default 1 check (part >= 1);
drop index stipend_handover_rows_once;
create unique index stipend_handover_rows_once on stipend_handover_rows (stipend_id, part) where is_first;

-- As in 0029: what a batch adds to what was handed over of the same part before.
create or replace function write_handover_to_ledger() returns trigger language plpgsql as $$
begin
  insert into stipend_ledger (at, stipend_id, fellow_id, kind, actor_id, owed_cents, handed_cents, paid_cents, before, after, handover_id)
  select handover.created_at, stipend.id, stipend.fellow_id, 'handover', handover.created_by, 0,
    new.amount_cents - known.of_part, 0, jsonb_build_object('handedCents', known.in_all),
    jsonb_build_object('paymentStatus', stipend.payment_status, 'handedCents', known.in_all + new.amount_cents - known.of_part),
    handover.id
  from stipend_handovers handover, stipend_eligibility stipend, lateral (
    select coalesce(sum(line.handed_cents), 0)::integer as in_all,
      coalesce(sum(line.handed_cents) filter (where handed.part = new.part), 0)::integer as of_part
    from stipend_ledger line
    left join stipend_handover_rows handed on handed.handover_id = line.handover_id and handed.stipend_id = line.stipend_id
    where line.stipend_id = stipend.id and line.handed_cents <> 0) known
  where handover.id = new.handover_id and stipend.id = new.stipend_id;
  return null;
end $$;

-- A batch that holds what was paid in another way is taken back by the product itself: recalled by nobody.
alter table stipend_handovers drop constraint stipend_handovers_check1;
alter table stipend_handovers add constraint recalls_have_a_reason
  check ((status = 'recalled') = (coalesce(trim(recall_reason), '') <> '') and (recalled_by is null or status = 'recalled'));

alter table stipend_confirmation_rows drop constraint stipend_confirmation_rows_outcome_check;
alter table stipend_confirmation_rows add constraint stipend_confirmation_rows_outcome_check
  -- conflict: the same reference as the payment on record, but of another batch or amount.
  check (outcome in ('paid', 'known', 'paid_twice', 'conflict'));
drop index stipend_confirmation_rows_paid_twice;
create index stipend_confirmation_rows_to_look_at on stipend_confirmation_rows (stipend_id)
  where outcome in ('paid_twice', 'conflict');

-- Payments of another amount than the stipend had.
create index stipend_ledger_odd_payments on stipend_ledger (stipend_id)
  where kind = 'payment' and paid_cents <> (after ->> 'amountCents')::integer;

-- As the other tables that are only ever added to. The lock that a reference takes needs the right to update a column.
alter table stipend_payment_parts enable always trigger payment_parts_are_numbered;
alter table stipend_payment_parts enable always trigger payments_are_in_the_ledger;
alter table stipend_payment_reversals enable always trigger stipend_payment_reversals_are_append_only;
alter table stipend_payment_reversals enable always trigger reversals_are_in_the_ledger;
do $$ begin
  execute format('revoke update, delete, truncate on stipend_payment_reversals from public, %I', current_user);
  execute format('grant update (id) on stipend_payment_parts to %I', current_user);
end $$;

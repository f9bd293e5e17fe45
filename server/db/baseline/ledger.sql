-- Every decision, change of an amount, hand-over and payment, in the order in which they were committed. A line holds
-- the hash of the line before it: whoever changes one breaks the chain (npm run ledger:verify). What is owed, was
-- handed over and was paid are sums of the lines.
create table stipend_ledger (
  position bigint primary key,
  at timestamptz not null,
  stipend_id uuid not null references stipend_eligibility (id),
  fellow_id uuid not null references profiles (id),
  kind text not null check (kind in
    ('first_approval', 'first_approval_lapsed', 'approval', 'denial', 'amount', 'adjustment', 'amount_approval', 'payee',
     'handover', 'recall', 'payment', 'reversal')),
  -- Null where no person acted: new facts, the payment system.
  actor_id uuid references profiles (id),
  owed_cents integer not null,
  handed_cents integer not null,
  paid_cents integer not null,
  before jsonb not null,
  after jsonb not null,
  reason text,
  handover_id uuid references stipend_handovers (id),
  previous_hash text not null,
  hash text not null unique,
  check (kind <> 'adjustment' or coalesce(trim(reason), '') <> ''),
  constraint denials_have_a_reason check (kind <> 'denial' or coalesce(trim(reason), '') <> ''),
  -- Whatever is done about money has a line here, so this is one rule for decisions, amounts, hand-overs, payments and
  -- reversals. An admin may recall a batch that holds a row of their own: that pays nothing.
  constraint nobody_acts_on_their_own check (kind = 'recall' or actor_id is distinct from fellow_id)
);

create index stipend_ledger_by_stipend on stipend_ledger (stipend_id, position);
create index stipend_ledger_by_fellow on stipend_ledger (fellow_id, position);
create index stipend_ledger_adjustments on stipend_ledger (stipend_id)
  where kind in ('adjustment', 'amount') and owed_cents <> 0;
-- Reconciliation lists payments of another amount than the stipend had.
create index stipend_ledger_odd_payments on stipend_ledger (stipend_id)
  where kind = 'payment' and paid_cents <> (after ->> 'amountCents')::integer;

-- What is owed, was handed over and was paid, for each stipend.
create view stipend_balances as
select stipend_id, fellow_id, sum(owed_cents) as owed_cents, sum(handed_cents) as handed_cents, sum(paid_cents) as paid_cents
from stipend_ledger group by stipend_id, fellow_id;

-- The hash is made of every field with its length in bytes, so that no two lines read the same.
create function stipend_ledger_text(line stipend_ledger) returns text language sql stable as $$
  select string_agg(coalesce(octet_length(field) || ':' || field, '-'), ',' order by place)
  from unnest(array[
    line.position::text, to_char(line.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), line.stipend_id::text,
    line.fellow_id::text, line.kind, line.actor_id::text, line.owed_cents::text, line.handed_cents::text,
    line.paid_cents::text, line.before::text, line.after::text, line.reason, line.handover_id::text, line.previous_hash
  ]) with ordinality as fields (field, place)
$$;

-- The lock keeps the chain one chain: lines are numbered in the order in which their transactions commit.
create function chain_stipend_ledger() returns trigger language plpgsql as $$
declare last_line record;
begin
  perform pg_advisory_xact_lock(hashtext('stipend ledger'));
  select position, hash into last_line from stipend_ledger order by position desc limit 1;
  new.position := coalesce(last_line.position, 0) + 1;
  new.previous_hash := coalesce(last_line.hash, repeat('0', 64));
  new.hash := encode(sha256(convert_to(stipend_ledger_text(new), 'UTF8')), 'hex');
  return new;
end $$;
create trigger stipend_ledger_is_chained before insert on stipend_ledger
  for each row execute function chain_stipend_ledger();
create trigger stipend_ledger_is_append_only before update or delete or truncate on stipend_ledger
  for each statement execute function refuse_change();

-- Two kinds of line are completed before they are chained: triggers of one moment run in the order of their names.
create function name_batch_in_ledger() returns trigger language plpgsql as $$
begin
  select new.after || jsonb_build_object('rowCents', handed.amount_cents, 'bodyHash', batch.body_hash) into strict new.after
  from stipend_handover_rows handed join stipend_handovers batch on batch.id = handed.handover_id
  where handed.handover_id = new.handover_id and handed.stipend_id = new.stipend_id;
  return new;
end $$;
create trigger a_handover_names_its_batch before insert on stipend_ledger
  for each row when (new.kind = 'handover') execute function name_batch_in_ledger();

create function say_why_denied() returns trigger language plpgsql as $$
begin
  select denial_reason into strict new.reason from stipend_eligibility where id = new.stipend_id;
  return new;
end $$;
create trigger a_denial_says_why before insert on stipend_ledger
  for each row when (new.kind = 'denial') execute function say_why_denied();

create function owed_of(stipend stipend_eligibility) returns integer language sql immutable as $$
  select case when stipend.payment_status in ('approved', 'paid') then stipend.stipend_amount_cents else 0 end
$$;

-- Whoever changes a stipend, by whichever path, has the line written, or the change is not made. Payments and what
-- takes them back write their own lines.
create function write_stipend_ledger() returns trigger language plpgsql as $$
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
  -- A row that becomes paid without a payment on record gets one, noted as made elsewhere.
  if new.payment_status = 'paid' and new.payment_status <> was.payment_status
      and not exists (select from standing_payment_parts part where part.stipend_id = new.id) then
    insert into stipend_payment_parts (stipend_id, amount_cents, paid_at, source)
      values (new.id, new.stipend_amount_cents, new.updated_at, 'import');
  end if;
  return null;
end $$;
create trigger stipend_decisions_are_in_the_ledger after insert on stipend_eligibility
  for each row when (new.payment_status <> 'pending') execute function write_stipend_ledger();
create trigger stipend_changes_are_in_the_ledger after update on stipend_eligibility
  for each row when ((old.payment_status, old.stipend_amount_cents, old.first_approved_by)
    is distinct from (new.payment_status, new.stipend_amount_cents, new.first_approved_by))
  execute function write_stipend_ledger();

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

-- The line has no name and no address: a line is never changed, and people are forgotten.
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

-- The line says what a batch adds to what was handed over of the same part before. Sending again adds nothing but an
-- adjustment.
create function write_handover_to_ledger() returns trigger language plpgsql as $$
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
create trigger handovers_are_in_the_ledger after insert on stipend_handover_rows
  for each row execute function write_handover_to_ledger();

-- A recalled batch is taken off what was handed over, and its rows may go out anew.
create function write_recall_to_ledger() returns trigger language plpgsql as $$
begin
  insert into stipend_ledger (at, stipend_id, fellow_id, kind, actor_id, owed_cents, handed_cents, paid_cents, before, after, reason, handover_id)
  select now(), stipend.id, stipend.fellow_id, 'recall', new.recalled_by, 0, -line.handed_cents, 0,
    jsonb_build_object('handedCents', handed.amount_cents), jsonb_build_object('handedCents', handed.amount_cents - line.handed_cents),
    new.recall_reason, new.id
  from stipend_handover_rows handed
  join stipend_eligibility stipend on stipend.id = handed.stipend_id
  join stipend_ledger line on line.stipend_id = stipend.id and line.handover_id = new.id and line.kind = 'handover'
  where handed.handover_id = new.id
  order by stipend.id;
  update stipend_handover_rows set is_first = false where handover_id = new.id;
  return null;
end $$;
create trigger recalls_are_in_the_ledger after update of status on stipend_handovers
  for each row when (new.status = 'recalled' and old.status <> 'recalled') execute function write_recall_to_ledger();

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

-- Nobody decides any more about the weeks of a deleted person, or of one whose import was undone. What was decided
-- stays.
create function forget_undecided_stipends(person_ids uuid[]) returns void language sql as $$
  delete from stipend_eligibility stipend
  where fellow_id = any(person_ids) and payment_status = 'pending'
    and not exists (select from stipend_ledger where stipend_id = stipend.id)
    and not exists (select from stipend_payments where stipend_id = stipend.id)
    and not exists (select from stipend_handover_rows where stipend_id = stipend.id)
    and not exists (select from stipend_confirmation_rows where stipend_id = stipend.id)
$$;

-- Every trigger on the money's tables runs also where a session says that it replays what another database did
-- (session_replication_role), which skips ordinary triggers.
do $$
declare
  guard record;
begin
  for guard in
    select tgrelid::regclass as kept, tgname from pg_trigger
    where not tgisinternal and tgrelid::regclass::text like 'stipend\_%'
  loop
    execute format('alter table %s enable always trigger %I', guard.kept, guard.tgname);
  end loop;
end $$;

-- Nobody has the right to change what is only ever added to. That includes the owner, which is the role that the server
-- signs in as.
do $$
declare
  kept text;
begin
  foreach kept in array array['stipend_handovers', 'stipend_handover_rows', 'stipend_handover_tries'] loop
    execute format('revoke delete, truncate on %I from public, %I', kept, current_user);
  end loop;
  foreach kept in array array['stipend_confirmations', 'stipend_confirmation_rows', 'stipend_payment_parts',
    'stipend_payment_reversals', 'stipend_ledger']
  loop
    execute format('revoke update, delete, truncate on %I from public, %I', kept, current_user);
  end loop;
end $$;

-- A reference is checked with a lock on the row that it names, and a delete with locks on the rows that name it. The
-- owner of the table takes them, and needs the right to update one column for it. An owner that is no superuser could
-- otherwise write no confirmation and forget nobody. The triggers refuse every change all the same.
grant update (id) on stipend_payment_parts to current_user;
grant update (payment_id) on stipend_payment_reversals to current_user;
grant update (position) on stipend_ledger to current_user;
grant update (id) on stipend_confirmations to current_user;
grant update (confirmation_id) on stipend_confirmation_rows to current_user;

alter table cohorts add column needs_second_approver boolean not null default false;

alter table stipend_eligibility
  -- In a cohort that needs two: who approved first. Lapses when the facts or the amount change.
  add column first_approved_by uuid references profiles (id),
  add column first_approved_at timestamptz,
  -- Of the last change of the amount.
  add column amount_set_by uuid references profiles (id),
  add column amount_reason text,
  add check ((first_approved_by is null) = (first_approved_at is null));

-- One row a stipend: it is paid at most once.
create table stipend_payments (
  stipend_id uuid primary key references stipend_eligibility (id),
  amount_cents integer not null check (amount_cents >= 0),
  paid_at timestamptz not null default now(),
  source text not null check (source in ('confirmation', 'admin', 'import')),
  recorded_by uuid references profiles (id),
  -- The payment system's own name of the payment, or what the admin wrote.
  reference text,
  note text,
  check (source <> 'admin' or recorded_by is not null)
);
create trigger stipend_payments_are_append_only before update or delete or truncate on stipend_payments
  for each statement execute function refuse_change();

-- Every decision, change of an amount, hand-over and payment, in the order in which they were committed. A line holds
-- the hash of the line before it: whoever changes one breaks the chain (npm run ledger:verify). What is owed, was
-- handed over and was paid are sums of the lines.
create table stipend_ledger (
  position bigint primary key,
  at timestamptz not null,
  stipend_id uuid not null references stipend_eligibility (id),
  fellow_id uuid not null references profiles (id),
  kind text not null check (kind in
    ('first_approval', 'first_approval_lapsed', 'approval', 'denial', 'amount', 'adjustment', 'handover', 'recall', 'payment')),
  -- Null where it was no person: new facts, the payment system.
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
  check (kind <> 'adjustment' or coalesce(trim(reason), '') <> '')
);
create index stipend_ledger_by_stipend on stipend_ledger (stipend_id, position);
create index stipend_ledger_by_fellow on stipend_ledger (fellow_id, position);

-- What the hash is made of: every field with its length in bytes, so that no two lines read the same.
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
alter table stipend_ledger enable always trigger stipend_ledger_is_chained;
alter table stipend_ledger enable always trigger stipend_ledger_is_append_only;
revoke update, delete, truncate on stipend_ledger from public;
-- The owner's own rights too: the role that the server runs as is the owner.
do $$ begin execute format('revoke update, delete, truncate on stipend_ledger from %I', current_user); end $$;

create function owed_of(stipend stipend_eligibility) returns integer language sql immutable as $$
  select case when stipend.payment_status in ('approved', 'paid') then stipend.stipend_amount_cents else 0 end
$$;

create function is_handed_over(in_stipend_id uuid) returns boolean language sql stable as $$
  select exists (select from stipend_handover_rows handed
    join stipend_handovers handover on handover.id = handed.handover_id
    where handed.stipend_id = in_stipend_id and handover.status <> 'recalled')
$$;

-- Whoever changes a stipend, by whichever path: the line is written, or the change is not made.
create function write_stipend_ledger() returns trigger language plpgsql as $$
declare
  was stipend_eligibility;
  line_kind text;
  line_actor uuid;
  line_reason text;
  line_at timestamptz := new.updated_at;
  paid integer := 0;
  extra jsonb := '{}';
begin
  if tg_op = 'INSERT' then
    was := new;
    was.payment_status := 'pending';
    was.first_approved_by := null;
  else
    was := old;
  end if;
  if new.payment_status <> was.payment_status then
    if tg_op = 'UPDATE' and not ((was.payment_status = 'pending' and new.payment_status in ('approved', 'denied'))
        or (was.payment_status = 'approved' and new.payment_status = 'paid')) then
      raise exception 'a stipend that is % does not become %', was.payment_status, new.payment_status;
    end if;
    if new.payment_status = 'paid' then
      insert into stipend_payments (stipend_id, amount_cents, paid_at, source)
        values (new.id, new.stipend_amount_cents, new.updated_at, 'import') on conflict do nothing;
      select amount_cents, recorded_by, note, paid_at, jsonb_strip_nulls(jsonb_build_object('reference', reference))
        into paid, line_actor, line_reason, line_at, extra
        from stipend_payments where stipend_id = new.id;
      line_kind := 'payment';
    else
      line_kind := case new.payment_status when 'approved' then 'approval' else 'denial' end;
      line_actor := new.approved_by;
      line_at := new.approved_at;
    end if;
  elsif new.stipend_amount_cents <> was.stipend_amount_cents then
    line_kind := case when is_handed_over(new.id) then 'adjustment' else 'amount' end;
    line_actor := new.amount_set_by;
    line_reason := new.amount_reason;
  elsif new.first_approved_by is distinct from was.first_approved_by then
    line_kind := case when new.first_approved_by is null then 'first_approval_lapsed' else 'first_approval' end;
    line_actor := new.first_approved_by;
    line_at := coalesce(new.first_approved_at, new.updated_at);
  else
    return null;
  end if;
  insert into stipend_ledger (at, stipend_id, fellow_id, kind, actor_id, owed_cents, handed_cents, paid_cents, before, after, reason)
  values (line_at, new.id, new.fellow_id, line_kind, line_actor, owed_of(new) - owed_of(was), 0, paid,
    jsonb_build_object('paymentStatus', was.payment_status, 'amountCents', was.stipend_amount_cents),
    jsonb_build_object('paymentStatus', new.payment_status, 'amountCents', new.stipend_amount_cents) || extra, line_reason);
  return null;
end $$;
create trigger stipend_decisions_are_in_the_ledger after insert on stipend_eligibility
  for each row when (new.payment_status <> 'pending') execute function write_stipend_ledger();
create trigger stipend_changes_are_in_the_ledger after update on stipend_eligibility
  for each row when ((old.payment_status, old.stipend_amount_cents, old.first_approved_by)
    is distinct from (new.payment_status, new.stipend_amount_cents, new.first_approved_by))
  execute function write_stipend_ledger();

-- What a batch adds to what was handed over before, so that sending again adds nothing but an adjustment.
create function write_handover_to_ledger() returns trigger language plpgsql as $$
begin
  insert into stipend_ledger (at, stipend_id, fellow_id, kind, actor_id, owed_cents, handed_cents, paid_cents, before, after, handover_id)
  select handover.created_at, stipend.id, stipend.fellow_id, 'handover', handover.created_by, 0,
    new.amount_cents - known.handed_cents, 0, jsonb_build_object('handedCents', known.handed_cents),
    jsonb_build_object('paymentStatus', stipend.payment_status, 'handedCents', new.amount_cents), handover.id
  from stipend_handovers handover, stipend_eligibility stipend, lateral (
    select coalesce(sum(line.handed_cents), 0)::integer as handed_cents from stipend_ledger line where line.stipend_id = stipend.id) known
  where handover.id = new.handover_id and stipend.id = new.stipend_id;
  return null;
end $$;
create trigger handovers_are_in_the_ledger after insert on stipend_handover_rows
  for each row execute function write_handover_to_ledger();

-- What is owed, was handed over and was paid, a stipend.
create view stipend_balances as
select stipend_id, fellow_id, sum(owed_cents) as owed_cents, sum(handed_cents) as handed_cents, sum(paid_cents) as paid_cents
from stipend_ledger group by stipend_id, fellow_id;

-- What was decided, handed over and paid before there was a ledger.
insert into stipend_payments (stipend_id, amount_cents, paid_at, source)
select id, stipend_amount_cents, updated_at, 'import' from stipend_eligibility where payment_status = 'paid';
insert into stipend_ledger (at, stipend_id, fellow_id, kind, actor_id, owed_cents, handed_cents, paid_cents, before, after, reason, handover_id)
select at, id, fellow_id, kind, actor_id, owed_cents, handed_cents, paid_cents, before, after, 'From before the ledger', handover_id
from (
  select approved_at as at, 1 as place, id, fellow_id, case when payment_status = 'denied' then 'denial' else 'approval' end as kind,
    approved_by as actor_id, owed_of(stipend) as owed_cents, 0 as handed_cents, 0 as paid_cents,
    jsonb_build_object('paymentStatus', 'pending', 'amountCents', stipend_amount_cents) as before,
    jsonb_build_object('paymentStatus', case when payment_status = 'denied' then 'denied' else 'approved' end,
      'amountCents', stipend_amount_cents) as after, null::uuid as handover_id
  from stipend_eligibility stipend where payment_status <> 'pending'
  union all
  select handover.created_at, 2, stipend.id, stipend.fellow_id, 'handover', handover.created_by, 0,
    case when handed.is_first then handed.amount_cents else 0 end, 0, '{"handedCents": 0}',
    jsonb_build_object('handedCents', handed.amount_cents), handover.id
  from stipend_handover_rows handed
  join stipend_handovers handover on handover.id = handed.handover_id
  join stipend_eligibility stipend on stipend.id = handed.stipend_id
  union all
  select payment.paid_at, 3, stipend.id, stipend.fellow_id, 'payment', null, 0, 0, payment.amount_cents,
    jsonb_build_object('paymentStatus', 'approved', 'amountCents', stipend_amount_cents),
    jsonb_build_object('paymentStatus', 'paid', 'amountCents', stipend_amount_cents), null
  from stipend_payments payment join stipend_eligibility stipend on stipend.id = payment.stipend_id
) earlier order by at, place, id;

-- As in 0028; a first approval lapses with the facts that it rested on.
create or replace function process_weekly_stipends(in_cohort_id uuid, in_week_number integer, in_fellow_id uuid default null)
returns integer language sql volatile as $$
  select from stipend_eligibility
  where cohort_id = in_cohort_id and week_number = in_week_number and payment_status = 'pending'
    and (in_fellow_id is null or fellow_id = in_fellow_id)
  order by fellow_id for no key update;

  with written as (
    insert into stipend_eligibility as stored
      (fellow_id, cohort_id, week_number, is_member, attendance_eligible, assignment_eligible, performance_eligible,
       attendance_percentage, performance_rating, activities_total, activities_accessed, assignments_total,
       assignments_submitted, evidence)
    select fellow_id, in_cohort_id, in_week_number, is_member, attendance_eligible, assignment_eligible,
           performance_eligible, attendance_percentage, performance_rating, activities_total, activities_accessed,
           assignments_total, assignments_submitted, evidence
    from stipend_facts(in_cohort_id, in_week_number, in_fellow_id)
    order by fellow_id
    on conflict (fellow_id, cohort_id, week_number) do update set
      is_member = excluded.is_member,
      attendance_eligible = excluded.attendance_eligible,
      assignment_eligible = excluded.assignment_eligible,
      performance_eligible = excluded.performance_eligible,
      attendance_percentage = excluded.attendance_percentage,
      performance_rating = excluded.performance_rating,
      activities_total = excluded.activities_total,
      activities_accessed = excluded.activities_accessed,
      assignments_total = excluded.assignments_total,
      assignments_submitted = excluded.assignments_submitted,
      evidence = excluded.evidence,
      rules_version = excluded.rules_version,
      first_approved_by = null,
      first_approved_at = null,
      version = stored.version + 1,
      updated_at = now()
    where stored.payment_status = 'pending'
      and (stored.is_member, stored.attendance_eligible, stored.assignment_eligible, stored.performance_eligible,
           stored.attendance_percentage, stored.performance_rating, stored.activities_total, stored.activities_accessed,
           stored.assignments_total, stored.assignments_submitted, stored.evidence, stored.rules_version)
        is distinct from
          (excluded.is_member, excluded.attendance_eligible, excluded.assignment_eligible, excluded.performance_eligible,
           excluded.attendance_percentage, excluded.performance_rating, excluded.activities_total, excluded.activities_accessed,
           excluded.assignments_total, excluded.assignments_submitted, excluded.evidence, excluded.rules_version)
    returning 1
  )
  select count(*)::integer from written
$$;

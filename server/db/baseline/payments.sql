-- A hand-over is one batch of approved stipends for the payment system. Its id is the identity of every try.
create table stipend_handovers (
  id uuid primary key default time_ordered_id(),
  week_number integer not null check (week_number between 1 and 16),
  -- The cohort that the admin had picked. Null stands for all of them.
  cohort_id uuid references cohorts (id),
  -- The exact bytes that are signed and sent, the same on every try. Their hash goes into the ledger with every row.
  body text not null,
  body_hash text not null default '',
  recipients integer not null check (recipients > 0),
  total_cents bigint not null check (total_cents >= 0),
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed', 'given_up', 'recalled')),
  -- One process is trying it until then, and no other does.
  claimed_until timestamptz,
  created_by uuid not null references profiles (id),
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  -- An admin took an unanswered batch back. Null on a recalled batch says that the product did, because the batch holds
  -- what was paid in another way.
  recalled_by uuid references profiles (id),
  recall_reason text,
  check ((status = 'sent') = (sent_at is not null)),
  constraint recalls_have_a_reason check (
    (status = 'recalled') = (coalesce(trim(recall_reason), '') <> '') and (recalled_by is null or status = 'recalled'))
);

create table stipend_handover_rows (
  handover_id uuid not null references stipend_handovers (id),
  stipend_id uuid not null references stipend_eligibility (id),
  -- A batch hands over one part of each of its stipends.
  part integer not null default 1 check (part >= 1),
  amount_cents integer not null check (amount_cents >= 0),
  -- False for a row that a person explicitly chose to send again.
  is_first boolean not null default true,
  -- What was sent. A confirmation names them.
  participant_email text,
  cohort_assigned text,
  primary key (handover_id, stipend_id)
);

-- A row is written before a try is made and finished after it, so that a crash in between leaves a trace.
create table stipend_handover_tries (
  id uuid primary key default time_ordered_id(),
  handover_id uuid not null references stipend_handovers (id),
  tried_at timestamptz not null default now(),
  finished_at timestamptz,
  response_status integer,
  error text,
  -- Whether a byte of the try can have reached the receiver. It can until the try says that no connection was ever
  -- made.
  may_have_arrived boolean not null default true,
  check ((finished_at is null) = (response_status is null and error is null))
);

-- What the payment system told. Its message id makes a repeat recognizable.
create table stipend_confirmations (
  id text primary key,
  body_hash text not null,
  received_at timestamptz not null default now(),
  handover_id uuid not null references stipend_handovers (id),
  reference text not null check (reference <> '')
);

create table stipend_confirmation_rows (
  confirmation_id text not null references stipend_confirmations (id),
  stipend_id uuid not null references stipend_eligibility (id),
  amount_cents integer not null check (amount_cents >= 0),
  -- known: the stipend was paid already, and this tells of the same payment.
  -- conflict: it has the same reference as the payment on record, but another batch or amount.
  outcome text not null check (outcome in ('paid', 'known', 'paid_twice', 'conflict')),
  primary key (confirmation_id, stipend_id)
);

-- A stipend is paid in parts: the first is what was owed, later ones are what adjustments added after it was paid. Each
-- part is paid at most once. An admin can take back a payment with a reason. Then the part may be paid anew.
-- Some constraints keep the names that they had when a stipend was paid in one piece.
create table stipend_payment_parts (
  id uuid not null default time_ordered_id() primary key,
  stipend_id uuid not null
    constraint stipend_payments_stipend_id_fkey references stipend_eligibility (id),
  part integer not null default 1 check (part >= 1),
  -- How often this part was taken back before. A trigger counts it.
  reversals_before integer not null default 0,
  amount_cents integer not null constraint stipend_payments_amount_cents_check check (amount_cents >= 0),
  paid_at timestamptz not null default now(),
  source text not null
    constraint stipend_payments_source_check check (source in ('confirmation', 'admin', 'import')),
  recorded_by uuid constraint stipend_payments_recorded_by_fkey references profiles (id),
  -- The payment system's own name of the payment, or what the admin wrote.
  reference text,
  note text,
  -- The batch that the payment system was paying. Null says that an admin noted the payment.
  handover_id uuid references stipend_handovers (id),
  constraint a_part_is_paid_once unique (stipend_id, part, reversals_before),
  constraint stipend_payments_check check (source <> 'admin' or recorded_by is not null),
  constraint noted_payments_have_a_reference check (source <> 'admin' or coalesce(trim(reference), '') <> '')
);

create table stipend_payment_reversals (
  payment_id uuid primary key references stipend_payment_parts (id),
  at timestamptz not null default now(),
  reversed_by uuid not null references profiles (id),
  reason text not null check (trim(reason) <> '')
);

create index stipend_handover_rows_by_stipend on stipend_handover_rows (stipend_id, handover_id);
create unique index stipend_handover_rows_once on stipend_handover_rows (stipend_id, part) where is_first;
create index stipend_handover_tries_by_handover on stipend_handover_tries (handover_id, tried_at);
create index stipend_confirmations_by_handover on stipend_confirmations (handover_id);
create index stipend_confirmation_rows_by_stipend on stipend_confirmation_rows (stipend_id);
create index stipend_confirmation_rows_to_look_at on stipend_confirmation_rows (stipend_id)
  where outcome in ('paid_twice', 'conflict');

create view standing_payment_parts as
select parts.stipend_id, parts.amount_cents, parts.paid_at, parts.source, parts.recorded_by, parts.reference, parts.note,
  parts.id, parts.part, parts.reversals_before, parts.handover_id
from stipend_payment_parts parts
where not exists (select from stipend_payment_reversals reversals where reversals.payment_id = parts.id);

-- One row for each stipend that is paid: the sum of its parts, and who paid the last of them.
create view stipend_payments as
select last.stipend_id, last.paid_at, last.source, last.recorded_by, last.reference, last.note, last.part,
  (select sum(part.amount_cents)::integer from standing_payment_parts part where part.stipend_id = last.stipend_id)
    as amount_cents
from standing_payment_parts last
where not exists (select from standing_payment_parts later
  where later.stipend_id = last.stipend_id and later.part > last.part);

-- A recalled batch that the payment system told of was accepted after all: its stipends count as handed over.
create function is_handed_over(in_stipend_id uuid) returns boolean language sql stable as $$
  select exists (select from stipend_handover_rows handed
    join stipend_handovers handover on handover.id = handed.handover_id
    where handed.stipend_id = in_stipend_id and (handover.status <> 'recalled'
      or exists (select from stipend_confirmations told where told.handover_id = handover.id)))
$$;

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

create function refuse_unapproved_amount() returns trigger language plpgsql as $$
begin
  if (select amount_awaits_approval(stipend) from stipend_eligibility stipend where stipend.id = new.stipend_id) then
    raise exception 'the new amount of this stipend has to be approved by another admin first';
  end if;
  return new;
end $$;
create trigger handed_over_amounts_are_approved before insert on stipend_handover_rows
  for each row execute function refuse_unapproved_amount();
create trigger marked_amounts_are_approved before insert on stipend_payment_parts
  for each row when (new.source = 'admin') execute function refuse_unapproved_amount();

create function refuse_other_payee() returns trigger language plpgsql as $$
begin
  if new.participant_email is distinct from (select payee_email from stipend_eligibility where id = new.stipend_id) then
    raise exception 'a stipend is handed over for whom it was approved';
  end if;
  return new;
end $$;
create trigger handed_over_payees_are_approved before insert on stipend_handover_rows
  for each row when (new.participant_email is not null) execute function refuse_other_payee();

create function hash_handover_body() returns trigger language plpgsql as $$
begin
  new.body_hash := encode(sha256(convert_to(new.body, 'UTF8')), 'hex');
  return new;
end $$;
create trigger handover_bodies_are_hashed before insert on stipend_handovers
  for each row execute function hash_handover_body();

-- What was sent stays as it was sent.
create function keep_handover() returns trigger language plpgsql as $$
declare changing text[] := array['status', 'claimed_until', 'sent_at', 'recalled_by', 'recall_reason'];
begin
  if to_jsonb(new) - changing <> to_jsonb(old) - changing then
    raise exception 'what a batch holds does not change';
  end if;
  if old.status in ('sent', 'recalled') and new.status <> old.status then
    raise exception 'a batch that was % stays so', old.status;
  end if;
  return new;
end $$;
create trigger handovers_are_kept before update on stipend_handovers for each row execute function keep_handover();
create trigger handovers_stay before delete or truncate on stipend_handovers
  for each statement execute function refuse_change();

-- The rows of a recalled batch may go out anew. Nothing else of a row changes.
create function keep_handover_row() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - 'is_first' <> to_jsonb(old) - 'is_first' or new.is_first and not old.is_first then
    raise exception 'what was handed over does not change';
  end if;
  return new;
end $$;
create trigger handover_rows_are_kept before update on stipend_handover_rows
  for each row execute function keep_handover_row();
create trigger handover_rows_stay before delete or truncate on stipend_handover_rows
  for each statement execute function refuse_change();
create trigger handover_tries_stay before delete or truncate on stipend_handover_tries
  for each statement execute function refuse_change();

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
create trigger stipend_payments_are_append_only before update or delete or truncate on stipend_payment_parts
  for each statement execute function refuse_change();
create trigger stipend_payment_reversals_are_append_only before update or delete or truncate on stipend_payment_reversals
  for each statement execute function refuse_change();
create trigger stipend_confirmations_are_append_only before update or delete or truncate on stipend_confirmations
  for each statement execute function refuse_change();
create trigger stipend_confirmation_rows_are_append_only before update or delete or truncate on stipend_confirmation_rows
  for each statement execute function refuse_change();

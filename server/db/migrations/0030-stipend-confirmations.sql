-- A batch of one cohort only, where the admin had picked one.
alter table stipend_handovers add column cohort_id uuid references cohorts (id);
-- Recalled: an admin took an unanswered batch back, and says why; it is never tried again.
alter table stipend_handovers drop constraint stipend_handovers_status_check;
alter table stipend_handovers add constraint stipend_handovers_status_check
  check (status in ('queued', 'sent', 'failed', 'given_up', 'recalled'));

alter table stipend_handover_rows
  -- As they were sent: a confirmation names them.
  add column participant_email text,
  add column cohort_assigned text;
create index stipend_handover_rows_by_stipend on stipend_handover_rows (stipend_id, handover_id);

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
alter table stipend_handovers
  add column recalled_by uuid references profiles (id),
  add column recall_reason text,
  add check ((status = 'recalled') = (recalled_by is not null and coalesce(trim(recall_reason), '') <> ''));
create trigger recalls_are_in_the_ledger after update of status on stipend_handovers
  for each row when (new.status = 'recalled' and old.status <> 'recalled') execute function write_recall_to_ledger();

-- What the payment system told; its message id makes a repeat recognisable.
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
  -- known: it was paid already, and this tells of the same payment.
  outcome text not null check (outcome in ('paid', 'known', 'paid_twice')),
  primary key (confirmation_id, stipend_id)
);
create index stipend_confirmation_rows_by_stipend on stipend_confirmation_rows (stipend_id);
create index stipend_confirmation_rows_paid_twice on stipend_confirmation_rows (stipend_id) where outcome = 'paid_twice';
create trigger stipend_confirmations_are_append_only before update or delete or truncate on stipend_confirmations
  for each statement execute function refuse_change();
create trigger stipend_confirmation_rows_are_append_only before update or delete or truncate on stipend_confirmation_rows
  for each statement execute function refuse_change();

-- Reconciliation looks at what is approved and not paid, and at what was adjusted.
create index stipend_eligibility_approved on stipend_eligibility (approved_at desc, id desc) where payment_status = 'approved';
create index stipend_ledger_adjustments on stipend_ledger (stipend_id)
  where kind in ('adjustment', 'amount') and owed_cents <> 0;

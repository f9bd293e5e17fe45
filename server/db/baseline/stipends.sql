-- What the rules pay for a week. contract/money.ts has it too.
create function stipend_rule_cents() returns integer language sql immutable as $$ select 50000 $$;

create table stipend_eligibility (
  id uuid primary key default time_ordered_id(),
  fellow_id uuid not null references profiles (id),
  cohort_id uuid not null references cohorts (id),
  week_number integer not null check (week_number between 1 and 16),

  -- How the week was judged: a list of criteria, however long, by the rule set of its version.
  criteria jsonb not null,
  rules_version integer not null,
  -- False once the membership ended before the week did. The row stays, and nobody can approve it.
  is_member boolean not null default true,
  overall_eligible boolean not null generated always as
    (is_member and not jsonb_path_exists(criteria, '$[*] ? (@.isMet == false)')) stored,
  -- These three have the names of the documents. They are null where the rule set has no such criterion. The product
  -- reads the list.
  attendance_eligible boolean generated always as
    ((jsonb_path_query_first(criteria, '$[*] ? (@.name == "Attendance").isMet'))::boolean) stored,
  assignment_eligible boolean generated always as
    ((jsonb_path_query_first(criteria, '$[*] ? (@.name == "Assignments").isMet'))::boolean) stored,
  performance_eligible boolean generated always as
    ((jsonb_path_query_first(criteria, '$[*] ? (@.name == "Performance").isMet'))::boolean) stored,

  -- What the judgment rests on: counts, and evidence down to every activity and assignment.
  attendance_percentage numeric(5, 2) not null check (attendance_percentage between 0 and 100),
  performance_rating numeric(2, 1) check (performance_rating between 1 and 5),
  activities_total integer not null check (activities_total >= 0),
  activities_accessed integer not null check (activities_accessed between 0 and activities_total),
  assignments_total integer not null check (assignments_total >= 0),
  assignments_submitted integer not null check (assignments_submitted between 0 and assignments_total),
  evidence jsonb,

  stipend_amount_cents integer not null default stipend_rule_cents()
    check (stipend_amount_cents between 0 and 100000000),
  is_amount_set_by_hand boolean not null default false,
  -- The last change of the amount.
  amount_set_by uuid references profiles (id),
  amount_reason text,
  -- Whoever set the amount that stands, until somebody else approves it.
  amount_setters uuid[] not null default '{}',
  -- Somebody else approved an amount that was changed after the decision.
  amount_approved_by uuid references profiles (id),
  amount_approved_at timestamptz,

  payment_status text not null default 'pending' check (payment_status in ('pending', 'approved', 'paid', 'denied')),
  -- Where two approve, this is the first. It lapses when the facts or the amount change.
  first_approved_by uuid references profiles (id),
  first_approved_at timestamptz,
  approved_by uuid references profiles (id),
  approved_at timestamptz,
  -- Somebody who is denied a week reads why.
  denial_reason text check (trim(denial_reason) <> ''),

  -- Whom a stipend pays is written down when it is approved. A later change of name or address changes nothing of it
  -- before an admin takes it over. Once it was handed over or paid it stays as it is.
  payee_name text,
  payee_email text,
  -- The admin who took over the person's present name and address since the approval.
  payee_renewed_by uuid references profiles (id),
  payee_renewed_at timestamptz,

  -- It grows with every change, so that a decision on a row that has changed meanwhile can be refused.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (fellow_id, cohort_id, week_number),
  constraint criteria_are_judged check (jsonb_typeof(criteria) = 'array' and criteria <> '[]'
    and not jsonb_path_exists(criteria, '$[*] ? (!(@.isMet == true || @.isMet == false))')),
  check ((payment_status = 'pending') = (approved_at is null)),
  check ((approved_by is null) = (approved_at is null)),
  check ((first_approved_by is null) = (first_approved_at is null)),
  check ((amount_approved_by is null) = (amount_approved_at is null)),
  check (denial_reason is null or payment_status = 'denied'),
  constraint approved_stipends_name_their_payee check (
    (payment_status in ('approved', 'paid')) = (payee_name is not null)
    and (payee_name is null) = (payee_email is null)),
  check ((payee_renewed_by is null) = (payee_renewed_at is null)),
  check (payee_renewed_by is null or payee_name is not null)
);

-- A participant who finds a week's stipend wrong, or does not understand it, asks about it. The coach or an admin
-- answers.
create table stipend_questions (
  id uuid primary key default time_ordered_id(),
  participant_id uuid not null references profiles (id),
  cohort_id uuid not null references cohorts (id),
  week_number integer not null check (week_number between 1 and 16),
  question text not null check (question <> ''),
  -- The week as the participant saw it, in words, one line each. It may change before somebody answers.
  facts text[] not null,
  asked_at timestamptz not null default now(),
  status text not null default 'open' check (status in ('open', 'answered', 'closed', 'withdrawn')),
  answer text check (answer <> ''),
  answered_by uuid references profiles (id),
  answered_at timestamptz,
  -- A question is closed when it was settled without an answer here, as in a talk or by a message.
  check ((status in ('answered', 'closed')) = (answered_by is not null and answered_at is not null)),
  check ((status = 'answered') = (answer is not null))
);

create index stipend_eligibility_by_fellow on stipend_eligibility (fellow_id, week_number desc);
-- Reconciliation lists what is approved and not paid.
create index stipend_eligibility_approved on stipend_eligibility (approved_at desc, id desc) where payment_status = 'approved';
create index stipend_eligibility_by_week on stipend_eligibility (week_number, overall_eligible desc, created_at desc, id desc);
create unique index one_open_stipend_question on stipend_questions (participant_id, cohort_id, week_number)
  where status = 'open';
create index stipend_questions_open on stipend_questions (asked_at, id) where status = 'open';
create index stipend_questions_answered on stipend_questions (answered_at desc, id desc)
  where status in ('answered', 'closed');
create index stipend_questions_of_one on stipend_questions (participant_id, cohort_id, week_number, asked_at desc);

create trigger own_stipends_are_not_decided before insert on stipend_eligibility for each row
  when (new.fellow_id in (new.approved_by, new.first_approved_by, new.amount_set_by, new.amount_approved_by))
  execute function refuse_own();
create trigger own_stipends_stay_undecided before update on stipend_eligibility for each row
  when (new.approved_by = new.fellow_id and new.approved_by is distinct from old.approved_by
    or new.first_approved_by = new.fellow_id and new.first_approved_by is distinct from old.first_approved_by
    or new.amount_set_by = new.fellow_id and new.amount_set_by is distinct from old.amount_set_by
    or new.amount_approved_by = new.fellow_id and new.amount_approved_by is distinct from old.amount_approved_by)
  execute function refuse_own();
create trigger own_questions_are_not_answered before insert or update of answered_by on stipend_questions for each row
  when (new.answered_by = new.participant_id) execute function refuse_own();

create function refuse_new_approvers() returns trigger language plpgsql as $$
declare
  approver uuid;
begin
  if new.payment_status = 'approved' and old.payment_status = 'pending' then
    approver := new.approved_by;
  elsif new.amount_approved_at is not null and new.amount_approved_at is distinct from old.amount_approved_at then
    approver := new.amount_approved_by;
  elsif new.first_approved_by is not null and new.first_approved_by is distinct from old.first_approved_by then
    approver := new.first_approved_by;
  end if;
  if exists (select from new_admins where person_id = approver) then
    raise exception 'who was made an admin approves nothing for seven days';
  end if;
  return new;
end $$;
create trigger new_admins_approve_nothing before update on stipend_eligibility
  for each row execute function refuse_new_approvers();

-- An amount above twice the rule's takes a second admin in every cohort.
create function is_amount_unusual(in_cents integer) returns boolean language sql immutable as $$
  select in_cents > 2 * stipend_rule_cents()
$$;

-- Such a stipend is neither sent nor paid until an admin who did not change its amount has approved it.
create function amount_awaits_approval(stipend stipend_eligibility) returns boolean language sql stable as $$
  select stipend.payment_status in ('approved', 'paid') and cardinality(stipend.amount_setters) > 0
    and (is_amount_unusual(stipend.stipend_amount_cents) or needs_two_admins(stipend.cohort_id))
$$;

-- Who set the amount that stands is known until somebody else approves it, whichever path the change takes. Whoever set
-- an earlier amount may approve: where both of two admins changed it, nobody else could.
create function keep_amount_setters() returns trigger language plpgsql as $$
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
create trigger amount_setters_are_kept before update on stipend_eligibility
  for each row execute function keep_amount_setters();

-- Nobody writes another payee than the person is, whichever way a stipend is approved. Renewing takes what stands in
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
  -- The profile of a deleted person names nobody, so this forgets them.
  new.payee_name := person.first_name || ' ' || person.last_name;
  new.payee_email := person.email;
  return new;
end $$;
create trigger payee_is_kept before insert or update on stipend_eligibility
  for each row execute function keep_payee();

-- Whoever decides has seen a name and an address. When one of them changes, the row is another one, and a first
-- approval lapses.
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

-- A programme is data (docs/decisions/0089). The specified one is the first, and cohorts belong to it unless they name
-- another.
create function default_programme_id() returns uuid language sql immutable parallel safe as $$
  select '00000000-0000-7000-8000-000000000001'::uuid
$$;

create table programmes (
  id uuid primary key default time_ordered_id(),
  name text not null check (name <> ''),
  weeks integer not null check (weeks between 1 and 104),
  -- The weekday on which cohorts begin, 0 is Sunday. Null: they begin on any day.
  first_weekday integer check (first_weekday between 0 and 6),
  -- A week's days, from its first on, on which something can be held or due.
  days_per_week integer not null default 5 check (days_per_week between 1 and 7),
  -- A name of the tz database. Another one is an error here.
  zone text not null check (timestamptz '2000-01-01 12:00Z' at time zone zone is not null),
  -- How much time one stipend pays for. The stipends of a cohort are numbered by it, in columns named week_number.
  pay_period text not null default 'week' check (pay_period in ('week', 'two_weeks', 'month')),
  -- {"federal": whether those of the United States are kept, "own": [{"day", "name"}], "marked": [names that weeks show]}
  holidays jsonb not null default '{"federal": true, "own": [], "marked": []}',
  -- What the three kinds of programme are called here, and which of them are paid.
  kind_labels jsonb not null default '{}',
  paid_kinds text[] not null default '{fellowship}'
    check (paid_kinds <@ array['fellowship', 'adult_mobilization', 'self_learner']),
  module_names text[] not null default '{}',
  -- An edit names the version that it began with.
  version integer not null default 1,
  archived_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index programmes_by_name on programmes (lower(name));

-- Whom an activity is meant for, and which kinds of participants that reaches.
create table programme_audiences (
  key text primary key default time_ordered_id()::text check (key <> ''),
  programme_id uuid not null references programmes (id),
  label text not null check (label <> ''),
  kinds text[] not null check (kinds <@ array['fellowship', 'adult_mobilization', 'self_learner']),
  place integer not null check (place >= 1),
  unique (programme_id, place) deferrable initially deferred
);
create unique index programme_audiences_by_label on programme_audiences (programme_id, lower(label));

-- What a programme pays for, and when it is paid. It is a draft until it is published. It judges the stipends whose first
-- day is not before from_day, up to the next one.
create table rule_sets (
  id uuid primary key default time_ordered_id(),
  programme_id uuid not null references programmes (id),
  version integer not null check (version >= 1),
  rules jsonb not null,
  -- An edit of a draft names the edition that it began with.
  edition integer not null default 1,
  drafted_by uuid references profiles (id),
  drafted_at timestamptz not null default now(),
  from_day date,
  -- Where two approve what a cohort of the programme is paid, two publish.
  first_published_by uuid references profiles (id),
  first_published_at timestamptz,
  published_by uuid references profiles (id),
  published_at timestamptz,
  unique (programme_id, version),
  constraint published_rules_begin_on_a_day check (published_at is null or from_day is not null),
  check ((first_published_by is null) = (first_published_at is null)),
  constraint two_publish check (published_by is null or published_by is distinct from first_published_by)
);
create unique index rule_sets_in_force on rule_sets (programme_id, from_day) where published_at is not null;
create unique index one_draft_of_rules on rule_sets (programme_id) where published_at is null;

create function keep_published_rules() returns trigger language plpgsql as $$
begin
  if old.published_at is not null then
    raise exception 'published rules stay as they are';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  if new.published_at is not null and exists (select from rule_sets later where later.programme_id = new.programme_id
      and later.published_at is not null and later.from_day >= new.from_day) then
    raise exception 'rules are published from a later day on than those before';
  end if;
  return new;
end $$;
create trigger published_rules_are_kept before update or delete on rule_sets
  for each row execute function keep_published_rules();

insert into programmes (id, name, weeks, zone, holidays, kind_labels, module_names)
values (default_programme_id(), 'Power Systems Fellowship', 16, 'America/New_York',
  '{"federal": true, "own": [], "marked": ["Thanksgiving", "Christmas"]}',
  '{"fellowship": "Fellowship", "adult_mobilization": "Adult Mobilization", "self_learner": "Self Learner"}',
  array['Energy Technology and Applications',
    'Industry & Sector drivers',
    'Policy (Safety, Justice, and Incentives)',
    'Career Readiness',
    'Project Management/Project Coordination',
    'Quality Assurance',
    'Field Service Engineering',
    'Electrical System Design',
    'Policy & Stakeholder Engagement',
    'Case Management',
    'Mock Interviews',
    'Industry Projects',
    'Career Center']);
insert into programme_audiences (key, programme_id, label, kinds, place) values
  ('fellowship', default_programme_id(), 'Fellowship', '{fellowship,self_learner}', 1),
  ('amp', default_programme_id(), 'Adult Mobilization (AMP)', '{adult_mobilization}', 2),
  ('fellowship_adjunct', default_programme_id(), 'Fellowship Adjunct', '{fellowship}', 3),
  ('ambassador', default_programme_id(), 'Ambassador', '{}', 4);
insert into rule_sets (id, programme_id, version, from_day, published_at, rules)
values ('00000000-0000-7000-8000-000000000002', default_programme_id(), 1, '2000-01-01', now(),
  '{"version": 1,
    "name": "Specified rules",
    "criteria": [
      {"name": "Attendance", "fact": "attendanceShare", "limit": 80},
      {"name": "Assignments", "fact": "workHandedIn", "limit": 100},
      {"name": "Performance", "fact": "rating", "limit": 3}],
    "amounts": {"perPeriodCents": 50000, "perDayCents": 0, "perHourCents": 0, "perTripCents": 0,
      "isProratedByDays": false, "isProratedByAttendance": false, "capCents": null}}');

alter table cohorts
  add column programme_id uuid not null default default_programme_id() references programmes (id);
create index cohorts_by_programme on cohorts (programme_id, start_date desc, id desc);

create function keep_programme_of_cohort() returns trigger language plpgsql as $$
declare
  weekday integer := (select first_weekday from programmes where id = new.programme_id);
begin
  if weekday is not null and extract(dow from new.start_date) <> weekday then
    raise exception 'cohorts of this programme begin on weekday %', weekday;
  end if;
  if tg_op = 'UPDATE' and new.programme_id <> old.programme_id then
    raise exception 'a cohort keeps its programme';
  end if;
  return new;
end $$;
create trigger cohorts_keep_their_programme before insert or update of programme_id, start_date on cohorts
  for each row execute function keep_programme_of_cohort();

-- What judged rows rest on stays: time that was counted is not counted otherwise later.
create function keep_programme() returns trigger language plpgsql as $$
begin
  if (new.zone, new.pay_period, new.days_per_week) is distinct from (old.zone, old.pay_period, old.days_per_week)
      and exists (select from stipend_eligibility judged join cohorts on cohorts.id = judged.cohort_id
        where cohorts.programme_id = new.id) then
    raise exception 'weeks of this programme were judged by its zone and pay period';
  end if;
  return new;
end $$;
create trigger programmes_are_kept before update on programmes for each row execute function keep_programme();

-- Each cohort with its programme's time.
create view cohort_calendars as
select cohorts.id, cohorts.name, cohorts.start_date, cohorts.end_date, cohorts.status, cohorts.program_type,
  cohorts.unlocked_weeks, cohorts.curriculum_version, cohorts.programme_id, programmes.weeks, programmes.days_per_week,
  programmes.zone, programmes.pay_period, programmes.holidays, programmes.paid_kinds
from cohorts join programmes on programmes.id = cohorts.programme_id;

-- The days that a stipend pays for. contract/pay-periods.ts says the same, and a test compares them.
create function period_first_day(in_start date, in_period text, in_number integer)
returns date language sql immutable parallel safe as $$
  select case in_period
    when 'week' then in_start + 7 * (in_number - 1)
    when 'two_weeks' then in_start + 14 * (in_number - 1)
    else greatest(in_start, (date_trunc('month', in_start::timestamp) + make_interval(months => in_number - 1))::date) end
$$;
create function period_last_day(
  in_start date, in_period text, in_number integer, in_weeks integer, in_days_per_week integer
) returns date language sql immutable parallel safe as $$
  select case in_period
    when 'week' then in_start + 7 * (in_number - 1) + in_days_per_week - 1
    when 'two_weeks' then least(in_start + 14 * (in_number - 1) + 7, in_start + 7 * (in_weeks - 1)) + in_days_per_week - 1
    else least((date_trunc('month', in_start::timestamp) + make_interval(months => in_number))::date - 1,
      in_start + 7 * (in_weeks - 1) + in_days_per_week - 1) end
$$;
-- The stipend that pays for a day, within the programme. A day between two weeks belongs to the one before.
create function period_on(in_start date, in_period text, in_weeks integer, in_day date)
returns integer language sql immutable parallel safe as $$
  select case in_period
    when 'week' then least(in_weeks, greatest(1, (in_day - in_start + 7) / 7))
    when 'two_weeks' then least((in_weeks + 1) / 2, greatest(1, (in_day - in_start + 14) / 14))
    else 1 + (extract(year from age_day) * 12 + extract(month from age_day)
      - extract(year from in_start) * 12 - extract(month from in_start))::integer end
  from (select least(in_start + 7 * in_weeks - 1, greatest(in_start, in_day)) as age_day) held
$$;
-- The programme weeks that a stipend pays for. Of a month, these are all that it touches.
create function period_first_week(in_start date, in_period text, in_number integer)
returns integer language sql immutable parallel safe as $$
  select case in_period when 'week' then in_number when 'two_weeks' then 2 * in_number - 1
    else (period_first_day(in_start, in_period, in_number) - in_start) / 7 + 1 end
$$;
create function period_last_week(in_start date, in_period text, in_number integer)
returns integer language sql immutable parallel safe as $$
  select case in_period when 'week' then in_number when 'two_weeks' then 2 * in_number
    else (period_first_day(in_start, in_period, in_number + 1) - 1 - in_start) / 7 + 1 end
$$;

-- True if the nth stipend of a cohort pays for a week of its programme.
create function pays_for_week(in_cohort_id uuid, in_number integer, in_week integer)
returns boolean language sql stable parallel safe as $$
  select in_week between period_first_week(start_date, pay_period, in_number)
    and period_last_week(start_date, pay_period, in_number)
  from cohort_calendars where id = in_cohort_id
$$;

alter table stipend_eligibility
  drop constraint stipend_eligibility_week_number_check,
  add constraint stipend_eligibility_week_number_check check (week_number between 1 and 104),
  -- What the rules ask and pay for beside the counts above, as it was counted.
  add column more_facts jsonb,
  -- What the rules pay for the row, and the lines that make it up: [{"name", "count", "cents"}].
  add column rule_amount_cents integer not null default stipend_rule_cents()
    check (rule_amount_cents between 0 and 100000000),
  add column amount_lines jsonb;
alter table stipend_questions
  drop constraint stipend_questions_week_number_check,
  add constraint stipend_questions_week_number_check check (week_number between 1 and 104);
alter table stipend_handovers
  drop constraint stipend_handovers_week_number_check,
  add constraint stipend_handovers_week_number_check check (week_number between 1 and 104);
alter table performance_feedback
  drop constraint performance_feedback_week_number_check,
  add constraint performance_feedback_week_number_check check (week_number between 1 and 104);
alter table training_activities
  drop constraint training_activities_week_number_check,
  add constraint training_activities_week_number_check check (week_number between 1 and 108);
alter table weekly_requirements
  drop constraint weekly_requirements_week_number_check,
  add constraint weekly_requirements_week_number_check check (week_number between 1 and 108);
alter table attendance_records
  drop constraint attendance_records_week_number_check,
  add constraint attendance_records_week_number_check check (week_number between 1 and 108);
alter table attendance_corrections
  drop constraint attendance_corrections_week_number_check,
  add constraint attendance_corrections_week_number_check check (week_number between 1 and 108);
alter table specialization_tracks
  drop constraint specialization_tracks_duration_weeks_check,
  add constraint specialization_tracks_duration_weeks_check check (duration_weeks between 1 and 104);
alter table cohorts
  drop constraint cohorts_unlocked_weeks_check,
  add constraint cohorts_unlocked_weeks_check check (unlocked_weeks between 0 and 108);

-- An amount above twice what the rules pay takes a second admin in every cohort. contract/stipend-rules.ts says the same.
create function is_amount_unusual(in_cents integer, rule_cents integer) returns boolean language sql immutable as $$
  select in_cents > 2 * rule_cents
$$;
create or replace function amount_awaits_approval(stipend stipend_eligibility) returns boolean language sql stable as $$
  select stipend.payment_status in ('approved', 'paid') and cardinality(stipend.amount_setters) > 0
    and (is_amount_unusual(stipend.stipend_amount_cents, stipend.rule_amount_cents)
      or needs_two_admins(stipend.cohort_id))
$$;

-- What the cards of a week hold, with what the rules pay.
drop index stipend_eligibility_by_week;
create index stipend_eligibility_by_week
  on stipend_eligibility (week_number, overall_eligible desc, created_at desc, id desc)
  include (cohort_id, fellow_id, payment_status, stipend_amount_cents, amount_setters, version, rule_amount_cents);
drop index stipend_eligibility_by_cohort_week;
create index stipend_eligibility_by_cohort_week
  on stipend_eligibility (cohort_id, week_number, overall_eligible desc, created_at desc, id desc)
  include (fellow_id, payment_status, stipend_amount_cents, amount_setters, version, activities_total, activities_accessed,
    rule_amount_cents);

-- An absence that a coach or an admin excused. It still is one, but rules may ask for those that nobody excused.
create table excused_absences (
  participant_id uuid not null references profiles (id),
  activity_id uuid not null references training_activities (id) on delete cascade,
  reason text not null check (btrim(reason) <> ''),
  excused_by uuid not null references profiles (id),
  excused_at timestamptz not null default now(),
  primary key (participant_id, activity_id),
  constraint nobody_excuses_themself check (excused_by <> participant_id)
);
create index excused_absences_by_activity on excused_absences (activity_id);

create function note_excuse() returns trigger language plpgsql as $$
begin
  insert into fact_changes (fact, person_id, cohort_id, week_number)
  select distinct 'attendance', changed.participant_id, activity.cohort_id, activity.week_number
  from changed_rows changed left join training_activities activity on activity.id = changed.activity_id;
  return null;
end $$;
create trigger additions_are_noted after insert on excused_absences
  referencing new table as changed_rows for each statement execute function note_excuse();
create trigger changes_are_noted after update on excused_absences
  referencing new table as changed_rows for each statement execute function note_excuse();
create trigger removals_are_noted after delete on excused_absences
  referencing old table as changed_rows for each statement execute function note_excuse();

-- Whom an activity is meant for, and the kinds of participants whom that reaches. An activity of no cohort is taught to
-- the cohorts of its programme.
alter table training_activities
  add column audiences text[] not null default '{}',
  add column reaches text[] not null default '{}',
  add column programme_id uuid not null default default_programme_id() references programmes (id);

-- An earlier version, which may run beside this one, knows the four audiences of the specified programme as columns.
create function settle_audiences() returns trigger language plpgsql as $$
declare
  flags text[] := array_remove(array[
    case when new.applicable_fellowship then 'fellowship' end, case when new.applicable_amp then 'amp' end,
    case when new.applicable_fellowship_adjunct then 'fellowship_adjunct' end,
    case when new.applicable_ambassador then 'ambassador' end], null);
  were_named boolean := new.audiences <> '{}' and tg_op = 'INSERT'
    or tg_op = 'UPDATE' and new.audiences is distinct from old.audiences;
begin
  if not were_named and (tg_op = 'INSERT'
      or (new.applicable_fellowship, new.applicable_amp, new.applicable_fellowship_adjunct, new.applicable_ambassador)
        is distinct from (old.applicable_fellowship, old.applicable_amp, old.applicable_fellowship_adjunct,
          old.applicable_ambassador)) then
    new.audiences := flags;
  end if;
  new.applicable_fellowship := 'fellowship' = any (new.audiences);
  new.applicable_amp := 'amp' = any (new.audiences);
  new.applicable_fellowship_adjunct := 'fellowship_adjunct' = any (new.audiences);
  new.applicable_ambassador := 'ambassador' = any (new.audiences);
  if new.cohort_id is not null then
    select programme_id into strict new.programme_id from cohorts where id = new.cohort_id;
  end if;
  new.reaches := coalesce((select array_agg(distinct kind order by kind)
    from programme_audiences audience, unnest(audience.kinds) kind where audience.key = any (new.audiences)), '{}');
  return new;
end $$;
create trigger audiences_are_settled before insert or update on training_activities
  for each row execute function settle_audiences();
-- Nobody is taught anything else by this.
alter table training_activities disable trigger user;
update training_activities set
  audiences = array_remove(array[case when applicable_fellowship then 'fellowship' end,
    case when applicable_amp then 'amp' end, case when applicable_fellowship_adjunct then 'fellowship_adjunct' end,
    case when applicable_ambassador then 'ambassador' end], null),
  reaches = array_remove(array[case when applicable_amp then 'adult_mobilization' end,
    case when applicable_fellowship or applicable_fellowship_adjunct then 'fellowship' end,
    case when applicable_fellowship then 'self_learner' end], null);
alter table training_activities enable trigger user;

create function follow_audience() returns trigger language plpgsql as $$
begin
  update training_activities set updated_at = updated_at where audiences && array[new.key, old.key];
  return null;
end $$;
create trigger activities_follow_their_audiences after update of kinds on programme_audiences
  for each row when (new.kinds is distinct from old.kinds) execute function follow_audience();

create table stipend_eligibility (
  id uuid primary key default time_ordered_id(),
  fellow_id uuid not null references profiles (id),
  cohort_id uuid not null references cohorts (id),
  week_number integer not null check (week_number between 1 and 16),
  attendance_eligible boolean not null,
  assignment_eligible boolean not null,
  performance_eligible boolean not null,
  overall_eligible boolean not null generated always as
    (attendance_eligible and assignment_eligible and performance_eligible) stored,
  attendance_percentage numeric(5, 2) not null check (attendance_percentage between 0 and 100),
  performance_rating numeric(2, 1) check (performance_rating between 1 and 5),
  -- What the decision rests on: counts of the week's activities and assignments, and which of them were missing.
  activities_total integer not null check (activities_total >= 0),
  activities_accessed integer not null check (activities_accessed between 0 and activities_total),
  assignments_total integer not null check (assignments_total >= 0),
  assignments_submitted integer not null check (assignments_submitted between 0 and assignments_total),
  stipend_amount_cents integer not null default 50000 check (stipend_amount_cents between 0 and 100000000),
  is_amount_set_by_hand boolean not null default false,
  payment_status text not null default 'pending' check (payment_status in ('pending', 'approved', 'paid', 'denied')),
  approved_by uuid references profiles (id),
  approved_at timestamptz,
  -- Grows with every change, so that a decision on a row that has changed meanwhile can be refused.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (fellow_id, cohort_id, week_number),
  check ((payment_status = 'pending') = (approved_at is null)),
  check ((approved_by is null) = (approved_at is null))
);
create index stipend_eligibility_by_week on stipend_eligibility (week_number, overall_eligible desc, created_at desc, id desc);
create index stipend_eligibility_by_fellow on stipend_eligibility (fellow_id, week_number desc);

-- A hand-over is one batch of approved stipends for the payment system; its id is the identity of every try.
create table stipend_handovers (
  id uuid primary key default time_ordered_id(),
  week_number integer not null check (week_number between 1 and 16),
  -- The exact bytes that are signed and sent, the same on every try.
  body text not null,
  recipients integer not null check (recipients > 0),
  total_cents bigint not null check (total_cents >= 0),
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed', 'given_up')),
  -- Until then one process is trying it, and no other does.
  claimed_until timestamptz,
  created_by uuid not null references profiles (id),
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  check ((status = 'sent') = (sent_at is not null))
);

create table stipend_handover_rows (
  handover_id uuid not null references stipend_handovers (id),
  stipend_id uuid not null references stipend_eligibility (id),
  amount_cents integer not null check (amount_cents >= 0),
  -- False for rows that a person explicitly chose to send again.
  is_first boolean not null default true,
  primary key (handover_id, stipend_id)
);
-- A stipend is handed over once unless a person says 'again'.
create unique index stipend_handover_rows_once on stipend_handover_rows (stipend_id) where is_first;

-- Written before a try is made and finished after it, so that a crash in between leaves a trace.
create table stipend_handover_tries (
  id uuid primary key default time_ordered_id(),
  handover_id uuid not null references stipend_handovers (id),
  tried_at timestamptz not null default now(),
  finished_at timestamptz,
  response_status integer,
  error text,
  check ((finished_at is null) = (response_status is null and error is null))
);
create index stipend_handover_tries_by_handover on stipend_handover_tries (handover_id, tried_at);

create view weekly_attendance as
select members.participant_id as fellow_id,
       members.cohort_id,
       activities.week_number,
       count(*)::integer as activities_total,
       count(attendance.id)::integer as activities_accessed,
       round(100.0 * count(attendance.id) / count(*), 2) as attendance_percentage
from cohort_participants members
join training_activities activities on activities.cohort_id = members.cohort_id
left join attendance_records attendance
  on attendance.fellow_id = members.participant_id and attendance.content_id = activities.id
group by members.participant_id, members.cohort_id, activities.week_number;

-- One row per active fellowship participant of the cohort for the week (STIP-25, STIP-31 to STIP-35). Decided rows
-- and amounts set by hand stay as they are (STIP-26); a row whose facts did not change keeps its version.
create function process_weekly_stipends(in_cohort_id uuid, in_week_number integer) returns integer
language sql volatile as $$
  with members as (
    select members.participant_id as fellow_id
    from cohort_participants members
    join profiles on profiles.id = members.participant_id
    where members.cohort_id = in_cohort_id and members.status = 'active'
      and profiles.role = 'participant' and profiles.track_type = 'fellowship' and profiles.deleted_at is null
  ), activities as (
    select id from training_activities where cohort_id = in_cohort_id and week_number = in_week_number
  ), assignments as (
    select content_assignments.id
    from content_assignments
    join content_items on content_items.id = content_assignments.content_item_id
    join activities on activities.id = content_items.training_activity_id
    where content_assignments.archived_at is null
  ), accessed as (
    select fellow_id, count(*)::integer as n
    from attendance_records where content_id in (select id from activities) group by fellow_id
  ), submitted as (
    select user_id, count(*)::integer as n
    from content_submissions
    where assignment_id in (select id from assignments) and status in ('submitted', 'accepted') group by user_id
  ), totals as (
    select (select count(*)::integer from activities) as activities, (select count(*)::integer from assignments) as assignments
  ), facts as (
    select members.fellow_id,
           totals.activities as activities_total,
           coalesce(accessed.n, 0) as activities_accessed,
           totals.assignments as assignments_total,
           coalesce(submitted.n, 0) as assignments_submitted,
           ratings.overall_rating as performance_rating
    from members
    cross join totals
    left join accessed on accessed.fellow_id = members.fellow_id
    left join submitted on submitted.user_id = members.fellow_id
    left join performance_feedback ratings
      on ratings.fellow_id = members.fellow_id and ratings.cohort_id = in_cohort_id and ratings.week_number = in_week_number
  ), written as (
    insert into stipend_eligibility as stored
      (fellow_id, cohort_id, week_number, attendance_eligible, assignment_eligible, performance_eligible,
       attendance_percentage, performance_rating, activities_total, activities_accessed, assignments_total, assignments_submitted)
    select fellow_id, in_cohort_id, in_week_number,
           activities_accessed * 100 >= activities_total * 80,
           assignments_submitted >= assignments_total,
           coalesce(performance_rating >= 3.0, false),
           case when activities_total = 0 then 100 else round(100.0 * activities_accessed / activities_total, 2) end,
           performance_rating, activities_total, activities_accessed, assignments_total, assignments_submitted
    from facts
    on conflict (fellow_id, cohort_id, week_number) do update set
      attendance_eligible = excluded.attendance_eligible,
      assignment_eligible = excluded.assignment_eligible,
      performance_eligible = excluded.performance_eligible,
      attendance_percentage = excluded.attendance_percentage,
      performance_rating = excluded.performance_rating,
      activities_total = excluded.activities_total,
      activities_accessed = excluded.activities_accessed,
      assignments_total = excluded.assignments_total,
      assignments_submitted = excluded.assignments_submitted,
      version = stored.version + 1,
      updated_at = now()
    where stored.payment_status = 'pending'
      and (stored.activities_total, stored.activities_accessed, stored.assignments_total, stored.assignments_submitted, stored.performance_rating)
        is distinct from
          (excluded.activities_total, excluded.activities_accessed, excluded.assignments_total, excluded.assignments_submitted, excluded.performance_rating)
    returning 1
  )
  select count(*)::integer from written
$$;

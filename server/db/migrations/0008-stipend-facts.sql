-- What a week's stipend rests on, and what follows from it, for every active fellowship participant of the cohort
-- (STIP-25, STIP-31 to STIP-35), or for one of them: the admin's rows and the participant's own view read it here.
create function stipend_facts(in_cohort_id uuid, in_week_number integer, in_fellow_id uuid default null)
returns table (
  fellow_id uuid,
  activities_total integer,
  activities_accessed integer,
  assignments_total integer,
  assignments_submitted integer,
  performance_rating numeric,
  attendance_percentage numeric,
  attendance_eligible boolean,
  assignment_eligible boolean,
  performance_eligible boolean
) language sql stable as $$
  with members as (
    select members.participant_id as fellow_id
    from cohort_participants members
    join profiles on profiles.id = members.participant_id
    where members.cohort_id = in_cohort_id and members.status = 'active'
      and profiles.role = 'participant' and profiles.track_type = 'fellowship' and profiles.deleted_at is null
      and (in_fellow_id is null or members.participant_id = in_fellow_id)
  ), activities as (
    select id from training_activities where cohort_id = in_cohort_id and week_number = in_week_number
  ), assignments as (
    select content_assignments.id
    from content_assignments
    join content_items on content_items.id = content_assignments.content_item_id
    join activities on activities.id = content_items.training_activity_id
    where content_assignments.archived_at is null
  ), accessed as (
    select attendance_records.fellow_id, count(*)::integer as n
    from attendance_records
    where content_id in (select id from activities)
      and (in_fellow_id is null or attendance_records.fellow_id = in_fellow_id)
    group by attendance_records.fellow_id
  ), submitted as (
    select user_id, count(*)::integer as n
    from content_submissions
    where assignment_id in (select id from assignments) and status in ('submitted', 'accepted')
      and (in_fellow_id is null or user_id = in_fellow_id)
    group by user_id
  ), totals as (
    select (select count(*)::integer from activities) as activities, (select count(*)::integer from assignments) as assignments
  ), counted as (
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
  )
  select counted.fellow_id, counted.activities_total, counted.activities_accessed, counted.assignments_total,
         counted.assignments_submitted, counted.performance_rating,
         case when counted.activities_total = 0 then 100
              else round(100.0 * counted.activities_accessed / counted.activities_total, 2) end,
         counted.activities_accessed * 100 >= counted.activities_total * 80,
         counted.assignments_submitted >= counted.assignments_total,
         coalesce(counted.performance_rating >= 3.0, false)
  from counted
$$;

-- One row per active fellowship participant of the cohort for the week. Decided rows and amounts set by hand stay as
-- they are (STIP-26); a row of which neither the facts changed nor what follows from them keeps its version.
create or replace function process_weekly_stipends(in_cohort_id uuid, in_week_number integer) returns integer
language sql volatile as $$
  with written as (
    insert into stipend_eligibility as stored
      (fellow_id, cohort_id, week_number, attendance_eligible, assignment_eligible, performance_eligible,
       attendance_percentage, performance_rating, activities_total, activities_accessed, assignments_total, assignments_submitted)
    select fellow_id, in_cohort_id, in_week_number, attendance_eligible, assignment_eligible, performance_eligible,
           attendance_percentage, performance_rating, activities_total, activities_accessed, assignments_total, assignments_submitted
    from stipend_facts(in_cohort_id, in_week_number)
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
      and (stored.activities_total, stored.activities_accessed, stored.assignments_total, stored.assignments_submitted,
           stored.performance_rating, stored.attendance_percentage,
           stored.attendance_eligible, stored.assignment_eligible, stored.performance_eligible)
        is distinct from
          (excluded.activities_total, excluded.activities_accessed, excluded.assignments_total, excluded.assignments_submitted,
           excluded.performance_rating, excluded.attendance_percentage,
           excluded.attendance_eligible, excluded.assignment_eligible, excluded.performance_eligible)
    returning 1
  )
  select count(*)::integer from written
$$;

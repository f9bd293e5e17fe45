-- A stipend row says what it rests on, down to every activity and assignment, and by which version of the rules.
alter table stipend_eligibility
  -- False once the membership ended before the week did: the row stays, and nobody can approve it.
  add column is_member boolean not null default true,
  -- Null on rows from before there was one.
  add column evidence jsonb,
  add column rules_version integer not null default 1;
alter table stipend_eligibility alter column rules_version set default 2;

drop index stipend_eligibility_by_week;
alter table stipend_eligibility drop column overall_eligible;
alter table stipend_eligibility add column overall_eligible boolean not null generated always as
  (is_member and attendance_eligible and assignment_eligible and performance_eligible) stored;
create index stipend_eligibility_by_week on stipend_eligibility (week_number, overall_eligible desc, created_at desc, id desc);

create function utc_text(at timestamptz) returns text language sql stable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

drop function stipend_facts(uuid, integer, uuid);

-- What a week's stipend rests on, and what follows from it: for every active fellowship participant of the cohort and
-- for whoever has an undecided row, or for one of them.
-- Activities are those that the fellowship's calendar shows: of the cohort or of none. In the week in which somebody
-- joins, what was held or due before that day does not count; a week that was over by then counts whole, or it would
-- be paid for nothing. Days are those of the programme, US Eastern.
create function stipend_facts(in_cohort_id uuid, in_week_number integer, in_fellow_id uuid default null)
returns table (
  fellow_id uuid,
  is_member boolean,
  activities_total integer,
  activities_accessed integer,
  assignments_total integer,
  assignments_submitted integer,
  performance_rating numeric,
  attendance_percentage numeric,
  attendance_eligible boolean,
  assignment_eligible boolean,
  performance_eligible boolean,
  evidence jsonb
) language sql stable as $$
  with people as (
    select participant_id as fellow_id
    from cohort_participants
    join profiles on profiles.id = participant_id
    where cohort_id = in_cohort_id and status = 'active' and role = 'participant' and track_type = 'fellowship'
      and deleted_at is null and (in_fellow_id is null or participant_id = in_fellow_id)
    union
    select stipend.fellow_id
    from stipend_eligibility stipend
    join cohort_participants membership
      on membership.participant_id = stipend.fellow_id and membership.cohort_id = stipend.cohort_id
    where stipend.cohort_id = in_cohort_id and stipend.week_number = in_week_number and payment_status = 'pending'
      and (in_fellow_id is null or stipend.fellow_id = in_fellow_id)
  ), members as (
    select people.fellow_id, dated.joined_day, dated.ended_day,
           case when dated.joined_day <= week.last_day then dated.joined_day else '-infinity'::date end as counts_from,
           profiles.role = 'participant' and profiles.track_type is not distinct from 'fellowship'
             and profiles.deleted_at is null
             and coalesce(membership.status = 'active' or dated.ended_day > week.last_day, false) as is_member
    from people
    join profiles on profiles.id = people.fellow_id
    join cohort_participants membership
      on membership.participant_id = people.fellow_id and membership.cohort_id = in_cohort_id
    cross join lateral (
      select (membership.enrolled_at at time zone 'America/New_York')::date as joined_day,
             (membership.ended_at at time zone 'America/New_York')::date as ended_day) dated
    cross join (select start_date + 7 * (in_week_number - 1) + 4 as last_day from cohorts where id = in_cohort_id) week
  ), activities as (
    select activity.id, activity.title, activity.session_date,
           coalesce(activity.session_date, 'infinity'::date) as day
    from training_activities activity
    where activity.week_number = in_week_number and (activity.cohort_id = in_cohort_id or activity.cohort_id is null)
      and (activity.applicable_fellowship or activity.applicable_fellowship_adjunct)
  ), assignments as (
    select assignment.id, assignment.title, assignment.is_required, due.due_date,
           coalesce(due.due_date, activities.day) as day, activities.day as taught_on, item.order_index
    from activities
    join content_items item on item.training_activity_id = activities.id and item.archived_at is null
    join content_assignments assignment on assignment.content_item_id = item.id and assignment.archived_at is null
    cross join lateral (select coalesce(assignment.due_date, item.due_date) as due_date) due
  ), attended as (
    select members.fellow_id,
           (count(*) filter (where activities.day >= members.counts_from))::integer as total,
           (count(attendance.id) filter (where activities.day >= members.counts_from))::integer as accessed,
           jsonb_agg(jsonb_build_object('id', activities.id, 'title', activities.title, 'day', activities.session_date,
             'accessedAt', utc_text(attendance.accessed_at), 'counts', activities.day >= members.counts_from)
             order by activities.day, activities.id) as list
    from members
    cross join activities
    left join attendance_records attendance
      on attendance.fellow_id = members.fellow_id and attendance.content_id = activities.id
    group by members.fellow_id
  ), handed_in as (
    select members.fellow_id,
           (count(*) filter (where assignments.day >= members.counts_from))::integer as total,
           (count(*) filter (where assignments.day >= members.counts_from
             and submission.status in ('submitted', 'accepted')))::integer as submitted,
           jsonb_agg(jsonb_build_object('id', assignments.id, 'title', assignments.title,
             'isRequired', assignments.is_required, 'dueDate', assignments.due_date, 'status', submission.status,
             'submittedAt', utc_text(submission.submitted_at), 'counts', assignments.day >= members.counts_from)
             order by assignments.taught_on, assignments.order_index, assignments.id) as list
    from members
    cross join assignments
    left join content_submissions submission
      on submission.user_id = members.fellow_id and submission.assignment_id = assignments.id
    group by members.fellow_id
  ), counted as (
    select members.*,
           coalesce(attended.total, 0) as activities_total, coalesce(attended.accessed, 0) as activities_accessed,
           coalesce(handed_in.total, 0) as assignments_total, coalesce(handed_in.submitted, 0) as assignments_submitted,
           rating.overall_rating as performance_rating,
           jsonb_build_object('joined', members.joined_day, 'ended', members.ended_day,
             'countsFrom', case when isfinite(members.counts_from) then members.counts_from end,
             'activities', coalesce(attended.list, '[]'), 'assignments', coalesce(handed_in.list, '[]'),
             'rating', case when rating.id is not null then jsonb_build_object('value', rating.overall_rating,
               'comment', rating.comment, 'ratedBy', rating.rated_by, 'ratedAt', utc_text(rating.updated_at)) end) as evidence
    from members
    left join attended on attended.fellow_id = members.fellow_id
    left join handed_in on handed_in.fellow_id = members.fellow_id
    left join performance_feedback rating on rating.fellow_id = members.fellow_id
      and rating.cohort_id = in_cohort_id and rating.week_number = in_week_number
  )
  select counted.fellow_id, counted.is_member, counted.activities_total, counted.activities_accessed,
         counted.assignments_total, counted.assignments_submitted, counted.performance_rating,
         case when counted.activities_total = 0 then 100
              else round(100.0 * counted.activities_accessed / counted.activities_total, 2) end,
         counted.activities_accessed * 100 >= counted.activities_total * 80,
         counted.assignments_submitted >= counted.assignments_total,
         coalesce(counted.performance_rating >= 3.0, false),
         counted.evidence
  from counted
$$;

drop function process_weekly_stipends(uuid, integer);

-- One row per active fellowship participant of the cohort for the week, or of one of them. Decided rows and amounts set
-- by hand stay as they are (STIP-26); a row whose facts did not change keeps its version. The undecided rows are locked
-- before the facts are read, so that of two who compute at once the later one sees what the earlier one saw.
create function process_weekly_stipends(in_cohort_id uuid, in_week_number integer, in_fellow_id uuid default null)
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

-- Attendance, work, a rating or a membership that changes after the row was made changes the row while it is undecided.
create function follow_attendance() returns trigger language plpgsql as $$
begin
  perform process_weekly_stipends(cohort_id, week_number, fellow_id) from (
    select distinct stipend.cohort_id, stipend.week_number, stipend.fellow_id
    from changed_rows
    join training_activities activity on activity.id = changed_rows.content_id
    join stipend_eligibility stipend on stipend.fellow_id = changed_rows.fellow_id
      and stipend.week_number = activity.week_number
      and (activity.cohort_id is null or activity.cohort_id = stipend.cohort_id)
    where stipend.payment_status = 'pending'
    order by 1, 2, 3) touched;
  return null;
end $$;
create trigger attendance_added after insert on attendance_records
  referencing new table as changed_rows for each statement execute function follow_attendance();
create trigger attendance_changed after update on attendance_records
  referencing new table as changed_rows for each statement execute function follow_attendance();
create trigger attendance_removed after delete on attendance_records
  referencing old table as changed_rows for each statement execute function follow_attendance();

create function follow_submission() returns trigger language plpgsql as $$
begin
  perform process_weekly_stipends(cohort_id, week_number, fellow_id) from (
    select distinct stipend.cohort_id, stipend.week_number, stipend.fellow_id
    from changed_rows
    join content_assignments assignment on assignment.id = changed_rows.assignment_id
    join content_items item on item.id = assignment.content_item_id
    join training_activities activity on activity.id = item.training_activity_id
    join stipend_eligibility stipend on stipend.fellow_id = changed_rows.user_id
      and stipend.week_number = activity.week_number
      and (activity.cohort_id is null or activity.cohort_id = stipend.cohort_id)
    where stipend.payment_status = 'pending'
    order by 1, 2, 3) touched;
  return null;
end $$;
create trigger submission_added after insert on content_submissions
  referencing new table as changed_rows for each statement execute function follow_submission();
create trigger submission_changed after update on content_submissions
  referencing new table as changed_rows for each statement execute function follow_submission();
create trigger submission_removed after delete on content_submissions
  referencing old table as changed_rows for each statement execute function follow_submission();

create function follow_rating() returns trigger language plpgsql as $$
begin
  perform process_weekly_stipends(cohort_id, week_number, fellow_id) from (
    select stipend.cohort_id, stipend.week_number, stipend.fellow_id
    from changed_rows
    join stipend_eligibility stipend using (fellow_id, cohort_id, week_number)
    where stipend.payment_status = 'pending'
    order by 1, 2, 3) touched;
  return null;
end $$;
create trigger rating_added after insert on performance_feedback
  referencing new table as changed_rows for each statement execute function follow_rating();
create trigger rating_changed after update on performance_feedback
  referencing new table as changed_rows for each statement execute function follow_rating();
create trigger rating_removed after delete on performance_feedback
  referencing old table as changed_rows for each statement execute function follow_rating();

create function follow_membership() returns trigger language plpgsql as $$
begin
  perform process_weekly_stipends(cohort_id, week_number, fellow_id) from (
    select distinct stipend.cohort_id, stipend.week_number, stipend.fellow_id
    from changed_rows
    join stipend_eligibility stipend on stipend.fellow_id = changed_rows.participant_id
      and stipend.cohort_id = changed_rows.cohort_id
    where stipend.payment_status = 'pending'
    order by 1, 2, 3) touched;
  return null;
end $$;
create trigger membership_changed after update on cohort_participants
  referencing new table as changed_rows for each statement execute function follow_membership();
create trigger membership_removed after delete on cohort_participants
  referencing old table as changed_rows for each statement execute function follow_membership();

-- Who was there until a week's Friday was over has a row for it, whether or not somebody opened the week before they left
-- or became something else than a participant (decision 39). Only `people` and `is_member` differ from 0028.
alter table stipend_eligibility alter column rules_version set default 3;
create index cohort_participants_who_left on cohort_participants (cohort_id, participant_id) where status <> 'active';

create or replace function stipend_facts(in_cohort_id uuid, in_week_number integer, in_fellow_id uuid default null)
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
  with week as (
    select start_date + 7 * (in_week_number - 1) + 4 as last_day from cohorts where id = in_cohort_id
  ), people as (
    select participant_id as fellow_id
    from cohort_participants
    join profiles on profiles.id = participant_id
    where cohort_id = in_cohort_id and status = 'active' and role = 'participant' and track_type = 'fellowship'
      and deleted_at is null and (in_fellow_id is null or participant_id = in_fellow_id)
    union
    select participant_id
    from cohort_participants
    join profiles on profiles.id = participant_id
    cross join week
    where cohort_id = in_cohort_id and status <> 'active' and track_type = 'fellowship' and deleted_at is null
      and (ended_at at time zone 'America/New_York')::date > week.last_day
      and (in_fellow_id is null or participant_id = in_fellow_id)
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
           profiles.track_type is not distinct from 'fellowship' and profiles.deleted_at is null
             and case when membership.status = 'active' then profiles.role = 'participant'
                 else coalesce(dated.ended_day > week.last_day, false) end as is_member
    from people
    join profiles on profiles.id = people.fellow_id
    join cohort_participants membership
      on membership.participant_id = people.fellow_id and membership.cohort_id = in_cohort_id
    cross join lateral (
      select (membership.enrolled_at at time zone 'America/New_York')::date as joined_day,
             (membership.ended_at at time zone 'America/New_York')::date as ended_day) dated
    cross join week
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

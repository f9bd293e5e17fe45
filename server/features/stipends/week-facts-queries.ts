import { type RawBuilder, sql } from 'kysely';
import { programmeZone } from '#contract/weeks.ts';
import { assignmentsBelow } from '#server/features/curriculum/curriculum-access.ts';

/**
 * Finds what counts in a week, and its evidence (`StipendEvidence`). This is the only statement that knows. `wanted`
 * selects `person_id`, `cohort_id` and `week_number`, for people who were members of the cohort at any time. `counted`
 * has a row for each, to select from.
 * The activities of the cohort or of none that the fellowship's calendar shows count, and so do the assignments below
 * them. If a person joins during the week, anything held or due before that day does not count. A week that was over by
 * then counts whole, or it would be paid for nothing. What is lost by today follows from the evidence (`lostSoFar`).
 * Each of ten thousand people at once costs little. Members are worked out once, not at each comparison with their
 * days. The lists of the evidence stay rows until the whole becomes jsonb. Each person's counts are a lateral. For
 * joined groups PostgreSQL expects one row, and compares all with all.
 */
export function weekFacts(wanted: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    wanted as (${wanted}), members as materialized (
      select wanted.person_id as fellow_id, wanted.cohort_id, wanted.week_number, dated.joined_day, dated.ended_day,
             case when dated.joined_day <= dated.last_day then dated.joined_day else '-infinity'::date end as counts_from,
             profiles.track_type is not distinct from 'fellowship' and profiles.deleted_at is null
               and case when membership.status = 'active' then profiles.role = 'participant'
                   else coalesce(dated.ended_day > dated.last_day, false) end as is_member
      from wanted
      join profiles on profiles.id = wanted.person_id
      join cohorts on cohorts.id = wanted.cohort_id
      join cohort_participants membership
        on membership.participant_id = wanted.person_id and membership.cohort_id = wanted.cohort_id
      cross join lateral (
        select (membership.enrolled_at at time zone ${programmeZone})::date as joined_day,
               (membership.ended_at at time zone ${programmeZone})::date as ended_day,
               cohorts.start_date + 7 * (wanted.week_number - 1) + 4 as last_day) dated
      order by wanted.person_id
    ), weeks as (
      select distinct cohort_id, week_number from wanted
    ), activities as materialized (
      select weeks.cohort_id, weeks.week_number, activity.id, activity.title, activity.session_date,
             coalesce(activity.session_date, 'infinity'::date) as day
      from weeks
      cross join lateral (
        select * from training_activities theirs
        where theirs.cohort_id = weeks.cohort_id and theirs.week_number = weeks.week_number
        union all
        select * from training_activities everybodys
        where everybodys.cohort_id is null and everybodys.week_number = weeks.week_number) activity
      where activity.applicable_fellowship or activity.applicable_fellowship_adjunct
      order by day, activity.id
    ), assignments as materialized (
      select activities.cohort_id, activities.week_number, below.id, below.title, below.is_required, below.due_date,
             coalesce(below.due_date, activities.day) as day, activities.day as taught_on, below.order_index
      from activities cross join lateral ${assignmentsBelow(sql`activities.id`)} below
      order by activities.day, below.order_index, below.id
    ), counted as (
      select members.fellow_id, members.cohort_id, members.week_number, members.is_member,
             attended.total as activities_total, attended.accessed as activities_accessed,
             handed_in.total as assignments_total,
             handed_in.submitted as assignments_submitted,
             handed_in.untouched as assignments_untouched,
             rating.overall_rating as rating,
             jsonb_build_object('joined', members.joined_day, 'ended', members.ended_day,
               'countsFrom', case when isfinite(members.counts_from) then members.counts_from end,
               'activities', attended.list, 'assignments', handed_in.list,
               'rating', rated) as evidence
      from members
      cross join lateral (
        select (count(*) filter (where activities.day >= members.counts_from))::integer as total,
               (count(attendance.id) filter (where activities.day >= members.counts_from))::integer as accessed,
               coalesce(array_agg(entry order by activities.day, activities.id), '{}') as list
        from activities
        left join attendance_records attendance
          on attendance.fellow_id = members.fellow_id and attendance.content_id = activities.id
        cross join lateral (
          select activities.id, activities.title, activities.session_date as day,
                 attendance.accessed_at as "accessedAt", activities.day >= members.counts_from as counts) entry
        where activities.cohort_id = members.cohort_id and activities.week_number = members.week_number
      ) attended
      cross join lateral (
        select (count(*) filter (where assignments.day >= members.counts_from))::integer as total,
               (count(*) filter (where assignments.day >= members.counts_from
                 and submission.status in ('submitted', 'accepted')))::integer as submitted,
               (count(*) filter (where assignments.day >= members.counts_from
                 and submission.status is null))::integer as untouched,
               coalesce(array_agg(entry order by assignments.taught_on, assignments.order_index, assignments.id), '{}')
                 as list
        from assignments
        left join content_submissions submission
          on submission.user_id = members.fellow_id and submission.assignment_id = assignments.id
        cross join lateral (
          select assignments.id, assignments.title, assignments.is_required as "isRequired",
                 assignments.due_date as "dueDate", submission.status,
                 submission.submitted_at as "submittedAt", assignments.day >= members.counts_from as counts) entry
        where assignments.cohort_id = members.cohort_id and assignments.week_number = members.week_number
      ) handed_in
      left join performance_feedback rating on rating.fellow_id = members.fellow_id
        and rating.cohort_id = members.cohort_id and rating.week_number = members.week_number
      left join lateral (
        select rating.overall_rating as value, rating.comment, rating.rated_by as "ratedBy",
               rating.updated_at as "ratedAt"
        where rating.id is not null) rated on true
    )`;
}

/** The columns of `counted` that a rule set judges. */
export const judgedColumns = sql.raw(
  'activities_total, activities_accessed, assignments_total, assignments_submitted, assignments_untouched, rating',
);

/** The same facts of a judged row, `stored`. What was never handed in is in its evidence only. */
export const storedColumns = sql.raw(
  `stored.activities_total, stored.activities_accessed, stored.assignments_total, stored.assignments_submitted,
   0 as assignments_untouched, stored.performance_rating as rating`,
);

/**
 * Selects the people with a row for the week of these cohorts: its members, members who left after the week was over,
 * and people with an undecided row. `cohorts` is an array.
 */
export function peopleOfWeek(cohorts: RawBuilder<unknown>, weekNumber: number): RawBuilder<unknown> {
  return sql`
    select membership.participant_id as person_id, membership.cohort_id, ${weekNumber}::integer as week_number
    from cohort_participants membership
    join profiles person on person.id = membership.participant_id
    join cohorts theirs on theirs.id = membership.cohort_id
    where membership.cohort_id = any(${cohorts})
      and (person.track_type = 'fellowship' and person.deleted_at is null
          and case when membership.status = 'active' then person.role = 'participant'
              else (membership.ended_at at time zone ${programmeZone})::date
                > theirs.start_date + 7 * (${weekNumber}::integer - 1) + 4 end
        or exists (select from stipend_eligibility undecided where undecided.fellow_id = membership.participant_id
          and undecided.cohort_id = membership.cohort_id and undecided.week_number = ${weekNumber}
          and undecided.payment_status = 'pending'))`;
}

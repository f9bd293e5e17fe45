import { type RawBuilder, sql } from 'kysely';
import { MoreFacts } from '#contract/stipend-facts.ts';
import { snakeCaseOf } from '#server/db/column-names.ts';
import { assignmentsBelow } from '#server/features/curriculum/curriculum-access.ts';

/**
 * Finds what counts in the days of a stipend, its evidence (`StipendEvidence`), and the rules that judge it. This is the
 * only statement that knows. `wanted` selects `person_id`, `cohort_id` and `week_number`, for people who were members of
 * the cohort at any time. `counted` has a row for each, to select from. Days without rules are paid by nothing, and have
 * none. A trial judges by other rules. With the present day of a `calendar`, `today`, there is what is `lost` by then.
 * The activities of the cohort or of none that reach the person's kind count, and so do the assignments below them. If a
 * person joins meanwhile, anything held or due before that day does not count. Days that were over by then count whole,
 * or they would be paid for nothing. Who leaves meanwhile is paid only by rules that pay a share of the days, and then
 * for what came before. What is lost by today follows from the evidence (`lostSoFar`).
 * Each of ten thousand people at once costs little. Members are worked out once, not at each comparison with their
 * days. The lists of the evidence stay rows until the whole becomes jsonb. Each person's counts are a lateral. For
 * joined groups PostgreSQL expects one row, and compares all with all.
 */
export function weekFacts(
  wanted: RawBuilder<unknown>,
  { judgedBy = rulesOn, today }: { judgedBy?: typeof rulesOn; today?: RawBuilder<string> } = {},
): RawBuilder<unknown> {
  const lost = today ? lostBy(today) : null;
  return sql`
    wanted as (${wanted}), weeks as materialized (
      select theirs.*, rules.id as rule_set_id, rules.version as rules_version, rules.pays_shares
      from (select distinct cohort_id, week_number from wanted) listed
      join cohort_calendars calendar on calendar.id = listed.cohort_id
      cross join lateral (
        select listed.cohort_id, listed.week_number, calendar.programme_id, calendar.start_date, calendar.weeks,
               calendar.pay_period, calendar.zone, calendar.paid_kinds, ${lost?.day ?? sql``}
               ${periodFirstDay(sql`listed.week_number`)} as first_day,
               ${periodLastDay(sql`listed.week_number`)} as last_day,
               period_first_week(calendar.start_date, calendar.pay_period, listed.week_number) as first_week,
               period_last_week(calendar.start_date, calendar.pay_period, listed.week_number) as last_week) theirs
      cross join lateral ${judgedBy(sql`theirs.programme_id`, sql`theirs.first_day`)} rules
    ), members as materialized (
      select wanted.person_id as fellow_id, weeks.*, dated.joined_day, dated.ended_day,
             case when profiles.track_type = any(weeks.paid_kinds) then profiles.track_type
               else weeks.paid_kinds[1] end as kind,
             case when dated.joined_day <= weeks.last_day then dated.joined_day else '-infinity'::date end as counts_from,
             case when weeks.pays_shares and dated.ended_day <= weeks.last_day then dated.ended_day - 1
               else 'infinity'::date end as counts_until,
             coalesce(profiles.track_type = any(weeks.paid_kinds), false) and profiles.deleted_at is null
               and case when membership.status = 'active' then profiles.role = 'participant'
                   else ${hasLeftPaid(sql`dated.ended_day`, sql`weeks`, sql`weeks`)} end as is_member
      from wanted
      join weeks on weeks.cohort_id = wanted.cohort_id and weeks.week_number = wanted.week_number
      join profiles on profiles.id = wanted.person_id
      join cohort_participants membership
        on membership.participant_id = wanted.person_id and membership.cohort_id = wanted.cohort_id
      cross join lateral (
        select (membership.enrolled_at at time zone weeks.zone)::date as joined_day,
               (membership.ended_at at time zone weeks.zone)::date as ended_day) dated
      order by wanted.person_id
    ), activities as materialized (
      select weeks.cohort_id, weeks.week_number, activity.id, activity.title, activity.session_date, activity.reaches,
             coalesce(activity.session_date, 'infinity'::date) as day, coalesce(activity.duration_minutes, 0) as minutes,
             coalesce(activity.delivery_medium = 'In-person', false) as is_trip
      from weeks
      cross join lateral (
        select * from training_activities theirs
        where theirs.cohort_id = weeks.cohort_id and theirs.week_number between weeks.first_week and weeks.last_week
        union all
        select * from training_activities everybodys
        where everybodys.cohort_id is null and everybodys.programme_id = weeks.programme_id
          and everybodys.week_number between weeks.first_week and weeks.last_week) activity
      where activity.reaches && weeks.paid_kinds and ${isInPeriod(sql`activity`, sql`weeks`)}
      order by day, activity.id
    ), assignments as materialized (
      select activities.cohort_id, activities.week_number, activities.reaches, below.id, below.title, below.is_required,
             below.due_date, coalesce(below.due_date, activities.day) as day, activities.day as taught_on,
             below.order_index
      from activities cross join lateral ${assignmentsBelow(sql`activities.id`)} below
      order by activities.day, below.order_index, below.id
    ), counted as (
      select members.fellow_id, members.cohort_id, members.week_number, members.is_member, members.rule_set_id,
             members.rules_version, members.zone, ${lost?.column ?? sql``}
             attended.total as activities_total, attended.accessed as activities_accessed,
             handed_in.total as assignments_total,
             handed_in.submitted as assignments_submitted,
             handed_in.untouched as assignments_untouched,
             rating.overall_rating as rating,
             attended.sessions_total, attended.sessions_attended, attended.minutes_total, attended.minutes_attended,
             attended.days_attended, attended.trips, attended.unexcused_absences,
             handed_in.accepted as assignments_accepted,
             members.last_day - members.first_day + 1 as days_in_period,
             greatest(0, least(members.last_day, coalesce(members.ended_day - 1, members.last_day))
               - greatest(members.first_day, members.joined_day) + 1) as days_enrolled,
             jsonb_build_object('joined', members.joined_day, 'ended', members.ended_day,
               'countsFrom', case when isfinite(members.counts_from) then members.counts_from end,
               'activities', attended.list, 'assignments', handed_in.list,
               'rating', rated) as evidence
      from members
      cross join lateral (
        select ${countOf(sql`true`)} as total, ${lost?.ofActivities ?? sql``}
               ${countOf(sql`attendance.id is not null`)} as accessed,
               ${countOf(sql`activities.session_date is not null`)} as sessions_total,
               ${countOf(sql`activities.session_date is not null and attendance.id is not null`)} as sessions_attended,
               coalesce(sum(activities.minutes) filter (where found.counts), 0)::integer as minutes_total,
               coalesce(sum(activities.minutes) filter (where found.counts and attendance.id is not null), 0)::integer
                 as minutes_attended,
               (count(distinct activities.session_date) filter (where found.counts and attendance.id is not null))::integer
                 as days_attended,
               ${countOf(sql`activities.is_trip and attendance.id is not null`)} as trips,
               ${countOf(sql`attendance.id is null and excuse.activity_id is null`)} as unexcused_absences,
               coalesce(array_agg(entry order by activities.day, activities.id), '{}') as list
        from activities
        left join attendance_records attendance
          on attendance.fellow_id = members.fellow_id and attendance.content_id = activities.id
        left join excused_absences excuse
          on excuse.participant_id = members.fellow_id and excuse.activity_id = activities.id
        cross join lateral (
          select activities.day between members.counts_from and members.counts_until as counts) found
        cross join lateral (
          select activities.id, activities.title, activities.session_date as day,
                 attendance.accessed_at as "accessedAt", activities.minutes,
                 excuse.activity_id is not null as "isExcused", found.counts) entry
        where activities.cohort_id = members.cohort_id and activities.week_number = members.week_number
          and members.kind = any(activities.reaches)
      ) attended
      cross join lateral (
        select ${countOf(sql`true`)} as total, ${lost?.ofAssignments ?? sql``}
               ${countOf(sql`submission.status in ('submitted', 'accepted')`)} as submitted,
               ${countOf(sql`submission.status = 'accepted'`)} as accepted,
               ${countOf(sql`submission.status is null`)} as untouched,
               coalesce(array_agg(entry order by assignments.taught_on, assignments.order_index, assignments.id), '{}')
                 as list
        from assignments
        left join content_submissions submission
          on submission.user_id = members.fellow_id and submission.assignment_id = assignments.id
        cross join lateral (
          select assignments.day between members.counts_from and members.counts_until as counts) found
        cross join lateral (
          select assignments.id, assignments.title, assignments.is_required as "isRequired",
                 assignments.due_date as "dueDate", submission.status,
                 submission.submitted_at as "submittedAt", found.counts) entry
        where assignments.cohort_id = members.cohort_id and assignments.week_number = members.week_number
          and members.kind = any(assignments.reaches)
      ) handed_in
      left join performance_feedback rating on rating.fellow_id = members.fellow_id
        and rating.cohort_id = members.cohort_id and rating.week_number = members.week_number
      left join lateral (
        select rating.overall_rating as value, rating.comment, rating.rated_by as "ratedBy",
               rating.updated_at as "ratedAt"
        where rating.id is not null) rated on true
    )`;
}

/** `LostSoFar`, as `lostSoFar` counts it in the evidence. Where evidence is not shown, none is put together. */
function lostBy(today: RawBuilder<string>) {
  const missed = sql`attendance.id is null and activities.session_date < members.today`;
  return {
    day: sql`${today} as today,`,
    ofActivities: sql`${countOf(missed)} as missed,
      coalesce(sum(activities.minutes) filter (where found.counts and ${missed}), 0)::integer as minutes_missed,
      ${countOf(sql`${missed} and excuse.activity_id is null`)} as missed_unexcused,`,
    ofAssignments: sql`
      ${countOf(sql`submission.status is null and assignments.due_date < members.today`)} as late,`,
    column: sql`jsonb_build_object('activities', attended.missed, 'sessions', attended.missed,
      'minutes', attended.minutes_missed, 'unexcused', attended.missed_unexcused, 'assignments', handed_in.late) as lost,`,
  };
}

function countOf(condition: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(count(*) filter (where found.counts and ${condition}))::integer`;
}

/** The first day that the nth stipend of a cohort pays for. Expects a row of `cohort_calendars`. */
export function periodFirstDay(number: RawBuilder<unknown>, calendar = sql`calendar`): RawBuilder<string> {
  return sql`period_first_day(${calendar}.start_date, ${calendar}.pay_period, ${number})`;
}

/** The last day that the nth stipend of a cohort pays for. */
export function periodLastDay(number: RawBuilder<unknown>, calendar = sql`calendar`): RawBuilder<string> {
  return sql`period_last_day(${calendar}.start_date, ${calendar}.pay_period, ${number}, ${calendar}.weeks,
    ${calendar}.days_per_week)`;
}

/** How many stipends a cohort pays to each participant. Expects a row of `cohort_calendars`. */
export function periodsOfCalendar(calendar = sql`calendar`): RawBuilder<number> {
  return sql`period_on(${calendar}.start_date, ${calendar}.pay_period, ${calendar}.weeks,
    ${calendar}.start_date + 7 * (${calendar}.weeks - 1) + ${calendar}.days_per_week - 1)`;
}

/** The rules that judge what begins on a day, as a table of one row or none. */
export function rulesOn(programmeId: RawBuilder<unknown>, day: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select published.id, published.version, published.rules,
           (published.rules -> 'amounts' ->> 'isProratedByDays')::boolean as pays_shares
    from rule_sets published
    where published.programme_id = ${programmeId} and published.published_at is not null and published.from_day <= ${day}
    order by published.from_day desc limit 1)`;
}

/**
 * Weeks belong to one stipend, unless months are paid. Then its day decides, or the first day of its week if it has none.
 * The day of an activity of no cohort is not that of a cohort's calendar, so its week decides too.
 */
function isInPeriod(activity: RawBuilder<unknown>, row: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(${row}.pay_period <> 'month' or ${row}.week_number = period_on(${row}.start_date, 'month', ${row}.weeks,
    coalesce(case when ${activity}.cohort_id is not null then ${activity}.session_date end,
      ${row}.start_date + 7 * (${activity}.week_number - 1))))`;
}

/** True for somebody who left, if the days until then are paid. Expects the days and the rules as `dated` and `rules`. */
export function hasLeftPaid(
  endedDay: RawBuilder<unknown>,
  dated = sql`dated`,
  rules = sql`rules`,
): RawBuilder<boolean> {
  return sql`coalesce(${endedDay} > case when ${rules}.pays_shares then ${dated}.first_day else ${dated}.last_day end,
    false)`;
}

const moreFacts = Object.keys(MoreFacts.shape);

/** The columns of `counted` that a rule set judges. The rating is last, because it can be missing. */
export const judgedColumns = sql.raw(
  `activities_total, activities_accessed, assignments_total, assignments_submitted, assignments_untouched,
   ${moreFacts.map(snakeCaseOf).join(', ')}, rating`,
);

/** The columns of `judgedColumns` that came with other programmes, of a table. */
export function moreFactsOf(table: 'facts' | 'stored') {
  return sql.raw(moreFacts.map((name) => `${table}.${snakeCaseOf(name)}`).join(', '));
}

/** What `judgedColumns` has beside the counts with columns of their own, as a row keeps it. */
export const moreFactsAsJson = sql.raw(
  `jsonb_build_object(${moreFacts.map((name) => `'${name}', ${snakeCaseOf(name)}`).join(', ')})`,
);

/** The same facts of a judged row, `stored`. What was never handed in is in its evidence only. */
export const storedColumns = sql.raw(
  `stored.activities_total, stored.activities_accessed, stored.assignments_total, stored.assignments_submitted,
   0 as assignments_untouched,
   ${moreFacts
     .map((name) => `coalesce((stored.more_facts ->> '${name}')::integer, 0) as ${snakeCaseOf(name)}`)
     .join(', ')}, stored.performance_rating as rating`,
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
    join cohort_calendars calendar on calendar.id = membership.cohort_id
    cross join lateral (
      select ${periodFirstDay(sql`${weekNumber}::integer`)} as first_day,
             ${periodLastDay(sql`${weekNumber}::integer`)} as last_day) dated
    cross join lateral ${rulesOn(sql`calendar.programme_id`, sql`dated.first_day`)} rules
    where membership.cohort_id = any(${cohorts}) and ${weekNumber}::integer <= ${periodsOfCalendar()}
      and (person.track_type = any(calendar.paid_kinds) and person.deleted_at is null
          and case when membership.status = 'active' then person.role = 'participant'
              else ${hasLeftPaid(sql`(membership.ended_at at time zone calendar.zone)::date`)} end
        or exists (select from stipend_eligibility undecided where undecided.fellow_id = membership.participant_id
          and undecided.cohort_id = membership.cohort_id and undecided.week_number = ${weekNumber}
          and undecided.payment_status = 'pending'))`;
}

import { sql } from 'kysely';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readParticipantDashboard } from '#contract/home.ts';
import { defaultStipendCents } from '#contract/money.ts';
import { isEligible, type StipendFacts, stipendCriteria } from '#contract/stipend-rules.ts';
import { currentWeek, easternDay, programmeWeek } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { activeCohortOf } from '#server/features/cohorts/cohort-queries.ts';
import { participantWeek } from '#server/features/learning/participant-week-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';

type Dashboard = ResponseOf<typeof readParticipantDashboard>;

const recentWeeks = 4;

/** Seven statements, whatever the size of the cohort. */
export async function participantDashboard(db: Db, actor: Actor): Promise<Dashboard> {
  const at = now();
  const today = easternDay(at);
  const cohort = await activeCohortOf(db, actor.id);
  const around = await readSurroundings(db, actor.id, cohort?.id ?? null, at);
  if (!cohort)
    return { ...withoutCohort(today), ...around, stipend: { ...noStipend, ...(await readEarnings(db, actor.id)) } };
  const number = currentWeek(cohort.startDate, at);
  const { firstDay, lastDay, holiday } = programmeWeek(cohort.startDate, number);
  return {
    cohort: { id: cohort.id, name: cohort.name, startDate: cohort.startDate, endDate: cohort.endDate },
    week: { number, firstDay, lastDay, holiday },
    ...(await participantWeek(db, actor, cohort, at)),
    ...around,
    stipend: { ...(await readWeekFacts(db, actor.id, cohort.id, number)), ...(await readEarnings(db, actor.id)) },
    today,
  };
}

/** Coach, next session, progress and unread messages, in one statement. */
async function readSurroundings(db: Db, participantId: string, cohortId: string | null, at: Date) {
  const found = await sql<{
    coach: Dashboard['coach'];
    nextSession: (Omit<NonNullable<Dashboard['nextSession']>, 'scheduledAt'> & { scheduledAt: string }) | null;
    unreadMessages: number;
    overallPercentage: number;
    progressStatus: Dashboard['progressStatus'];
  }>`
    select
      (select jsonb_build_object('id', coach.id, 'firstName', coach.first_name, 'lastName', coach.last_name,
          'schedulingLink', case when coach.scheduling_enabled then coach.scheduling_link end,
          'instructions', case when coach.scheduling_enabled then coach.external_booking_instructions end)
        from user_courses join profiles coach on coach.id = user_courses.coach_id
        where user_courses.user_id = ${participantId} and user_courses.status = 'enrolled' and coach.deleted_at is null
        order by user_courses.start_date desc, user_courses.course_id limit 1) as coach,
      (select jsonb_build_object('id', id, 'scheduledAt', scheduled_at, 'durationMinutes', duration_minutes, 'teamsLink', teams_link)
        from coaching_sessions
        where participant_id = ${participantId} and status = 'scheduled'
          and scheduled_at + make_interval(mins => duration_minutes) > ${at}
        order by scheduled_at limit 1) as next_session,
      (select count(*) from coach_messages where recipient_id = ${participantId} and not is_read) as unread_messages,
      coalesce(progress.overall_completion_percentage, 0) as overall_percentage,
      coalesce(progress.status, 'on_track') as progress_status
    from (select 1) one
    left join participant_progress progress on progress.participant_id = ${participantId} and progress.cohort_id = ${cohortId}`.execute(
    db,
  );
  const row = found.rows[0];
  if (!row) throw new Error('A statement without a source of rows answered none.');
  const next = row.nextSession;
  return { ...row, nextSession: next && { ...next, scheduledAt: new Date(next.scheduledAt).toISOString() } };
}

/** The facts of the running week as they stand now, by the same rules that the decision will use. */
async function readWeekFacts(db: Db, participantId: string, cohortId: string, week: number) {
  const found = await sql<StipendFacts & { weeklyCents: number | null }>`
    with activities as (
      select id from training_activities where cohort_id = ${cohortId} and week_number = ${week}
    ), assignments as (
      select content_assignments.id from content_assignments
      join content_items on content_items.id = content_assignments.content_item_id
      join activities on activities.id = content_items.training_activity_id
      where content_assignments.archived_at is null
    )
    select
      (select count(*) from activities) as activities_total,
      (select count(*) from attendance_records where fellow_id = ${participantId} and content_id in (select id from activities))
        as activities_accessed,
      (select count(*) from assignments) as assignments_total,
      (select count(*) from content_submissions where user_id = ${participantId} and status in ('submitted', 'accepted')
        and assignment_id in (select id from assignments)) as assignments_submitted,
      (select overall_rating from performance_feedback
        where fellow_id = ${participantId} and cohort_id = ${cohortId} and week_number = ${week}) as rating,
      (select stipend_amount_cents from stipend_eligibility
        where fellow_id = ${participantId} and cohort_id = ${cohortId} and week_number = ${week}) as weekly_cents`.execute(
    db,
  );
  const row = found.rows[0];
  if (!row) throw new Error('A statement without a source of rows answered none.');
  const { weeklyCents, ...facts } = row;
  return { weeklyCents: weeklyCents ?? defaultStipendCents, ...describeFacts(facts) };
}

/** STIP0-03: approved and paid weeks count; STIP0-04: the newest four weeks. */
async function readEarnings(db: Db, participantId: string) {
  const rows = await db
    .selectFrom('stipendEligibility')
    .select([
      'weekNumber',
      'activitiesTotal',
      'activitiesAccessed',
      'assignmentsTotal',
      'assignmentsSubmitted',
      'performanceRating as rating',
      'paymentStatus',
      'stipendAmountCents as amountCents',
      sql<number>`coalesce(sum(stipend_amount_cents) filter (where payment_status in ('approved', 'paid')) over (), 0)`.as(
        'totalCents',
      ),
    ])
    .where('fellowId', '=', participantId)
    .orderBy('createdAt', 'desc')
    .orderBy('weekNumber', 'desc')
    .execute();
  const newest = rows.toSorted((left, right) => right.weekNumber - left.weekNumber).slice(0, recentWeeks);
  return {
    totalEarnedCents: rows[0]?.totalCents ?? 0,
    recentWeeks: newest.map(({ weekNumber, paymentStatus, amountCents, totalCents: _total, ...facts }) => ({
      weekNumber,
      criteria: stipendCriteria(facts),
      isEligible: isEligible(facts),
      paymentStatus: paymentStatus as Dashboard['stipend']['recentWeeks'][number]['paymentStatus'],
      amountCents,
    })),
  };
}

function describeFacts(facts: StipendFacts) {
  return {
    isEligible: isEligible(facts),
    criteria: stipendCriteria(facts),
    activities: { accessed: facts.activitiesAccessed, total: facts.activitiesTotal },
    assignments: { submitted: facts.assignmentsSubmitted, total: facts.assignmentsTotal },
    rating: facts.rating,
  };
}

const noFacts = {
  activitiesTotal: 0,
  activitiesAccessed: 0,
  assignmentsTotal: 0,
  assignmentsSubmitted: 0,
  rating: null,
};
const noStipend = { weeklyCents: defaultStipendCents, ...describeFacts(noFacts) };

function withoutCohort(today: string) {
  return {
    cohort: null,
    week: { number: 1, firstDay: today, lastDay: today, holiday: null },
    thisWeek: { done: 0, total: 0, isOnTrack: true },
    nextStep: null,
    pendingActivities: [],
    deadlines: [],
    today,
  };
}

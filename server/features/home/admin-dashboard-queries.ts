import type { FastifyBaseLogger } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { AdminSection, readAdminDashboard } from '#contract/home.ts';
import { houseZone } from '#contract/house-zone.ts';
import { roles, trackTypes } from '#contract/roles.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { hiddenInstant } from '#server/db/hidden-values.ts';
import { findGivenUpDeliveryCount } from '#server/features/deliveries/delivery-queries.ts';
import { talliedWaiting, talliedWork } from '#server/features/submissions/tallied-queries.ts';
import { talliedPeople } from '#server/features/users/tallied-queries.ts';
import type { Actor } from '#server/platform/actor.ts';

type AdminDashboard = ReplyOf<typeof readAdminDashboard>;

interface PeopleCounts {
  kinds: { role: string; trackType: string | null; count: number }[];
  added: number;
  change: number;
}

const daysOfRecentActivity = 7;

/** Runs six statements at once, whatever the size of the programme. If one fails, the others stay (ADMIN-20). */
export async function findAdminDashboard(
  db: Db,
  actor: Pick<Actor, 'id'>,
  now: Date,
  log: FastifyBaseLogger,
): Promise<AdminDashboard> {
  const notLoaded = new Set<AdminSection>();
  const orZeros = <T>(section: AdminSection, zeros: T, reading: Promise<T>): Promise<T> =>
    reading.catch((error: unknown) => {
      log.error({ err: error, section }, 'A section of the dashboard could not be read.');
      notLoaded.add(section);
      return zeros;
    });
  const since = new Date(now.getTime() - daysOfRecentActivity * 86_400_000);
  const [people, cohorts, enrollments, submissions, queues, deliveriesGivenUp] = await Promise.all([
    orZeros('people', { kinds: [], added: 0, change: 0 }, findPeople(db, since)),
    orZeros('cohorts', { active: 0, planning: 0, change: 0 }, findCohorts(db, now)),
    orZeros('enrollments', { active: 0, change: 0 }, findEnrollments(db, since)),
    orZeros('submissions', { pending: 0, handedIn: 0 }, findSubmissions(db, since)),
    orZeros('queues', noQueues, findQueues(db, actor, since)),
    orZeros('queues', 0, findGivenUpDeliveryCount(db)),
  ]);
  return {
    statistics: {
      totalUsers: countPeople(people, () => true),
      totalCohorts: cohorts.active,
      totalEnrollments: enrollments.active,
      pendingSubmissions: submissions.pending,
    },
    changes: { users: people.change, cohorts: cohorts.change, enrollments: enrollments.change },
    recentActivity: { newUsersThisWeek: people.added, submissionsThisWeek: submissions.handedIn },
    cohortStats: { active: cohorts.active, planning: cohorts.planning },
    usersByRole: roles.map((role) => ({ role, count: countPeople(people, (kind) => kind.role === role) })),
    participantsByTrack: [...trackTypes, null].map((trackType) => ({
      trackType,
      count: countPeople(people, (kind) => kind.role === 'participant' && kind.trackType === trackType),
    })),
    queues: { ...queues, deliveriesGivenUp },
    notLoaded: [...notLoaded],
  };
}

const noQueues = {
  roleRequests: 0,
  participantsWithoutCoach: 0,
  failedImports: 0,
  stipendsToApprove: 0,
  oldestStipends: null as AdminDashboard['queues']['oldestStipends'],
  stipendQuestions: 0,
};

function countPeople({ kinds }: PeopleCounts, isMeant: (kind: PeopleCounts['kinds'][number]) => boolean): number {
  return kinds.filter(isMeant).reduce((sum, { count }) => sum + count, 0);
}

/** ADMIN-02, ADMIN-06 to ADMIN-08 */
function findPeople(db: Db, since: Date) {
  return only<PeopleCounts>(
    db,
    sql`with added as (
        select count(*) as n from profiles where created_at >= ${hiddenInstant(since)} and deleted_at is null),
      gone as (
        select count(*) filter (where created_at < ${since}) as n from profiles where deleted_at >= ${hiddenInstant(since)})
    select (select coalesce(jsonb_agg(kind), '[]') from ${talliedPeople} kind) as kinds,
      added.n as added, added.n - gone.n as change from added, gone`,
  );
}

/** ADMIN-03, ADMIN-06: a cohort joins the active ones on its first day and leaves them after its last. */
function findCohorts(db: Db, now: Date) {
  const today = dayAt(now, houseZone);
  const from = addDays(today, -daysOfRecentActivity);
  return only<{ active: number; planning: number; change: number }>(
    db,
    sql`select count(*) filter (where status = 'active') as active,
      count(*) filter (where status = 'planning') as planning,
      count(*) filter (where status = 'active' and start_date > ${from} and start_date <= ${today})
        - count(*) filter (where status = 'completed' and end_date >= ${from} and end_date < ${today}) as change
    from cohorts`,
  );
}

/** ADMIN-04 */
function findEnrollments(db: Db, since: Date) {
  return only<{ active: number; change: number }>(
    db,
    sql`select (select coalesce(sum(current_enrollment), 0) from cohorts) as active,
      (select count(*) from cohort_participants where enrolled_at >= ${hiddenInstant(since)} and status = 'active')
        - (select count(*) filter (where enrolled_at < ${since} and status <> 'active') from cohort_participants
          where ended_at >= ${hiddenInstant(since)}) as change`,
  );
}

/** ADMIN-05, ADMIN-06 */
function findSubmissions(db: Db, since: Date) {
  return only<{ pending: number; handedIn: number }>(
    db,
    sql`select ${talliedWaiting} as pending, ${talliedWork(since)} as handed_in`,
  );
}

/** The admin's own questions wait for other admins. */
function findQueues(db: Db, actor: Pick<Actor, 'id'>, since: Date) {
  return only<typeof noQueues>(
    db,
    sql`select
      (select count(*) from profiles where deleted_at is null and requested_role is not null) as role_requests,
      (select count(distinct user_id) from user_courses where status = 'enrolled' and coach_id is null)
        as participants_without_coach,
      (select count(*) from bulk_imports
        where failed_records > 0 and undone_at is null and completed_at >= ${since}) as failed_imports,
      (select count(*) from stipend_eligibility where overall_eligible and payment_status = 'pending')
        as stipends_to_approve,
      (select jsonb_build_object('weekNumber', week_number, 'cohortId', cohorts.id, 'cohortName', cohorts.name,
          'weeks', count(*) over ())
        from (select distinct cohort_id, week_number from stipend_eligibility
          where overall_eligible and payment_status = 'pending') waiting
        join cohort_calendars cohorts on cohorts.id = waiting.cohort_id
        order by period_first_day(cohorts.start_date, cohorts.pay_period, week_number), cohorts.id limit 1) as oldest_stipends,
      (select count(*) from stipend_questions join profiles on profiles.id = participant_id
        where status = 'open' and deleted_at is null and participant_id <> ${actor.id}) as stipend_questions`,
  );
}

async function only<Row>(db: Db, query: RawBuilder<unknown>): Promise<Row> {
  const { rows } = await sql<Row>`${query}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('A select of counts answered no row.');
  return row;
}

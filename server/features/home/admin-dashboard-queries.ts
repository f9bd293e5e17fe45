import { sql } from 'kysely';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { readAdminDashboard } from '#contract/home.ts';
import { roles, trackTypes } from '#contract/roles.ts';
import type { Db } from '#server/db/database.ts';

type AdminDashboard = ReplyOf<typeof readAdminDashboard>;

interface Counts {
  people: { role: string; trackType: string | null; count: number }[];
  activeCohorts: number;
  planningCohorts: number;
  activeEnrollments: number;
  pendingSubmissions: number;
  submissionsThisWeek: number;
  newUsersThisWeek: number;
  roleRequests: number;
  participantsWithoutCoach: number;
  failedImports: number;
  stipendsToApprove: number;
}

const daysOfRecentActivity = 7;

/** Everything the admin dashboard shows, in one statement (ADMIN-02 to ADMIN-08, ADMIN-20). */
export async function findAdminDashboard(db: Db, now: Date): Promise<AdminDashboard> {
  const since = new Date(now.getTime() - daysOfRecentActivity * 86_400_000);
  const found = await sql<Counts>`
    with person as (
      select role, track_type, requested_role, created_at from profiles where deleted_at is null
    )
    select
      (select coalesce(jsonb_agg(kind), '[]') from (
        select role, track_type as "trackType", count(*)::int from person group by role, track_type) kind) as people,
      (select count(*) from person where created_at >= ${since}) as new_users_this_week,
      (select count(*) from person where requested_role is not null) as role_requests,
      (select count(*) from cohorts where status = 'active') as active_cohorts,
      (select count(*) from cohorts where status = 'planning') as planning_cohorts,
      (select count(*) from cohort_participants where status = 'active') as active_enrollments,
      (select count(*) from content_submissions where status = 'submitted') as pending_submissions,
      (select count(*) from content_submissions where submitted_at >= ${since}) as submissions_this_week,
      (select count(distinct user_id) from user_courses where status = 'enrolled' and coach_id is null)
        as participants_without_coach,
      (select count(*) from bulk_imports where failed_records > 0 and completed_at >= ${since}) as failed_imports,
      (select count(*) from stipend_eligibility where overall_eligible and payment_status = 'pending')
        as stipends_to_approve`.execute(db);
  const [counts] = found.rows;
  if (!counts) throw new Error('A select without a table answered no row.');
  return toDashboard(counts);
}

function toDashboard(counts: Counts): AdminDashboard {
  const countPeople = (isMeant: (kind: Counts['people'][number]) => boolean) =>
    counts.people.filter(isMeant).reduce((sum, { count }) => sum + count, 0);
  return {
    statistics: {
      totalUsers: countPeople(() => true),
      totalCohorts: counts.activeCohorts,
      totalEnrollments: counts.activeEnrollments,
      pendingSubmissions: counts.pendingSubmissions,
    },
    recentActivity: {
      newUsersThisWeek: counts.newUsersThisWeek,
      submissionsThisWeek: counts.submissionsThisWeek,
    },
    cohortStats: { active: counts.activeCohorts, planning: counts.planningCohorts },
    usersByRole: roles.map((role) => ({ role, count: countPeople((kind) => kind.role === role) })),
    participantsByTrack: [...trackTypes, null].map((trackType) => ({
      trackType,
      count: countPeople((kind) => kind.role === 'participant' && kind.trackType === trackType),
    })),
    queues: {
      roleRequests: counts.roleRequests,
      participantsWithoutCoach: counts.participantsWithoutCoach,
      failedImports: counts.failedImports,
      stipendsToApprove: counts.stipendsToApprove,
    },
  };
}

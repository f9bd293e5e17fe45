import { sql } from 'kysely';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { Role } from '#contract/roles.ts';
import type { listRoleRequests, RequestedRole, RoleRequest } from '#contract/users.ts';
import type { Db } from '#server/db/database.ts';
import { sessionsToComeOf } from '#server/features/coaching/person-sessions-queries.ts';
import { cutPage } from '#server/platform/pages.ts';

const pageSize = 50;

export interface Applicant {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  role: Role;
  isEmailConfirmed: boolean;
}

type Application = Applicant &
  Pick<RoleRequest, 'cohorts' | 'coachedCount' | 'sessionsToCome'> & { requestedRole: RequestedRole; createdAt: Date };

/** Ids are time-ordered, so the id is the key of the page and its order. */
export async function findRoleRequests(db: Db, cursor: string | undefined): Promise<ReplyOf<typeof listRoleRequests>> {
  const found = await sql<Application>`
    select profile.id, profile.first_name, profile.last_name, profile.email, profile.role, profile.requested_role,
      profile.created_at, coalesce(sign_in.email_verified, false) as is_email_confirmed,
      coalesce((select json_agg(json_build_object('name', name) order by start_date desc, cohorts.id desc)
        from cohort_participants member join cohorts on cohorts.id = member.cohort_id
        where member.participant_id = profile.id and member.status = 'active'), '[]') as cohorts,
      (select count(distinct user_id)::int from user_courses
        where coach_id = profile.id and status = 'enrolled') as coached_count,
      ${sessionsToComeOf(sql.ref('profile.id'))} as sessions_to_come
    from profiles profile
    left join auth."user" sign_in on sign_in.id = profile.id
    where profile.requested_role is not null and profile.deleted_at is null
      and ${cursor === undefined ? sql`true` : sql`profile.id > ${cursor}::uuid`}
    order by profile.id
    limit ${pageSize + 1}`.execute(db);
  const page = cutPage(pageSize, found.rows, ({ id }) => id);
  return {
    ...page,
    rows: page.rows.map(({ createdAt, ...request }) => ({
      ...request,
      requestedAt: createdAt.toISOString(),
      can: { approve: approvalRefusal(request) === null },
    })),
  };
}

/** The reason why this person cannot get the role they ask for, or null. */
export function approvalRefusal({ role, isEmailConfirmed }: Pick<Applicant, 'role' | 'isEmailConfirmed'>) {
  // Until they confirm it, nobody knows whether the address is theirs.
  if (!isEmailConfirmed) return 'This person has not confirmed their email address yet.';
  return role === 'admin' ? 'This person is an admin already.' : null;
}

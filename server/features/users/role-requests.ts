import { sql } from 'kysely';
import type { Role } from '#contract/roles.ts';
import type { RequestedRole } from '#contract/users.ts';
import type { Db } from '#server/db/database.ts';
import { notingAdminGrant } from '#server/features/users/admin-grants.ts';
import type { Actor } from '#server/platform/actor.ts';
import { type AuditEntry, audit } from '#server/platform/audit.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { showNotice } from '#server/platform/live.ts';
import { queueMail } from '#server/platform/mailer.ts';
import { changed } from '#server/platform/telling.ts';
import { roleDecisionMail } from '#server/sign-in/sign-in-mails.ts';
import { tellOfNewAdminsQueue } from './new-admin-queue.ts';
import { settleRole } from './role-changes.ts';
import { type Applicant, approvalRefusal } from './role-request-queries.ts';

/** AUTH-17: the role holds from the applicant's next request on, because every request reads it. */
export async function approveRoleRequest(
  db: Db,
  actor: Actor,
  personId: string,
  seenRole: RequestedRole,
  publicUrl: string,
): Promise<void> {
  const applicant = await lockRequest(db, personId, seenRole);
  const refusal = approvalRefusal(applicant);
  if (refusal !== null) throw new AppError('conflict', refusal);
  const granting = notingAdminGrant({ personId, role: seenRole, givenBy: actor.id });
  await endRequest(db, personId, seenRole, granting);
  const outcome = { requestedRole: seenRole, isApproved: true };
  await settleRole(db, actor, personId, { from: applicant.role, to: seenRole }, [entryOf(applicant, outcome)]);
  await tell(db, applicant, outcome, publicUrl);
}

export async function declineRoleRequest(
  db: Db,
  actor: Actor,
  personId: string,
  seenRole: RequestedRole,
  publicUrl: string,
): Promise<void> {
  const applicant = await lockRequest(db, personId, seenRole);
  await endRequest(db, personId, applicant.role);
  const outcome = { requestedRole: seenRole, isApproved: false };
  await audit(db, actor.id, entryOf(applicant, outcome));
  await tell(db, applicant, outcome, publicUrl);
}

/** If two admins decide at once, the second finds the request decided. */
async function lockRequest(db: Db, personId: string, seenRole: RequestedRole): Promise<Applicant> {
  const found = await sql<Applicant & { requestedRole: RequestedRole | null; isDeleted: boolean }>`
    select profile.id, profile.first_name, profile.last_name, profile.email, profile.role, profile.requested_role,
      profile.deleted_at is not null as is_deleted, coalesce(sign_in.email_verified, false) as is_email_confirmed
    from profiles profile
    left join auth."user" sign_in on sign_in.id = profile.id
    where profile.id = ${personId}
    for update of profile`.execute(db);
  const request = found.rows[0];
  if (!request) throw notFound('We cannot find this person.');
  if (request.isDeleted) throw new AppError('conflict', 'This person was deleted.');
  if (request.requestedRole === null) throw new AppError('conflict', 'This request has been decided already.');
  if (request.requestedRole !== seenRole) {
    throw new AppError('stale', 'This person now asks for another role. Please look at the list again.');
  }
  return request;
}

/** Ends it in the sign-in too, from which a lost profile would be made again with its request. */
async function endRequest(db: Db, personId: string, role: Role, granting = sql`select`): Promise<void> {
  await sql`
    with sign_in as (update auth."user" set requested_role = null, updated_at = now() where id = ${personId}),
      granted as (${granting})
    update profiles set role = ${role}, requested_role = null where id = ${personId}`.execute(db);
}

interface Outcome {
  requestedRole: RequestedRole;
  isApproved: boolean;
}

function entryOf(applicant: Applicant, { requestedRole, isApproved }: Outcome): AuditEntry {
  return {
    action: isApproved ? 'role_request.approve' : 'role_request.decline',
    subjectType: 'user',
    subjectId: applicant.id,
    before: { role: applicant.role, requestedRole },
    after: { role: isApproved ? requestedRole : applicant.role },
  };
}

async function tell(db: Db, applicant: Applicant, outcome: Outcome, publicUrl: string): Promise<void> {
  const { requestedRole, isApproved } = outcome;
  const title = isApproved ? `You are ${withArticle(requestedRole)} now` : 'Your role request was declined';
  const message = isApproved
    ? 'An admin approved your request. You can find your new screens in the menu.'
    : `An admin declined your request to become ${withArticle(requestedRole)}. Your account stays as it is.`;
  await db
    .insertInto('notices')
    .values({ userId: applicant.id, kind: 'role_request', title, message, link: '/dashboard' })
    .execute();
  if (isApproved && requestedRole === 'admin') {
    // The job that tells all admins tells the applicant too.
    const personIds = [applicant.id];
    await enqueue(db, tellOfNewAdminsQueue, { personIds, isInvited: true, answer: { title, message } });
  } else await queueMail(db, roleDecisionMail(applicant, title, message, publicUrl));
  await changed(db, ['people', 'notices'], [applicant.id]);
  await showNotice(db, [applicant.id], { type: isApproved ? 'success' : 'info', title, message });
}

function withArticle(role: RequestedRole): string {
  return role === 'admin' ? 'an admin' : 'a coach';
}

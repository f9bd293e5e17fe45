import { isHigherRole, type Role } from '#contract/roles.ts';
import type { Db } from '#server/db/database.ts';
import { cancelSessionsOfPersonQueue } from '#server/features/coaching/person-sessions-queue.ts';
import { deriveEnrolments } from '#server/features/cohorts/enrolment-derivation.ts';
import type { Actor } from '#server/platform/actor.ts';
import { type AuditEntry, audit } from '#server/platform/audit.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { showNotice } from '#server/platform/live.ts';
import { queueMail } from '#server/platform/mailer.ts';
import { changed } from '#server/platform/telling.ts';
import { endSessions } from '#server/sign-in/session-end.ts';
import { roleDecisionMail } from '#server/sign-in/sign-in-mails.ts';

/**
 * Does what a person's new role means for others. The role is null for a deleted person. Participants whom they coached
 * have no coach until an admin assigns one. Places in cohorts are free again, and coming sessions are cancelled. A
 * person with a raised role signs in again, so that a stolen session does not get the new power.
 */
export async function settleRole(
  db: Db,
  actor: Pick<Actor, 'id'>,
  personId: string,
  { from, to: role }: { from: Role; to: Role | null },
  /** The entries of the act itself. One statement logs them with what follows. */
  entries: AuditEntry[] = [],
): Promise<void> {
  if (role !== null && isHigherRole(role, from)) await endSessions(db, personId);
  const { participantIds, coachIds, hasUpcomingSessions } = await deriveEnrolments(db, personId, role);
  const unassigned = participantIds.map(
    (id): AuditEntry => ({
      action: 'coach.unassign',
      subjectType: 'user',
      subjectId: id,
      before: { coachId: personId },
      after: { coachId: null },
      reason: role === null ? "The coach's account was closed" : 'The coach has another role',
    }),
  );
  await audit(db, actor.id, [...entries, ...unassigned]);
  await changed(db, ['people', 'coaches'], [personId, ...participantIds, ...coachIds]);
  if (!hasUpcomingSessions) return;
  const reason = role === null ? 'The account was closed' : 'The role of one of you has changed';
  await enqueue(db, cancelSessionsOfPersonQueue, { personId, actorId: actor.id, reason });
}

/** USER-08: tells a person whose role an admin changed, in the product and by mail. */
export async function tellRoleChange(db: Db, personId: string, role: Role, publicUrl: string): Promise<void> {
  const person = await db
    .selectFrom('profiles')
    .select(['id', 'email', 'firstName'])
    .where('id', '=', personId)
    .where('role', '=', role)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  // If the role changed again or the person was deleted meanwhile, there is nothing to say, or another job says it.
  if (!person) return;
  const title = `You are ${role === 'admin' ? 'an admin' : `a ${role}`} now`;
  const message = 'An admin changed your role. You can find your screens in the menu.';
  await db
    .insertInto('notices')
    .values({ userId: personId, kind: 'role_change', title, message, link: '/dashboard' })
    .execute();
  await queueMail(db, roleDecisionMail(person, title, message, publicUrl));
  await changed(db, ['people', 'notices'], [personId]);
  await showNotice(db, [personId], { type: 'info', title, message });
}

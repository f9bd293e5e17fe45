import { sql } from 'kysely';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import type {
  previewInvitations as previewContract,
  resendUserInvitations as setContract,
} from '#contract/user-management.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { type NamedPerson, partPeople, type Refusal } from '#server/platform/refusals.ts';
import { type InvitingApp, invitePeople } from '#server/sign-in/invitations.ts';
import { invitationRefusal, userGone } from './user-access.ts';

interface Invited extends NamedPerson {
  email: string;
  /** These are null for a person who was never invited. */
  sentAt: Date | null;
  acceptedAt: Date | null;
  importId: string | null;
}

/** Sends a new link for seven days. The earlier one stops working. */
export async function inviteAgain(db: Db, actor: Actor, id: string, app: InvitingApp): Promise<void> {
  const [person] = await lockInvited(db, [id]);
  if (!person) throw userGone();
  const refusal = refusalOf(person);
  if (refusal) throw new AppError(refusal.code, refusal.detail);
  await invite(db, actor, [person], app);
}

/** The same for those of them who wait for an invitation. Sent twice, the second one finds each person invited. */
export async function inviteManyAgain(
  db: Db,
  actor: Actor,
  { userIds, seenAt }: ParsedInputOf<typeof setContract>['body'],
  app: InvitingApp,
): Promise<ReplyOf<typeof setContract>> {
  const seen = new Date(seenAt);
  const { open, refused } = partPeople(
    userIds,
    await lockInvited(db, userIds),
    (person) => refusalOf(person) ?? repeatRefusal(person, seen),
  );
  await invite(db, actor, open, app);
  return { sent: open.length, refused };
}

/** Says what `inviteManyAgain` would do now. */
export async function previewInvitations(db: Db, userIds: string[]): Promise<ReplyOf<typeof previewContract>> {
  const at = now().toISOString();
  const { open, refused } = partPeople(userIds, await findInvited(db, userIds), refusalOf);
  return { ready: open.map(({ id }) => id), refused, at };
}

/** Whoever changes or deletes one of them meanwhile waits. */
async function lockInvited(db: Db, ids: string[]): Promise<Invited[]> {
  await sql`select from profiles where id = any(${ids}::uuid[]) order by id for update`.execute(db);
  return findInvited(db, ids);
}

async function findInvited(db: Db, ids: string[]): Promise<Invited[]> {
  const found = await sql<Invited>`
    select profiles.id, first_name, last_name, email, latest.sent_at, latest.accepted_at, latest.import_id
    from profiles left join lateral (
      select sent_at, accepted_at, import_id from invitations
      where user_id = profiles.id order by sent_at desc, id desc limit 1
    ) latest on true
    where profiles.id = any(${ids}::uuid[]) and deleted_at is null`.execute(db);
  return found.rows;
}

function refusalOf({ sentAt, acceptedAt }: Invited): Refusal | null {
  return invitationRefusal(sentAt ? (acceptedAt ? 'accepted' : 'sent') : undefined);
}

function repeatRefusal({ sentAt }: Invited, seenAt: Date): Refusal | null {
  if (!sentAt || sentAt <= seenAt) return null;
  const inList = 'Invited again since you looked';
  return { code: 'stale', detail: inList, inList };
}

async function invite(db: Db, actor: Actor, people: Invited[], app: InvitingApp): Promise<void> {
  const invited = people.map(({ id, email, firstName, importId }) => ({ userId: id, email, firstName, importId }));
  await invitePeople(db, invited, null, app);
  await audit(
    db,
    actor.id,
    people.map(({ id }) => ({ action: 'user.invite_again', subjectType: 'user', subjectId: id })),
  );
}

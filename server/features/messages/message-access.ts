import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { openingLastsMs } from '#contract/messages.ts';
import type { Role } from '#contract/roles.ts';
import { builtOnceByRole } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { coachesOf, ownParticipants } from '#server/features/coaching/coaching-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { notFound } from '#server/platform/errors.ts';

/**
 * The ids of a person's contacts: a coach's own participants, a participant's own coach, everybody for an admin (MSG-04
 * to MSG-06).
 */
export function contactIds(db: Db, actor: Pick<Actor, 'id' | 'role'>) {
  if (actor.role === 'coach') {
    return ownParticipants(db, actor).where('profiles.role', '=', 'participant').select('profiles.id');
  }
  if (actor.role === 'participant') {
    return coachesOf(db, sql.val(actor.id)).where('coach.role', '=', 'coach').select('coach.id');
  }
  return db
    .selectFrom('profiles')
    .where('profiles.role', 'in', ['participant', 'coach'])
    .where('profiles.deletedAt', 'is', null)
    .select('profiles.id');
}

/**
 * A person may write to their own contacts, and admins to nobody (MSG-35). It serves any query as a condition or a
 * column.
 */
export function mayWriteTo(db: Db, actor: Pick<Actor, 'id' | 'role'>, recipientId: Expression<string>) {
  if (actor.role === 'admin') return sql<boolean>`false`;
  return sql<boolean>`(${recipientId} in ${contactIds(db, actor)})`;
}

/** The messages between two people in either direction. `message` is the name of their table in the query. */
export function isBetween([one, other]: [string, string]): RawBuilder<SqlBool> {
  return sql<SqlBool>`(least(message.sender_id, message.recipient_id) = least(${one}::uuid, ${other}::uuid)
    and greatest(message.sender_id, message.recipient_id) = greatest(${one}::uuid, ${other}::uuid))`;
}

/** An admin's openings of the conversation of two people. It is a condition on a row of conversation_openings. */
export function isOpeningOf([one, other]: [string, string]): RawBuilder<SqlBool> {
  return sql<SqlBool>`(coach_id, participant_id) in ((${one}::uuid, ${other}::uuid), (${other}::uuid, ${one}::uuid))`;
}

export interface Partner {
  id: string;
  name: string;
  role: Role;
  isContact: boolean;
  /** The newest message of the actor's that they have read. */
  readUpToId: string | null;
  /** An admin has opened the conversation. */
  wasOpened: boolean;
}

/**
 * The other person of the actor's own conversation: a contact, or somebody who exchanged messages with them before
 * (MSG-36).
 */
export async function loadPartner(db: Db, actor: Actor, personId: string): Promise<Partner> {
  const [row] = await partnerOf(db, actor.role, { actorId: actor.id, personId });
  if (!row?.isContact && !row?.hasWritten) throw notFound('We cannot find this conversation, or you may not read it.');
  const { hasWritten: _, ...partner } = row;
  return partner;
}

/** Who is a contact is other text for each role, so each has its own statement. */
const partnerOf = builtOnceByRole((db, role, { actorId, personId }: { actorId: string; personId: string }) => {
  const pair = isBetween([actorId, personId]);
  return sql<Partner & { hasWritten: boolean }>`
      select id, full_name as name, role,
        ${mayWriteTo(db, { id: actorId, role }, sql.ref('profiles.id'))} as is_contact,
        exists (select from coach_messages message where ${pair}) as has_written,
        (select message.id from coach_messages message
          where ${pair} and message.sender_id = ${actorId}::uuid and message.is_read
          order by message.sent_at desc, message.id desc limit 1) as read_up_to_id,
        exists (select from conversation_openings where ${isOpeningOf([actorId, personId])}) as was_opened
      from profiles where id = ${personId}`;
});

/** Loads a conversation that this admin has opened recently enough. */
export async function loadOpening(db: Db, admin: Actor, openingId: string) {
  const found = await db
    .selectFrom('conversationOpenings as opening')
    .innerJoin('profiles as coach', 'coach.id', 'opening.coachId')
    .innerJoin('profiles as participant', 'participant.id', 'opening.participantId')
    .select(['opening.coachId', 'opening.participantId', 'opening.openedAt', 'opening.reason'])
    .select('coach.fullName as coachName')
    .select('participant.fullName as participantName')
    .where('opening.id', '=', openingId)
    .where('opening.adminId', '=', admin.id)
    .where('opening.openedAt', '>', new Date(now().getTime() - openingLastsMs))
    .executeTakeFirst();
  if (!found) throw notFound('This conversation is no longer open. Please open it again.');
  return found;
}

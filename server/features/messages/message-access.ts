import type { Db } from '#server/db/database.ts';
import { ownParticipants } from '#server/features/coaching/coaching-access.ts';
import type { Actor } from '#server/platform/actor.ts';

/** Whom a person may write to: a coach the own participants, a participant the own coach; admins nobody (MSG-35). */
export function mayWriteTo(db: Db, actor: Pick<Actor, 'id' | 'role'>, recipientId: string): Promise<boolean> {
  if (actor.role === 'coach') return isOwnParticipant(db, actor.id, recipientId);
  if (actor.role === 'participant') return isOwnParticipant(db, recipientId, actor.id);
  return Promise.resolve(false);
}

async function isOwnParticipant(db: Db, coachId: string, participantId: string): Promise<boolean> {
  const found = await ownParticipants(db, { id: coachId })
    .innerJoin('profiles as coach', 'coach.id', 'userCourses.coachId')
    .select('profiles.id')
    .where('profiles.id', '=', participantId)
    .where('coach.deletedAt', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

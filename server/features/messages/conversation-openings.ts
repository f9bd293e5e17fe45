import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { notFound } from '#server/platform/errors.ts';
import { isBetween } from './message-access.ts';
import { tellOfOpening } from './message-notices.ts';

interface OpeningWish {
  coachId: string;
  participantId: string;
  reason: string | null;
}

/** Records an admin's opening of a conversation. The two people in it see it. */
export async function openConversation(
  db: Db,
  admin: Actor,
  { coachId, participantId, reason }: OpeningWish,
): Promise<{ id: string }> {
  const written = await db
    .selectFrom('coachMessages as message')
    .select('message.id')
    .where(isBetween([coachId, participantId]))
    .where(
      sql<string>`case message.recipient_type when 'coach' then message.recipient_id else message.sender_id end`,
      '=',
      coachId,
    )
    .limit(1)
    .executeTakeFirst();
  if (!written) throw notFound('These two people have not written to each other.');
  const opening = await db
    .insertInto('conversationOpenings')
    .values({ adminId: admin.id, coachId, participantId, reason: reason || null, openedAt: now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(db, admin.id, {
    action: 'conversation.open',
    subjectType: 'user',
    subjectId: participantId,
    after: { coachId },
    reason,
  });
  await tellOfOpening(db, [coachId, participantId]);
  return opening;
}

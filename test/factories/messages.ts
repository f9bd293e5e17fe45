import type { Insertable } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { CoachMessagesTable } from '#server/db/schema.gen.ts';
import { newId } from '#server/platform/ids.ts';
import { assignCoach } from './cohorts.ts';
import { type BuiltPerson, buildCoach, buildParticipant } from './people.ts';

type MessageFacts = Partial<Insertable<CoachMessagesTable>>;

/** A coach and a participant who may write to each other. */
export async function buildPair(db: Db, names: { coach?: object; participant?: object } = {}) {
  const coach = await buildCoach(db, names.coach);
  const participant = await buildParticipant(db, names.participant);
  await assignCoach(db, { participantId: participant.id, coachId: coach.id });
  return { coach, participant };
}

/** An unread message as the act stores it. Nothing checks who may write to whom. */
export function buildMessage(db: Db, sender: BuiltPerson, recipient: BuiltPerson, facts: MessageFacts = {}) {
  return db
    .insertInto('coachMessages')
    .values(messageRow(sender, recipient, facts))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** This many messages from the coach to the participant, a minute apart. The last one is a minute before `until`. */
export async function buildMessages(
  db: Db,
  { coach, participant }: { coach: BuiltPerson; participant: BuiltPerson },
  { count, until = new Date(), ...facts }: MessageFacts & { count: number; until?: Date },
) {
  const rows = Array.from({ length: count }, (_, index) => {
    const sentAt = new Date(until.getTime() - (count - index) * 60_000);
    return messageRow(coach, participant, { message: `Message ${index + 1}`, sentAt, ...facts });
  });
  return db.insertInto('coachMessages').values(rows).returningAll().execute();
}

function messageRow(sender: BuiltPerson, recipient: BuiltPerson, facts: MessageFacts) {
  return {
    id: newId(),
    senderId: sender.id,
    recipientId: recipient.id,
    recipientType: recipient.role === 'coach' ? 'coach' : 'fellow',
    message: 'How was the substation?',
    readAt: facts.isRead ? new Date() : null,
    ...facts,
  };
}

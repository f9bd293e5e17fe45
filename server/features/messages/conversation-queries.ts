import { sql } from 'kysely';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import type { listConversations, readConversation, readOpenedConversation } from '#contract/messages.ts';
import type { Role } from '#contract/roles.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { notFound } from '#server/platform/errors.ts';
import { byId, byInstant, descending, exactly, pagesBy } from '#server/platform/pages.ts';
import { loadOpening, loadPartner } from './message-access.ts';
import { findOpenings, findPart, type Thread, type Wish } from './thread-queries.ts';

type PartWish = ParsedInputOf<typeof readConversation>['query'];

const pages = pagesBy(50, [descending(byInstant(sql`latest_at`)), byId(sql`coach_id`), byId(sql`participant_id`)]);

/**
 * Finds the actor's own conversation with somebody. It opens at the first unread message. MSG-12 says what it holds.
 */
export async function findConversation(
  db: Db,
  actor: Actor,
  personId: string,
  wish: PartWish,
): Promise<ReplyOf<typeof readConversation>> {
  const thread: Thread = { pair: [actor.id, personId], readerId: actor.id };
  // Both are asked for at once. Two people who may not read each other have written nothing that the part could hold.
  const reading = findPart(db, thread, neighbourOf(wish));
  // Whoever may not read the conversation is told that, whatever else is wrong.
  reading.catch(() => undefined);
  const { id, name, role, isContact, readUpToId, wasOpened } = await loadPartner(db, actor, personId);
  const part = await reading;
  const openings = wasOpened ? await findOpenings(db, thread, part) : [];
  return { ...part, openings, readUpToId, person: { id, name, role }, can: { send: isContact } };
}

export async function findOpenedConversation(
  db: Db,
  admin: Actor,
  openingId: string,
  wish: PartWish,
): Promise<ReplyOf<typeof readOpenedConversation>> {
  const opening = await loadOpening(db, admin, openingId);
  const { coachId, participantId, openedAt, reason } = opening;
  const thread: Thread = { pair: [coachId, participantId], readerId: null };
  const part = await findPart(db, thread, neighbourOf(wish));
  return {
    ...part,
    openings: await findOpenings(db, thread, part),
    readUpToId: null,
    coach: { id: coachId, name: opening.coachName },
    participant: { id: participantId, name: opening.participantName },
    openedAt: openedAt.toISOString(),
    reason,
  };
}

function neighbourOf({ before, after }: PartWish): Wish {
  if (before) return { before };
  return after ? { after } : null;
}

interface ConversationRow {
  coachId: string;
  coachName: string;
  participantId: string;
  participantName: string;
  messageCount: number;
  latestAt: Date;
  latestExactly: string;
}

/** MSG-09: together the conversations hold all messages to or from the person. */
export async function findConversations(
  db: Db,
  personId: string,
  cursor: string | undefined,
): Promise<ReplyOf<typeof listConversations>> {
  const person = await findPerson(db, personId);
  const found = await sql<ConversationRow>`
    with conversations as (
      select case recipient_type when 'coach' then recipient_id else sender_id end as coach_id,
        case recipient_type when 'coach' then sender_id else recipient_id end as participant_id,
        count(*)::int as message_count, max(sent_at) as latest_at
      from coach_messages where sender_id = ${personId} or recipient_id = ${personId}
      group by 1, 2
    )
    select coach_id, coach.full_name as coach_name,
      participant_id, participant.full_name as participant_name,
      message_count, latest_at, ${exactly(sql`latest_at`)} as latest_exactly
    from conversations
    join profiles coach on coach.id = coach_id
    join profiles participant on participant.id = participant_id
    where ${pages.comesAfter(cursor)}
    order by ${pages.inOrder}
    limit ${pages.most}`.execute(db);
  const { rows, nextCursor } = pages.cut(found.rows, ({ latestExactly, coachId, participantId }) => [
    latestExactly,
    coachId,
    participantId,
  ]);
  return {
    person,
    rows: rows.map((row) => ({
      coach: { id: row.coachId, name: row.coachName },
      participant: { id: row.participantId, name: row.participantName },
      messageCount: row.messageCount,
      latestAt: row.latestAt.toISOString(),
    })),
    nextCursor,
  };
}

async function findPerson(db: Db, personId: string): Promise<{ id: string; name: string; role: Role }> {
  const found = await db
    .selectFrom('profiles')
    .select(['id', 'role', 'fullName as name'])
    .where('id', '=', personId)
    .executeTakeFirst();
  if (!found) throw notFound('This person was not found.');
  return { ...found, role: found.role as Role };
}

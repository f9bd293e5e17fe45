import { sql } from 'kysely';
import { hasWords, type Message, messageRequired, openingLastsMs, readOnlyAccess } from '#contract/messages.ts';
import { builtOnce, builtOnceByRole } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { claimUpload } from '#server/features/files/file-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now, presentInstant } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { markSubjectsSeen } from '#server/platform/notices.ts';
import { isBetween, mayWriteTo } from './message-access.ts';
import {
  burstOf,
  messageKind,
  type Sender,
  type Told,
  tellOfMessage,
  tellOfReading,
  toldColumns,
} from './message-notices.ts';
import { messageRows, toMessage } from './thread-queries.ts';

interface NewMessage {
  recipientId: string;
  text: string | null;
  /** The sender's own, finished upload of the area 'messages'. */
  fileId?: string | null;
  /** The sender's own key of this message. The same key again means the same message. */
  clientKey?: string | null;
  subject?: string | null;
  messageType?: 'general' | 'feedback' | 'session_request' | 'performance_note';
}

/**
 * Sends text, an attachment or both, from a coach to their own participant or back (MSG-08, MSG-17, MSG-25, MSG-26,
 * MSG-35).
 */
export async function sendMessage(db: Db, actor: Sender, given: NewMessage): Promise<Message> {
  if (actor.role === 'admin') throw new AppError('forbidden', readOnlyAccess.message);
  const text = given.text && hasWords(given.text) ? given.text : '';
  if (!text && !given.fileId) throw new AppError('invalid_input', messageRequired.message);
  await takeTurn(db, actor, given.recipientId);
  const { earlierId, mayWrite, recipientName, watcherIds, hasTold, lastToldAt } = await findState(db, actor, given);
  if (earlierId) return findOwnMessage(db, actor, earlierId);
  if (!mayWrite || recipientName === null) {
    const allowed = actor.role === 'coach' ? 'your own participants' : 'your own coach';
    throw new AppError('forbidden', `You can only write to ${allowed}.`);
  }
  const file = given.fileId ? await claimUpload(db, actor, given.fileId, 'messages') : null;
  const message = {
    id: newId(),
    clientKey: given.clientKey ?? null,
    senderId: actor.id,
    recipientId: given.recipientId,
  };
  const senderName = `${actor.firstName} ${actor.lastName}`;
  const [stored] = await storeMessage(db, {
    ...message,
    recipientType: actor.role === 'coach' ? 'fellow' : 'coach',
    subject: given.subject ?? `Message from your ${actor.role}`,
    message: text,
    messageType: given.messageType ?? 'general',
    filePath: file?.path ?? null,
  });
  if (!stored) throw new Error('A message was stored without an instant.');
  await tellOfMessage(db, actor, {
    id: message.id,
    recipientId: given.recipientId,
    text,
    watcherIds,
    told: { hasTold, lastToldAt },
  });
  return {
    ...message,
    senderName,
    recipientName,
    text,
    file: file && { id: file.id, name: file.displayName, size: file.size },
    sentAt: stored.sentAt.toISOString(),
    isRead: false,
    readAt: null,
  };
}

/**
 * Marks as read what the other person sent to the actor, and nothing else (MSG-13 to MSG-15). If a message is named, it
 * marks only up to that one, the last one that the actor saw.
 */
export async function markConversationRead(
  db: Db,
  actor: Pick<Actor, 'id'>,
  otherId: string,
  upToId: string | null = null,
): Promise<number> {
  if (upToId) await requireMessage(db, [actor.id, otherId], upToId);
  const read = await db
    .updateTable('coachMessages')
    .set({ isRead: true, readAt: now() })
    .where('recipientId', '=', actor.id)
    .where('senderId', '=', otherId)
    .where('isRead', '=', sql.lit(false))
    .$if(upToId !== null, (update) =>
      update.where(
        sql<boolean>`(sent_at, id) <= (select seen.sent_at, seen.id from coach_messages seen where seen.id = ${upToId})`,
      ),
    )
    .returning('id')
    .execute();
  if (read.length === 0) return 0;
  await markSubjectsSeen(db, actor.id, messageKind, await findSeenSubjects(db, actor, otherId));
  await tellOfReading(db, actor, otherId);
  return read.length;
}

/**
 * Finds read messages whose notice is unread. They may have been read before the notice came, if a later message needed
 * it.
 */
async function findSeenSubjects(db: Db, actor: Pick<Actor, 'id'>, otherId: string): Promise<string[]> {
  const subjects = await db
    .selectFrom('notices')
    .innerJoin('noticeEvents', 'noticeEvents.id', 'notices.eventId')
    .innerJoin('coachMessages', 'coachMessages.id', 'noticeEvents.subjectId')
    .select('coachMessages.id')
    .where('notices.userId', '=', actor.id)
    .where('notices.readAt', 'is', null)
    .where('noticeEvents.kind', '=', messageKind)
    .where('coachMessages.senderId', '=', otherId)
    .where('coachMessages.isRead', '=', true)
    .execute();
  return subjects.map(({ id }) => id);
}

/**
 * The messages of a conversation are stored one after another, even if another process sends one. So a person who has
 * read up to a message has missed none before it.
 */
async function takeTurn(db: Db, { id }: Sender, otherId: string): Promise<void> {
  const pair = [id, otherId].sort().join(' ');
  await sql`select pg_advisory_xact_lock(hashtextextended(${`conversation ${pair}`}, 0))`.execute(db);
}

interface StoredMessage {
  id: string;
  clientKey: string | null;
  senderId: string;
  recipientId: string;
  recipientType: 'fellow' | 'coach';
  subject: string;
  message: string;
  messageType: NonNullable<NewMessage['messageType']>;
  filePath: string | null;
}

const storeMessage = builtOnce((db, message: StoredMessage) =>
  db
    .insertInto('coachMessages')
    .values({ ...message, sentAt: nextInstant(message) })
    .returning('sentAt'),
);

/** The instant is later than all messages of the conversation, whatever the clocks of the processes say. */
function nextInstant({ senderId, recipientId }: Pick<StoredMessage, 'senderId' | 'recipientId'>) {
  return sql<Date>`greatest(${presentInstant}::timestamptz, (
    select message.sent_at + interval '1 millisecond' from coach_messages message
    where ${isBetween([senderId, recipientId])}
    order by message.sent_at desc, message.id desc limit 1))`;
}

interface State extends Told {
  /** The message that was sent with this key before. */
  earlierId: string | null;
  mayWrite: boolean;
  recipientName: string | null;
  watcherIds: string[];
}

async function findState(db: Db, { id, role }: Sender, { recipientId, clientKey }: NewMessage): Promise<State> {
  const openSince = new Date(now().getTime() - openingLastsMs);
  const { link, burstBegan } = burstOf(id, recipientId);
  const asked = { actorId: id, recipientId, clientKey: clientKey ?? null, openSince, link, burstBegan };
  const [state] = await stateOf(db, role, asked);
  if (!state) throw new Error('A select without a condition answered no row.');
  if (state.earlierRecipientId && state.earlierRecipientId !== recipientId) {
    throw new AppError('conflict', 'A message to somebody else was sent with this key.');
  }
  return state;
}

interface Asked {
  actorId: string;
  recipientId: string;
  clientKey: string | null;
  /** Admins who opened the conversation since then read along. */
  openSince: Date;
  link: string;
  burstBegan: Date;
}
const stateOf = builtOnceByRole(
  (db, role, { actorId, recipientId, clientKey, openSince, link, burstBegan }: Asked) => sql<
    State & { earlierRecipientId: string | null }
  >`
    select earlier.id as earlier_id, earlier.recipient_id as earlier_recipient_id,
      ${mayWriteTo(db, { id: actorId, role }, sql`${recipientId}::uuid`)} as may_write,
      (select full_name from profiles where id = ${recipientId}) as recipient_name,
      array(select distinct admin_id from conversation_openings
        where (coach_id, participant_id) in ((${actorId}::uuid, ${recipientId}::uuid), (${recipientId}::uuid, ${actorId}::uuid))
          and opened_at > ${openSince}) as watcher_ids,
      ${toldColumns({ senderId: actorId, recipientId, link, burstBegan })}
    from (select) as once
    left join coach_messages earlier
      on earlier.sender_id = ${actorId} and earlier.client_key = ${clientKey}::uuid`,
);

async function findOwnMessage(db: Db, { id }: Sender, messageId: string): Promise<Message> {
  return toMessage(await messageRows(db, id).where('message.id', '=', messageId).executeTakeFirstOrThrow());
}

async function requireMessage(db: Db, pair: [string, string], messageId: string): Promise<void> {
  const found = await db
    .selectFrom('coachMessages as message')
    .select('message.id')
    .where('message.id', '=', messageId)
    .where(isBetween(pair))
    .executeTakeFirst();
  if (!found) throw notFound('We cannot find this message, or you may not read it.');
}

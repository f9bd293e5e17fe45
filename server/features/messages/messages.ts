import { sql } from 'kysely';
import { hasWords, type Message, messageRequired, openingLastsMs, readOnlyAccess } from '#contract/messages.ts';
import type { Role } from '#contract/roles.ts';
import { builtOnceByRole } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { claimUpload } from '#server/features/files/file-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now, presentInstant } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { markSubjectsSeen } from '#server/platform/notices.ts';
import { isBetween, isOpeningOf, mayWriteTo } from './message-access.ts';
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
  const file = given.fileId ? await claimUpload(db, actor, given.fileId, 'messages') : null;
  const message = {
    id: newId(),
    clientKey: given.clientKey ?? null,
    senderId: actor.id,
    recipientId: given.recipientId,
  };
  const { earlierId, sentAt, recipientName, watcherIds, hasTold, lastToldAt } = await storeMessage(db, actor.role, {
    ...message,
    recipientType: actor.role === 'coach' ? 'fellow' : 'coach',
    subject: given.subject ?? `Message from your ${actor.role}`,
    message: text,
    messageType: given.messageType ?? 'general',
    filePath: file?.path ?? null,
  });
  if (earlierId) return findOwnMessage(db, actor, earlierId);
  if (sentAt === null || recipientName === null) {
    const allowed = actor.role === 'coach' ? 'your own participants' : 'your own coach';
    throw new AppError('forbidden', `You can only write to ${allowed}.`);
  }
  await tellOfMessage(db, actor, {
    id: message.id,
    recipientId: given.recipientId,
    text,
    watcherIds,
    told: { hasTold, lastToldAt },
  });
  return {
    ...message,
    senderName: `${actor.firstName} ${actor.lastName}`,
    recipientName,
    text,
    file: file && { id: file.id, name: file.displayName, size: file.size },
    sentAt: sentAt.toISOString(),
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

interface NewRow {
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

interface Outcome extends Told {
  /** The message that was sent with this key before. */
  earlierId: string | null;
  earlierRecipientId: string | null;
  recipientName: string | null;
  watcherIds: string[];
  /** Null if nothing was stored: the message was sent before, or the person may not write to the other. */
  sentAt: Date | null;
}

/** Stores the message unless it was sent before or may not be sent, and finds whom to tell of it. */
async function storeMessage(db: Db, role: Role, row: NewRow): Promise<Outcome> {
  const openSince = new Date(now().getTime() - openingLastsMs);
  const { link, burstBegan } = burstOf(row.senderId, row.recipientId);
  const [outcome] = await storedMessage(db, role, { ...row, openSince, link, burstBegan });
  if (!outcome) throw new Error('A select without a condition answered no row.');
  if (outcome.earlierRecipientId && outcome.earlierRecipientId !== row.recipientId) {
    throw new AppError('conflict', 'A message to somebody else was sent with this key.');
  }
  return outcome;
}

interface Asked extends NewRow {
  /** Admins who opened the conversation since then read along. */
  openSince: Date;
  link: string;
  burstBegan: Date;
}

const storedMessage = builtOnceByRole((db, role, { openSince, link, burstBegan, ...row }: Asked) => {
  const { senderId, recipientId } = row;
  return sql<Outcome>`
    with state as materialized (
      select earlier.id as earlier_id, earlier.recipient_id as earlier_recipient_id,
        ${mayWriteTo(db, { id: senderId, role }, sql`${recipientId}::uuid`)} as may_write,
        (select full_name from profiles where id = ${recipientId}) as recipient_name,
        array(select distinct admin_id from conversation_openings
          where ${isOpeningOf([senderId, recipientId])} and opened_at > ${openSince}) as watcher_ids,
        ${toldColumns({ senderId, recipientId, link, burstBegan })}
      from (select) as once
      left join coach_messages earlier
        on earlier.sender_id = ${senderId} and earlier.client_key = ${row.clientKey}::uuid
    ), stored as (
      insert into coach_messages (id, client_key, sender_id, recipient_id, recipient_type, subject, message, message_type,
        file_path, sent_at)
      select ${row.id}::uuid, ${row.clientKey}::uuid, ${senderId}::uuid, ${recipientId}::uuid, ${row.recipientType},
        ${row.subject}, ${row.message}, ${row.messageType}, ${row.filePath}, ${nextInstant(row)}
      from state where earlier_id is null and may_write and recipient_name is not null
      returning sent_at)
    select state.*, stored.sent_at from state left join stored on true`;
});

/** The instant is later than all messages of the conversation, whatever the clocks of the processes say. */
function nextInstant({ senderId, recipientId }: Pick<NewRow, 'senderId' | 'recipientId'>) {
  return sql<Date>`greatest(${presentInstant}::timestamptz, (
    select message.sent_at + interval '1 millisecond' from coach_messages message
    where ${isBetween([senderId, recipientId])}
    order by message.sent_at desc, message.id desc limit 1))`;
}

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

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Message } from '#contract/messages.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { AppError } from '#server/platform/errors.ts';
import { isBetween } from './message-access.ts';

export interface Thread {
  pair: [string, string];
  /** The owner of the read marks and keys. Null for an admin, who has none. */
  readerId: string | null;
}

/** The part before or after a message, the one that begins shortly before a message, or the newest. */
export type Wish = { before: string } | { after: string } | { around: string } | null;

const pageSize = 50;
/** This many messages stand above the one that a part opens at. */
const above = 10;
const below = pageSize - above;
const mostOpenings = 100;

/** Finds a part of a conversation in the order of sending (MSG-12), with the marks that belong to it. */
export async function findThreadPart(db: Db, thread: Thread, wish: Wish) {
  const anchor = await findAnchor(db, thread, wish);
  const part = await findPart(db, thread, wish);
  const [first, last] = [part.messages[0], part.messages.at(-1)];
  const marks = await findMarks(db, thread, {
    from: wish && 'after' in wish ? anchor : part.hasOlder && first ? new Date(first.sentAt) : null,
    to: wish && 'before' in wish ? anchor : part.hasNewer && last ? new Date(last.sentAt) : null,
  });
  return { ...part, ...marks };
}

/** Finds when the message was sent that a neighboring part is asked for by. */
async function findAnchor(db: Db, { pair }: Thread, wish: Wish): Promise<Date | null> {
  if (!wish || 'around' in wish) return null;
  const found = await db
    .selectFrom('coachMessages as message')
    .select('message.sentAt')
    .where('message.id', '=', 'before' in wish ? wish.before : wish.after)
    .where(isBetween(pair))
    .executeTakeFirst();
  if (!found) throw new AppError('invalid_input', 'This message is not in the conversation. Please open it again.');
  return found.sentAt;
}

async function findPart(db: Db, thread: Thread, wish: Wish) {
  const reading = { one: thread.pair[0], other: thread.pair[1], readerId: thread.readerId };
  if (wish === null) return older(await newestRows(db, reading), false);
  if ('before' in wish) return older(await olderRows(db, { ...reading, messageId: wish.before }), true);
  if ('after' in wish) return newer(await newerRows(db, { ...reading, messageId: wish.after }), true);
  return around(await rowsAround(db, { ...reading, messageId: wish.around }), wish.around);
}

interface Reading {
  one: string;
  other: string;
  readerId: string | null;
}

interface ReadingAt extends Reading {
  messageId: string;
}

const newestRows = builtOnce((db, reading: Reading) => rowsInOrder(db, reading, 'desc'));
const olderRows = builtOnce((db, reading: ReadingAt) =>
  rowsInOrder(db, reading, 'desc').where(isAt(sql`<`, reading.messageId)),
);
const newerRows = builtOnce((db, reading: ReadingAt) =>
  rowsInOrder(db, reading, 'asc').where(isAt(sql`>`, reading.messageId)),
);

/** One row more than a part shows whether there are more. */
function rowsInOrder(db: Db, { one, other, readerId }: Reading, direction: 'asc' | 'desc') {
  return messageRows(db, readerId)
    .where(isBetween([one, other]))
    .orderBy('message.sentAt', direction)
    .orderBy('message.id', direction)
    .limit(pageSize + 1);
}

/** Both sides of a message in one statement. */
const rowsAround = builtOnce((db, { one, other, readerId, messageId }: ReadingAt) => {
  const idsOn = (side: RawBuilder<unknown>, order: RawBuilder<unknown>, count: number) => sql`(
    select message.id from coach_messages message where ${isBetween([one, other])} and ${isAt(side, messageId)}
    order by message.sent_at ${order}, message.id ${order} limit ${count + 1})`;
  return messageRows(db, readerId)
    .where(
      sql<SqlBool>`message.id in (
        ${idsOn(sql`<`, sql`desc`, above)} union all ${idsOn(sql`>=`, sql`asc`, below)})`,
    )
    .orderBy('message.sentAt')
    .orderBy('message.id');
});

function around(rows: Row[], messageId: string) {
  const place = rows.findIndex(({ id }) => id === messageId);
  const messages = rows.slice(Math.max(0, place - above), place + below).map(toMessage);
  return { messages, hasOlder: place > above, hasNewer: rows.length - place > below };
}

function older(rows: Row[], hasNewer: boolean) {
  const messages = rows.slice(0, pageSize).map(toMessage).toReversed();
  return { messages, hasOlder: rows.length > pageSize, hasNewer };
}

function newer(rows: Row[], hasOlder: boolean) {
  return { messages: rows.slice(0, pageSize).map(toMessage), hasOlder, hasNewer: rows.length > pageSize };
}

function isAt(sign: RawBuilder<unknown>, messageId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(message.sent_at, message.id) ${sign}
    (select anchor.sent_at, anchor.id from coach_messages anchor where anchor.id = ${messageId})`;
}

/** Messages as the contract shows them. Only the sender sees the key. */
export function messageRows(db: Db, readerId: string | null) {
  return db
    .selectFrom('coachMessages as message')
    .innerJoin('profiles as sender', 'sender.id', 'message.senderId')
    .innerJoin('profiles as recipient', 'recipient.id', 'message.recipientId')
    .leftJoin('storedFiles as file', 'file.path', 'message.filePath')
    .select([
      'message.id',
      'message.senderId',
      'message.recipientId',
      'message.message as text',
      'message.sentAt',
      'message.isRead',
      'message.readAt',
      sql<string | null>`case when message.sender_id = ${readerId}::uuid then message.client_key end`.as('clientKey'),
      'sender.fullName as senderName',
      'recipient.fullName as recipientName',
      sql<Message['file']>`case when file.id is not null
        then jsonb_build_object('id', file.id, 'name', file.display_name, 'size', file.size) end`.as('file'),
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof messageRows>['execute']>>[number];

export function toMessage({ sentAt, readAt, ...message }: Row): Message {
  return { ...message, sentAt: sentAt.toISOString(), readAt: readAt?.toISOString() ?? null };
}

/** Finds openings by admins from one instant to another, and how far the other person has read what the reader sent. */
async function findMarks(db: Db, { pair, readerId }: Thread, time: Pick<Marks, 'from' | 'to'>) {
  const [one, other] = pair;
  const [row] = await marksOf(db, { one, other, readerId, ...time });
  return {
    openings: (row?.openings ?? []).map(({ id, openedAt }) => ({ id, openedAt: new Date(openedAt).toISOString() })),
    readUpToId: row?.readUpToId ?? null,
  };
}

interface Marks extends Reading {
  from: Date | null;
  to: Date | null;
}
const marksOf = builtOnce(
  (_, { one, other, readerId, from, to }: Marks) => sql<{
    openings: { id: string; openedAt: string }[];
    readUpToId: string | null;
  }>`
    select
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'openedAt', opened_at) order by opened_at, id), '[]')
        from (
          select id, opened_at from conversation_openings
          where (coach_id, participant_id) in ((${one}::uuid, ${other}::uuid), (${other}::uuid, ${one}::uuid))
            and opened_at >= coalesce(${from}::timestamptz, '-infinity')
            and opened_at <= coalesce(${to}::timestamptz, 'infinity')
          order by opened_at desc limit ${sql.lit(mostOpenings)}
        ) as newest) as openings,
      (select message.id from coach_messages message
        where ${isBetween([one, other])} and message.sender_id = ${readerId}::uuid and message.is_read
        order by message.sent_at desc, message.id desc limit 1) as read_up_to_id`,
);

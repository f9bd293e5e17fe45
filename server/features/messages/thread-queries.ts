import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Message } from '#contract/messages.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import type { DB } from '#server/db/schema.gen.ts';
import { AppError } from '#server/platform/errors.ts';
import { isBetween, isOpeningOf } from './message-access.ts';

export interface Thread {
  pair: [string, string];
  /** The owner of the read marks and keys. Null for an admin, who has none. */
  readerId: string | null;
}

/** The part before or after a message, or the one that a conversation opens with. */
export type Wish = { before: string } | { after: string } | null;

/** From one instant to another. It has no end on a side where there are no more messages. */
interface Time {
  from: Date | null;
  to: Date | null;
}

interface Part {
  messages: Message[];
  hasOlder: boolean;
  hasNewer: boolean;
  /** The first message that the reader has not read, in this part or another. */
  firstUnreadId: string | null;
  time: Time;
}

const pageSize = 50;
/** This many messages stand above the first unread one. */
const above = 10;
const below = pageSize - above;
const mostOpenings = 100;

/** Finds a part of a conversation in the order of sending (MSG-12). */
export async function findPart(db: Db, { pair: [one, other], readerId }: Thread, wish: Wish): Promise<Part> {
  const reading = { one, other, readerId };
  if (wish === null) return opening(await rowsAtOpening(db, reading), readerId);
  const messageId = 'before' in wish ? wish.before : wish.after;
  const [rows, [anchor], [unread]] = await Promise.all([
    ('before' in wish ? olderRows : newerRows)(db, { ...reading, messageId }),
    anchorOf(db, { one, other, messageId }),
    unreadOf(db, { other, readerId }),
  ]);
  if (!anchor) throw new AppError('invalid_input', 'This message is not in the conversation. Please open it again.');
  const part =
    'before' in wish
      ? cut(rows, rows.length - pageSize, rows.length, { after: null, before: anchor.sentAt })
      : cut(rows, 0, pageSize, { after: anchor.sentAt, before: null });
  return { ...part, firstUnreadId: unread?.id ?? null };
}

/** A part begins shortly before the first unread message, or it holds the newest. */
function opening(rows: Row[], readerId: string | null): Part {
  const place = rows.findIndex((row) => !row.isRead && row.recipientId === readerId);
  const unread = rows[place];
  const [begin, end] = unread ? [place - above, place + below] : [rows.length - pageSize, rows.length];
  return { ...cut(rows, begin, end, { after: null, before: null }), firstUnreadId: unread?.id ?? null };
}

/** `askedBy` is when the message was sent that the part is asked for by. It is not in the part. */
function cut(rows: Row[], begin: number, end: number, askedBy: { after: Date | null; before: Date | null }) {
  const shown = rows.slice(Math.max(0, begin), end);
  const hasOlder = askedBy.after !== null || begin > 0;
  const hasNewer = askedBy.before !== null || end < rows.length;
  const from = askedBy.after ?? (hasOlder ? (shown[0]?.sentAt ?? null) : null);
  const to = askedBy.before ?? (hasNewer ? (shown.at(-1)?.sentAt ?? null) : null);
  return { messages: shown.map(toMessage), hasOlder, hasNewer, time: { from, to } };
}

interface Pair {
  one: string;
  other: string;
}
interface Reading extends Pair {
  readerId: string | null;
}
interface Beside {
  messageId: string;
}

const anchorOf = builtOnce((db, { one, other, messageId }: Pair & Beside) =>
  db
    .selectFrom('coachMessages as message')
    .select('message.sentAt')
    .where('message.id', '=', messageId)
    .where(isBetween([one, other])),
);

const olderRows = builtOnce((db, reading: Reading & Beside) =>
  rowsInOrder(db, reading, side(reading, { sign: '<', place: placeOf(reading), most: sql.lit(pageSize + 1) })),
);
const newerRows = builtOnce((db, reading: Reading & Beside) =>
  rowsInOrder(db, reading, side(reading, { sign: '>', place: placeOf(reading), most: sql.lit(pageSize + 1) })),
);

const unreadOf = builtOnce((_, { other, readerId }: Omit<Reading, 'one'>) => firstUnread(readerId, other));

/** Both sides of the first message that the reader has not read. If there is none, the newest messages. */
const rowsAtOpening = builtOnce((db, reading: Reading) => {
  const end = sql`(select coalesce(unread.sent_at, 'infinity'), unread.id
      from (select) as always left join unread on true)`;
  const most = sql<number>`(select case when count(*) = 0 then ${sql.lit(pageSize + 1)}
      else ${sql.lit(above + 1)} end from unread)`;
  const start = sql`(select sent_at, id from unread)`;
  return rowsInOrder(
    db,
    reading,
    sql`
    with unread as materialized (${firstUnread(reading.readerId, reading.other)})
    ${side(reading, { sign: '<', place: end, most })}
    union all ${side(reading, { sign: '>=', place: start, most: sql.lit(below + 1) })}`,
  );
});

/** The first message of somebody that the reader has not read. */
function firstUnread(readerId: string | null, senderId: string) {
  return sql<{ id: string }>`
    select id, sent_at from coach_messages
    where recipient_id = ${readerId}::uuid and sender_id = ${senderId}::uuid and not is_read
    order by sent_at, id limit 1`;
}

function placeOf({ messageId }: Beside): RawBuilder<unknown> {
  return sql`(select anchor.sent_at, anchor.id from coach_messages anchor where anchor.id = ${messageId})`;
}

/** The messages of a pair on one side of a place, the nearest first. */
function side({ one, other }: Pair, { sign, place, most }: Side): RawBuilder<unknown> {
  const order = sign === '<' ? sql`desc` : sql`asc`;
  return sql`(
    select message.* from coach_messages message
    where ${isBetween([one, other])} and (message.sent_at, message.id) ${sql.raw(sign)} ${place}
    order by message.sent_at ${order}, message.id ${order} limit ${most})`;
}

interface Side {
  sign: '<' | '>' | '>=';
  place: RawBuilder<unknown>;
  most: RawBuilder<number>;
}

function rowsInOrder(db: Db, { readerId }: Reading, messages: RawBuilder<unknown>) {
  return messageRows(db, readerId, sql`(${messages})`).orderBy('message.sentAt').orderBy('message.id');
}

/** Messages as the contract shows them, from those of everybody unless said otherwise. Only the sender sees the key. */
export function messageRows(db: Db, readerId: string | null, messages = sql`coach_messages`) {
  return db
    .selectFrom((messages as RawBuilder<Selectable<DB['coachMessages']>>).as('message'))
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

/** Finds the openings by admins in the time of a part, the newest ones of very many. */
export async function findOpenings(db: Db, { pair: [one, other] }: Thread, { time }: Part) {
  const rows = await openingsOf(db, { one, other, ...time });
  return rows.map(({ id, openedAt }) => ({ id, openedAt: openedAt.toISOString() })).toReversed();
}

const openingsOf = builtOnce(
  (_, { one, other, from, to }: Pair & Time) =>
    sql<{ id: string; openedAt: Date }>`
    select id, opened_at from conversation_openings
    where ${isOpeningOf([one, other])}
      and opened_at >= coalesce(${from}::timestamptz, '-infinity')
      and opened_at <= coalesce(${to}::timestamptz, 'infinity')
    order by opened_at desc, id desc limit ${sql.lit(mostOpenings)}`,
);

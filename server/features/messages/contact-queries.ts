import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import type { Contact, listContacts } from '#contract/messages.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/errors.ts';
import { contactIds } from './message-access.ts';

type Wish = ParsedInputOf<typeof listContacts>['query'];

interface Row extends Omit<Contact, 'latest'> {
  latestAt: Date | null;
  /** To the microsecond, as the database orders by it; '-infinity' without a message. */
  latestExactly: string;
  preview: NonNullable<Contact['latest']>['preview'];
}

const pageSize = 50;
const previewLength = 140;

/** One statement: the contacts in the order of their latest message (MSG-11), narrowed by name or e-mail (MSG-03). */
export async function findContacts(
  db: Db,
  actor: Actor,
  { search, cursor }: Wish,
): Promise<ReplyOf<typeof listContacts>> {
  const found = await sql<Row>`
    with contacts as (
      select profiles.id, first_name || ' ' || last_name as name, email, role,
        latest.sent_at as latest_at, coalesce(latest.sent_at, '-infinity') as place, latest.preview
      from profiles
      left join ${actor.role === 'admin' ? latestOfAll() : latestWith(actor)}
      where profiles.id in ${contactIds(db, actor)} and ${matches(search)}
    )
    select id, name, email, role, latest_at, preview, ${exactly(sql`place`)} as latest_exactly,
      (select count(*)::int from coach_messages message
        where message.recipient_id = ${actor.id} and message.sender_id = contacts.id and not message.is_read
          and ${actor.role !== 'admin'}) as unread_count
    from contacts
    where ${cursor ? comesAfter(cursor) : sql`true`}
    order by place desc, name, id
    limit ${pageSize + 1}`.execute(db);
  const page = found.rows.slice(0, pageSize);
  const last = page.at(-1);
  return {
    rows: page.map(toContact),
    nextCursor: found.rows.length > pageSize && last ? writeCursor(last) : null,
  };
}

/** Who has messages with an admin to read has them with others: only when the last one was sent is told. */
function latestOfAll() {
  return sql`(
    with exchanged as materialized (
      select sender_id, recipient_id, max(sent_at) as sent_at from coach_messages group by sender_id, recipient_id
    )
    select person_id, max(sent_at) as sent_at, null::jsonb as preview
    from (
      select sender_id as person_id, sent_at from exchanged
      union all select recipient_id, sent_at from exchanged
    ) as sent_or_received group by person_id
  ) latest on latest.person_id = profiles.id`;
}

function latestWith(actor: Actor) {
  return sql`lateral (
    select message.sent_at, jsonb_build_object('isOwn', message.sender_id = ${actor.id},
      'text', left(message.message, ${previewLength}), 'hasFile', message.file_path is not null) as preview
    from coach_messages message
    where least(message.sender_id, message.recipient_id) = least(profiles.id, ${actor.id}::uuid)
      and greatest(message.sender_id, message.recipient_id) = greatest(profiles.id, ${actor.id}::uuid)
    order by message.sent_at desc, message.id desc limit 1
  ) latest on true`;
}

function matches(search: string | undefined): RawBuilder<SqlBool> {
  const wanted = (search ?? '').trim();
  if (!wanted) return sql<SqlBool>`true`;
  const pattern = `%${wanted.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`(first_name || ' ' || last_name ilike ${pattern} or email::text ilike ${pattern})`;
}

function toContact({ latestAt, latestExactly: _, preview, ...contact }: Row): Contact {
  return { ...contact, latest: latestAt && { sentAt: latestAt.toISOString(), preview } };
}

const Place = z.union([z.iso.datetime(), z.literal('-infinity')]);
const PageKey = z.tuple([Place, z.string(), z.uuid()]);

function exactly(place: RawBuilder<unknown>) {
  return sql`case when ${place} = '-infinity' then '-infinity'
    else to_char(${place} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') end`;
}

function comesAfter(cursor: string): RawBuilder<SqlBool> {
  const key = PageKey.safeParse(readJson(Buffer.from(cursor, 'base64url').toString()));
  if (!key.success) {
    throw new AppError('invalid_input', 'This page does not exist any more. Please start from the first one.');
  }
  const [place, name, id] = key.data;
  return sql<SqlBool>`(place < ${place}::timestamptz
    or (place = ${place}::timestamptz and (name, id) > (${name}::text, ${id}::uuid)))`;
}

function writeCursor({ latestExactly, name, id }: Row): string {
  return Buffer.from(JSON.stringify([latestExactly, name, id])).toString('base64url');
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

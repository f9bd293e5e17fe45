import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import type { Contact, listContacts } from '#contract/messages.ts';
import { builtOnceByRole } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { byId, byInstant, byText, descending, type KeyPart, pagesBy } from '#server/platform/pages.ts';
import { isFoundByWords } from '#server/platform/search-pattern.ts';
import { contactIds } from './message-access.ts';

type Reader = Pick<Actor, 'id' | 'role'>;
type Wish = ParsedInputOf<typeof listContacts>['query'];

interface Row extends Omit<Contact, 'latest'> {
  latestAt: Date | null;
  /** The instant to the microsecond, because the database orders by it. It is '-infinity' without a message. */
  latestExactly: string;
  preview: NonNullable<Contact['latest']>['preview'];
}

/** A contact without messages has a place before all instants. */
const byLatest: KeyPart = { ...byInstant(sql`place`), value: z.union([z.iso.datetime(), z.literal('-infinity')]) };
const pages = pagesBy(50, [descending(byLatest), byText(sql`name`), byId(sql`id`)]);
const previewLength = 140;

/**
 * Finds the contacts in one statement, in the order of their latest message (MSG-11), narrowed by name or email
 * (MSG-03).
 */
export async function findContacts(
  db: Db,
  actor: Actor,
  { search, cursor }: Wish,
): Promise<ReplyOf<typeof listContacts>> {
  const isPlain = !search && cursor === undefined;
  const rows = isPlain
    ? await firstPageOf(db, actor.role, { id: actor.id })
    : (await contactRows(db, actor, { search, cursor }).execute(db)).rows;
  const page = pages.cut(rows, ({ latestExactly, name, id }) => [latestExactly, name, id]);
  return { ...page, rows: page.rows.map(toContact) };
}

function contactRows(db: Db, reader: Reader, { search, cursor }: Wish) {
  const isContact = sql<SqlBool>`profiles.id in ${contactIds(db, reader)} and ${isFoundByWords(search ?? '')}`;
  return sql<Row>`
    with ${reader.role === 'admin' ? everybody(isContact, cursor) : ownContacts(reader, isContact, cursor)}
    select id, name, email, role, latest_at, preview, ${exactly(sql`place`)} as latest_exactly,
      (select count(*)::int from coach_messages message
        where message.recipient_id = ${reader.id} and message.sender_id = contacts.id and not message.is_read
          and ${reader.role !== 'admin'}) as unread_count
    from contacts
    order by ${pages.inOrder}
    limit ${pages.most}`;
}

/** The text of a first page depends on the reader's role alone. */
const firstPageOf = builtOnceByRole((db, role, { id }: Pick<Actor, 'id'>) => contactRows(db, { id, role }, {}));

const person = sql`profiles.id, full_name as name, email, role`;

function ownContacts(reader: Reader, isContact: RawBuilder<SqlBool>, cursor: string | undefined) {
  return sql`contacts as (
    select * from (
      select ${person}, latest.sent_at as latest_at, coalesce(latest.sent_at, '-infinity') as place, latest.preview
      from profiles left join ${latestWith(reader)}
      where ${isContact}
    ) own where ${pages.comesAfter(cursor)}
  )`;
}

/**
 * An admin reads messages that people have with others, so the list tells only when the last one was sent. People with
 * messages come by the index of the last ones. People without messages are looked for only if those do not fill the
 * page.
 */
function everybody(isContact: RawBuilder<SqlBool>, cursor: string | undefined) {
  const isNoLater = cursor === undefined ? sql`true` : sql`sent_at <= ${pages.placeIn(cursor)[0]}::timestamptz`;
  return sql`written as materialized (
    select * from (
      select ${person}, sent_at as latest_at, sent_at as place, null::jsonb as preview
      from last_messages join profiles on profiles.id = person_id
      where ${isContact} and ${isNoLater}
    ) known where ${pages.comesAfter(cursor)}
    order by ${pages.inOrder} limit ${pages.most}
  ), others as (
    select * from (
      select ${person}, null::timestamptz as latest_at, '-infinity'::timestamptz as place, null::jsonb as preview
      from profiles
      where ${isContact} and not exists (select from last_messages where person_id = profiles.id)
    ) unknown where ${pages.comesAfter(cursor)} and (select count(*) from written) < ${sql.lit(pages.most)}
    order by name, id limit ${pages.most}
  ), contacts as (select * from written union all select * from others)`;
}

function latestWith({ id }: Reader) {
  return sql`lateral (
    select message.sent_at, jsonb_build_object('isOwn', message.sender_id = ${id},
      'text', left(message.message, ${sql.lit(previewLength)}), 'hasFile', message.file_path is not null) as preview
    from coach_messages message
    where least(message.sender_id, message.recipient_id) = least(profiles.id, ${id}::uuid)
      and greatest(message.sender_id, message.recipient_id) = greatest(profiles.id, ${id}::uuid)
    order by message.sent_at desc, message.id desc limit 1
  ) latest on true`;
}

function toContact({ latestAt, latestExactly: _, preview, ...contact }: Row): Contact {
  return { ...contact, latest: latestAt && { sentAt: latestAt.toISOString(), preview } };
}

function exactly(place: RawBuilder<unknown>) {
  return sql`case when ${place} = '-infinity' then '-infinity'
    else to_char(${place} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') end`;
}

import { sql } from 'kysely';
import type { PersonNote } from '#contract/person-notes.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { byId, byInstant, descending, exactly, pagesBy } from '#server/platform/pages.ts';
import { loadNotedPerson, mayRemove } from './person-access.ts';

const pages = pagesBy(20, [descending(byInstant(sql`note.written_at`)), descending(byId(sql`note.id`))]);

export async function findPersonNotes(db: Db, actor: Actor, personId: string, cursor: string | undefined) {
  await loadNotedPerson(db, actor, personId);
  const found = await noteRows(db, actor)
    .where('note.personId', '=', personId)
    .where(pages.comesAfter(cursor))
    .orderBy(pages.inOrder)
    .limit(pages.most)
    .execute();
  const page = pages.cut(found, ({ writtenAt, id }) => [writtenAt, id]);
  return { ...page, rows: page.rows.map(toNote) };
}

export async function findPersonNote(db: Db, actor: Actor, id: string): Promise<PersonNote> {
  return toNote(await noteRows(db, actor).where('note.id', '=', id).executeTakeFirstOrThrow());
}

/** The text of a restricted note does not leave with a list. */
function noteRows(db: Db, actor: Actor) {
  return db
    .selectFrom('personNotes as note')
    .innerJoin('profiles as author', 'author.id', 'note.authorId')
    .select(['note.id', 'note.kind', 'author.id as authorId', 'author.fullName as authorName'])
    .select([
      sql<string | null>`case note.kind when 'staff' then note.note end`.as('text'),
      exactly(sql`note.written_at`).as('writtenAt'),
      mayRemove(actor).as('canRemove'),
    ])
    .$narrowType<Pick<PersonNote, 'kind'>>();
}

function toNote({
  authorId,
  authorName,
  canRemove,
  ...note
}: Awaited<ReturnType<ReturnType<typeof noteRows>['execute']>>[number]) {
  return { ...note, author: { id: authorId, name: authorName }, can: { remove: canRemove } };
}

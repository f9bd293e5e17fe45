import type { PersonNote } from '#contract/person-notes.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError } from '#server/platform/errors.ts';
import { changed } from '#server/platform/telling.ts';
import { loadNote, loadNotedPerson } from './person-access.ts';
import { findPersonNote } from './person-note-queries.ts';

export async function writeNote(
  db: Db,
  actor: Actor,
  personId: string,
  { kind, text }: Pick<PersonNote, 'kind'> & { text: string },
): Promise<PersonNote> {
  const { coachIds } = await loadNotedPerson(db, actor, personId);
  const { id } = await db
    .insertInto('personNotes')
    .values({ personId, authorId: actor.id, kind, note: text })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(db, actor.id, { action: 'note.write', subjectType: 'user', subjectId: personId, after: { kind } });
  await changed(db, 'notes', coachIds);
  return findPersonNote(db, actor, id);
}

/** Whoever reads a restricted note says why, its author too. */
export async function openNote(db: Db, actor: Actor, noteId: string, reason: string): Promise<{ text: string }> {
  const { personId, authorId, text } = await loadNote(db, actor, noteId);
  await audit(db, actor.id, {
    action: 'note.open',
    subjectType: 'user',
    subjectId: personId,
    after: { authorId },
    reason,
  });
  return { text };
}

export async function removeNote(db: Db, actor: Actor, noteId: string): Promise<void> {
  const { personId, authorId, kind, mayRemove, coachIds } = await loadNote(db, actor, noteId);
  if (!mayRemove) throw new AppError('forbidden', 'Only its author or an admin can remove a note.');
  await db.deleteFrom('personNotes').where('id', '=', noteId).execute();
  await audit(db, actor.id, {
    action: 'note.remove',
    subjectType: 'user',
    subjectId: personId,
    before: { kind, authorId },
  });
  await changed(db, 'notes', coachIds);
}

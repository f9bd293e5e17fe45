import { sql } from 'kysely';
import { builtOnceByRole } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { coachIdsOf, visiblePeople } from '#server/features/coaching/coaching-access.ts';
import { mayWriteTo } from '#server/features/messages/message-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError, notFound } from '#server/platform/errors.ts';

export async function loadPerson(db: Db, actor: Actor, id: string) {
  const [person] = await personFor(db, actor.role, { actorId: actor.id, id });
  if (!person) throw notFound('This person was not found.');
  return person;
}

/** What a role sees is a condition of the statement, so each role has its own. */
const personFor = builtOnceByRole((db, role, { actorId, id }: { actorId: string; id: string }) => {
  const actor = { id: actorId, role };
  return visiblePeople(db, actor)
    .select((eb) => [
      'profiles.id',
      'profiles.phone',
      coachIdsOf(db, eb.ref('profiles.id')).as('coachIds'),
      mayWriteTo(db, actor, eb.ref('profiles.id')).as('mayWrite'),
    ])
    .where('profiles.id', '=', id);
});

export function mayReadNotes(actor: Pick<Actor, 'id'>, personId: string): boolean {
  return actor.id !== personId;
}

/** Loads a person about whom the actor may read and write notes. */
export async function loadNotedPerson(db: Db, actor: Actor, id: string) {
  const person = await loadPerson(db, actor, id);
  if (!mayReadNotes(actor, id)) throw new AppError('forbidden', 'You cannot read or write notes about yourself.');
  return person;
}

/** Locks a note about a person whom the actor sees. */
export async function loadNote(db: Db, actor: Actor, noteId: string) {
  const note = await db
    .selectFrom('personNotes as note')
    .select((eb) => [
      'note.personId',
      'note.authorId',
      'note.kind',
      'note.note as text',
      mayRemove(actor).as('mayRemove'),
      coachIdsOf(db, eb.ref('note.personId')).as('coachIds'),
    ])
    .where('note.id', '=', noteId)
    .where('note.personId', '<>', actor.id)
    .where('note.personId', 'in', visiblePeople(db, actor).select('profiles.id'))
    .forUpdate()
    .executeTakeFirst();
  if (!note) throw notFound('This note no longer exists.');
  return note;
}

/** A column over `note`, a row of `person_notes`. */
export function mayRemove(actor: Pick<Actor, 'id' | 'role'>) {
  return actor.role === 'admin' ? sql<boolean>`true` : sql<boolean>`(note.author_id = ${actor.id})`;
}

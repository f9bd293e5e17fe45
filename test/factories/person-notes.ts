import type { Insertable } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { PersonNotesTable } from '#server/db/schema.gen.ts';

export function buildNote(
  db: Db,
  facts: Partial<Insertable<PersonNotesTable>> & Pick<Insertable<PersonNotesTable>, 'personId' | 'authorId'>,
) {
  return db
    .insertInto('personNotes')
    .values({ kind: 'staff', note: 'Travels far for the sessions', ...facts })
    .returningAll()
    .executeTakeFirstOrThrow();
}

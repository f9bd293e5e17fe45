import type { Insertable } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { SavedCommentsTable } from '#server/db/schema.gen.ts';
import { buildCoach } from './people.ts';

/** A coach's shared comment. */
export async function buildSavedComment(db: Db, facts: Partial<Insertable<SavedCommentsTable>> = {}) {
  return db
    .insertInto('savedComments')
    .values({
      title: 'Name the parts',
      commentText: '{first name}, please name the parts.',
      isShared: true,
      ...facts,
      ownerId: facts.ownerId ?? (await buildCoach(db)).id,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

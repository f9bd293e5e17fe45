import type { Insertable } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { ResourcesTable } from '#server/db/schema.gen.ts';
import { newId } from '#server/platform/ids.ts';

export function buildResource(db: Db, facts: Partial<Insertable<ResourcesTable>> = {}) {
  const id = newId();
  return db
    .insertInto('resources')
    .values({ id, title: `Resource ${id}`, fileUrl: `https://files.example/${id}`, ...facts })
    .returningAll()
    .executeTakeFirstOrThrow();
}

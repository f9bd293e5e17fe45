import { sql } from 'kysely';
import { type FilteredList, mostSavedFilters, type SavedFilters, type SavedSearch } from '#contract/saved-filters.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';

export function findSavedFilters(db: Db, actor: Pick<Actor, 'id'>, list: FilteredList): Promise<SavedFilters[]> {
  return db
    .selectFrom('savedFilters')
    .select(['id', 'name', sql<SavedSearch>`search`.as('search')])
    .where('ownerId', '=', actor.id)
    .where('list', '=', list)
    .orderBy(sql`lower(name)`)
    .limit(mostSavedFilters)
    .execute();
}

import { sql } from 'kysely';
import { type FilteredList, mostSavedFilters, type SavedFilters, type SavedSearch } from '#contract/saved-filters.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';

export async function findSavedFilters(db: Db, actor: Pick<Actor, 'id'>, list: FilteredList): Promise<SavedFilters[]> {
  const found = await db
    .selectFrom('savedFilters')
    .select(['id', 'name', sql<Stored>`search`.as('search')])
    .where('ownerId', '=', actor.id)
    .where('list', '=', list)
    .orderBy(sql`lower(name)`)
    .limit(mostSavedFilters)
    .execute();
  return found.map(({ search, ...kept }) => ({ ...kept, search: asList(search) }));
}

/** The parameters by name, as the table has them. */
export type Stored = Record<string, SavedSearch[number]['value']>;

export function asList(stored: Stored): SavedSearch {
  return Object.entries(stored).map(([name, value]) => ({ name, value }));
}

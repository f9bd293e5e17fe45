import type { Db } from '#server/db/database.ts';
import { pathVariantsOf } from './path-variants.ts';

export interface StoredPlace {
  id: string;
  /** Its bytes are at the first of these that the storage knows. */
  paths: string[];
}

/** Every file whose bytes have all arrived. */
export async function findStoredFiles(db: Db): Promise<StoredPlace[]> {
  const found = await db
    .selectFrom('storedFiles')
    .select(['id', 'path', 'ownerId'])
    .where('completedAt', 'is not', null)
    .orderBy('id')
    .execute();
  return found.map(({ id, ...place }) => ({ id, paths: pathVariantsOf(place) }));
}

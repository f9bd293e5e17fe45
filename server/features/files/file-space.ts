import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/errors.ts';

const mebibyte = 1024 * 1024;

/** Returns the space that the files of My Files take, with those that are still on their way. */
export function usedSpace(db: Db, owner: Pick<Actor, 'id'>) {
  return db
    .selectFrom('storedFiles')
    .select(sql<number>`coalesce(sum(size), 0)::bigint`.as('bytes'))
    .where('ownerId', '=', owner.id)
    .where('area', '=', 'my_files');
}

/** If two uploads begin at once, the second waits and counts the first. Throws too_large, in a transaction. */
export async function requireSpace(db: Db, owner: Actor, size: number, allowedBytes: number): Promise<void> {
  await db.selectFrom('profiles').select('id').where('id', '=', owner.id).forNoKeyUpdate().execute();
  const { bytes } = await usedSpace(db, owner).executeTakeFirstOrThrow();
  const left = Math.max(0, allowedBytes - bytes);
  if (size <= left) return;
  const message = `My Files is too full: ${Math.floor(left / mebibyte)} MB of ${allowedBytes / mebibyte} MB are free, and this file needs ${Math.ceil(size / mebibyte)} MB. Delete files you no longer need, then try again.`;
  throw new AppError('too_large', message);
}

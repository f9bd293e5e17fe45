import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { notFound } from '#server/platform/errors.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { changed } from '#server/platform/telling.ts';
import { ownUserFiles } from './file-access.ts';
import { pathVariantsOf } from './path-variants.ts';
import { removeStoredFileQueue } from './stored-file-queue.ts';

/** FILES-18: removes both rows now. A job that commits with them removes the bytes. */
export async function deleteUserFile(db: Db, actor: Actor, id: string): Promise<void> {
  const file = await ownUserFiles(db, actor)
    .select(['userFiles.id', 'storedFiles.id as fileId', 'storedFiles.path', 'storedFiles.ownerId'])
    .where('userFiles.id', '=', id)
    .forUpdate('userFiles')
    .executeTakeFirst();
  if (!file) throw notFound('This file is no longer in My Files.');
  await db
    .with('gone', (query) => query.deleteFrom('userFiles').where('userFiles.id', '=', file.id).returning('filePath'))
    .deleteFrom('storedFiles')
    .where('storedFiles.path', 'in', (query) => query.selectFrom('gone').select('gone.filePath'))
    .execute();
  await enqueue(db, removeStoredFileQueue, await unclaimedPaths(db, pathVariantsOf(file)));
  await changed(db, 'files', [actor.id]);
}

/** The bytes may lie under any of these paths, unless the path is another file's. */
async function unclaimedPaths(db: Db, paths: string[]): Promise<{ path: string }[]> {
  const { rows } = await sql<{ path: string }>`select path from unnest(${paths}::text[]) as path
    where not exists (select from stored_files where stored_files.path = path.path)`.execute(db);
  return rows;
}

import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { removeStoredFileQueue } from '#server/features/files/stored-file-queue.ts';
import { enqueue } from '#server/platform/jobs.ts';

/** Returns the files of the contents of one activity, or of all activities of a cohort. */
export async function contentPathsOf(db: Db, of: 'id' | 'cohortId', id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('contentItems')
    .innerJoin('trainingActivities', 'trainingActivities.id', 'contentItems.trainingActivityId')
    .select('filePath')
    .distinct()
    .where(`trainingActivities.${of}`, '=', id)
    .where('filePath', 'is not', null)
    .execute();
  return rows.flatMap(({ filePath }) => filePath ?? []);
}

/**
 * A copied programme shares the files of its source, so this removes only those that no content refers to anymore. If
 * an act attaches such a file at this moment, either the foreign key refuses that act, or it has locked the file and
 * this passes over it.
 */
export async function releaseContentFiles(db: Db, paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  const removed = await db
    .deleteFrom('storedFiles')
    .where('path', 'in', (query) =>
      query
        .selectFrom('storedFiles as unused')
        .select('unused.path')
        .where('unused.path', '=', sql<string>`any(${paths}::text[])`)
        .where('unused.area', '=', 'content')
        .where((row) =>
          row.not(
            row.exists(
              row.selectFrom('contentItems').select('id').whereRef('contentItems.filePath', '=', 'unused.path'),
            ),
          ),
        )
        .forUpdate()
        .skipLocked(),
    )
    .returning('path')
    .execute();
  await enqueue(db, removeStoredFileQueue, removed);
}

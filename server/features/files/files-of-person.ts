import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { changed } from '#server/platform/telling.ts';
import { pathVariantsOf } from './path-variants.ts';
import { removeStoredFileQueue } from './stored-file-queue.ts';

const goneName = 'Removed file';

/**
 * Removes the files of a deleted person: My Files, uploads and the work that they handed in. If rounds refer to the
 * work, its row stays without its name. What they sent others or put into the programme stays.
 */
export async function removeFilesOfPerson(db: Db, personId: string): Promise<void> {
  const removed = await sql<{ path: string }>`
    with own as (
      select path, area = 'submissions' and (
          exists (select from submission_rounds where file_path = path)
          or exists (select from content_submissions where file_path = path)
        ) as is_referred_to
      from stored_files
      where owner_id = ${personId} and (area in ('my_files', 'submissions') or completed_at is null)
      for update
    ), listed as (
      delete from user_files where user_id = ${personId}
    ), gone as (
      delete from stored_files using own where stored_files.path = own.path and not is_referred_to
    ), kept as (
      update stored_files set display_name = ${goneName} from own where stored_files.path = own.path and is_referred_to
    )
    select path from own`.execute(db);
  await changed(db, 'files', [personId]);
  const paths = removed.rows.flatMap(({ path }) => pathVariantsOf({ path, ownerId: personId }));
  await enqueue(
    db,
    removeStoredFileQueue,
    [...new Set(paths)].map((path) => ({ path })),
  );
}

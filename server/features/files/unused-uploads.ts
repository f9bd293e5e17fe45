import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { removeStoredFileQueue } from './stored-file-queue.ts';

/**
 * Removes at most `most` uploads at a time:
 * - work that was neither handed in nor kept by a draft for a day (ASSIGN-16),
 * - a file that no content item had for a day,
 * - a file that was not sent with a message within a week, because a message may wait in a browser until it is online.
 * Every file of a submission belongs to one of its rounds. An act that attaches a file at this moment locks it, and
 * this passes over it. The foreign key refuses the rest.
 */
export async function removeUnusedUploads(db: Db, most: number): Promise<void> {
  const removed = await db
    .deleteFrom('storedFiles')
    .where('id', 'in', (query) =>
      query
        .selectFrom('storedFiles as unused')
        .select('unused.id')
        .where((row) =>
          row.or([
            row('unused.area', 'in', ['submissions', 'content']).and('unused.completedAt', '<', ago('1 day')),
            row('unused.area', '=', 'messages').and('unused.completedAt', '<', ago('7 days')),
          ]),
        )
        .where((row) =>
          row.not(
            row.exists(
              row
                .selectFrom('submissionRounds')
                .select('submissionId')
                .whereRef('submissionRounds.filePath', '=', 'unused.path'),
            ),
          ),
        )
        .where((row) =>
          row.not(
            row.exists(
              row
                .selectFrom('assignmentDrafts')
                .select('userId')
                .whereRef('assignmentDrafts.filePath', '=', 'unused.path'),
            ),
          ),
        )
        .where((row) =>
          row.not(
            row.exists(
              row.selectFrom('coachMessages').select('id').whereRef('coachMessages.filePath', '=', 'unused.path'),
            ),
          ),
        )
        .where((row) =>
          row.not(
            row.exists(
              row.selectFrom('contentItems').select('id').whereRef('contentItems.filePath', '=', 'unused.path'),
            ),
          ),
        )
        .limit(most)
        .forUpdate()
        .skipLocked(),
    )
    .returning('path')
    .execute();
  await enqueue(db, removeStoredFileQueue, removed);
}

function ago(length: string) {
  return sql<Date>`now() - ${sql.lit(length)}::interval`;
}

import type { Db } from '#server/db/database.ts';
import { newId } from '#server/platform/ids.ts';

interface FileFacts {
  ownerId: string;
  area?: string;
  completedAt?: Date | null;
}

/** The record of an upload, finished unless said otherwise. Its bytes are not in the storage. */
export function buildStoredFile(db: Db, { ownerId, area = 'submissions', completedAt = new Date() }: FileFacts) {
  const id = newId();
  return db
    .insertInto('storedFiles')
    .values({
      id,
      ownerId,
      area,
      path: `${ownerId}/${id}`,
      displayName: 'report.pdf',
      size: 10,
      mimeType: 'application/pdf',
      completedAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

import type { Db } from '#server/db/database.ts';
import { newId } from '#server/platform/ids.ts';

interface UserFileFacts {
  userId: string;
  displayName?: string;
  size?: number;
  uploadDate?: Date;
  /** The place of the bytes. The default is the person's own folder. */
  path?: string;
}

/** A file in somebody's My Files. Its bytes are not in the storage. */
export async function buildUserFile(db: Db, facts: UserFileFacts) {
  const { userId, displayName = 'notes.txt', size = 10, uploadDate } = facts;
  const id = newId();
  const path = facts.path ?? `${userId}/${id}`;
  const kept = { displayName, size, mimeType: 'text/plain; charset=utf-8' };
  await db
    .insertInto('storedFiles')
    .values({ id, ownerId: userId, area: 'my_files', path, completedAt: new Date(), ...kept })
    .execute();
  return db
    .insertInto('userFiles')
    .values({ userId, filePath: path, uploadDate, ...kept })
    .returningAll()
    .executeTakeFirstOrThrow();
}

import type { Db } from '#server/db/database.ts';

/** Writes rows as they are to be shown. No job finds a note of them, so none derives anything in their place. */
export function withoutNotes<Made>(db: Db, write: (db: Db) => Promise<Made>): Promise<Made> {
  return db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('factChanges').execute();
    const made = await write(transaction);
    await transaction.deleteFrom('factChanges').execute();
    return made;
  });
}

import type { Insertable } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { NoticesTable } from '#server/db/schema.gen.ts';

export function buildNotice(db: Db, facts: Partial<Insertable<NoticesTable>> & { userId: string }) {
  return db
    .insertInto('notices')
    .values({ kind: 'review', title: 'Your work was reviewed', message: 'Approved', link: '/submissions', ...facts })
    .returningAll()
    .executeTakeFirstOrThrow();
}

import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { notFound } from '#server/platform/errors.ts';
import { changed } from '#server/platform/telling.ts';

export async function markRead(db: Db, actor: Pick<Actor, 'id'>, noticeId: string): Promise<void> {
  const own = await db
    .updateTable('notices')
    .set({ readAt: sql<Date>`coalesce(read_at, now())` })
    .where(isLine(noticeId))
    .where('userId', '=', actor.id)
    .returning('id')
    .executeTakeFirst();
  if (!own) throw notFound('We cannot find this notice.');
  await tellOfReadMarks(db, actor);
}

/** The notices that it replaced are read with it. */
function isLine(noticeId: string) {
  return sql<boolean>`(id = ${noticeId} or replaced_by = ${noticeId})`;
}

/** Marks up to the newest notice that the person has seen. One that arrives at the same moment stays unread. */
export async function markAllRead(db: Db, actor: Pick<Actor, 'id'>, upToId: string): Promise<void> {
  await db
    .updateTable('notices')
    .set({ readAt: sql<Date>`now()` })
    .where('userId', '=', actor.id)
    .where('readAt', 'is', null)
    .where(
      sql<boolean>`(created_at, id) <= (select created_at, id from notices where id = ${upToId} and user_id = ${actor.id})`,
    )
    .execute();
  await tellOfReadMarks(db, actor);
}

/** Other browsers of the same person follow. */
function tellOfReadMarks(db: Db, { id }: Pick<Actor, 'id'>): Promise<void> {
  return changed(db, 'notices', [id]);
}

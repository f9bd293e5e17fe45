import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError, notFound } from '#server/platform/errors.ts';

type Viewer = Pick<Actor, 'id' | 'role'>;

/** A reviewer sees their own comments and those that somebody shared. */
export function visibleComments(db: Db, viewer: Viewer) {
  return db
    .selectFrom('savedComments as comment')
    .where((eb) => eb.or([eb('comment.ownerId', '=', viewer.id), eb('comment.isShared', '=', sql.lit(true))]));
}

/** A column over `comment`, a row of `saved_comments`. Its author changes a comment, and so does an admin who sees it. */
export function mayChange({ id, role }: Viewer) {
  return role === 'admin' ? sql<boolean>`true` : sql<boolean>`(comment.owner_id is not distinct from ${id}::uuid)`;
}

/** Locks a comment that the person may change. */
export async function loadComment(db: Db, viewer: Viewer, commentId: string) {
  const comment = await visibleComments(db, viewer)
    .select(['comment.ownerId', 'comment.isShared', 'comment.version', mayChange(viewer).as('mayChange')])
    .where('comment.id', '=', commentId)
    .forUpdate()
    .executeTakeFirst();
  if (!comment) throw notFound('This comment no longer exists.');
  if (!comment.mayChange) throw new AppError('forbidden', 'Only its author or an admin changes this comment.');
  return comment;
}

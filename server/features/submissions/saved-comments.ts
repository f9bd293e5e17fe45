import type { z } from 'zod';
import type { SavedComment, SavedCommentWords } from '#contract/saved-comments.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { changed } from '#server/platform/telling.ts';
import { loadComment } from './saved-comment-access.ts';
import { findSavedComment } from './saved-comment-queries.ts';

type Words = z.output<typeof SavedCommentWords>;

export async function createSavedComment(db: Db, actor: Actor, words: Words): Promise<SavedComment> {
  const { title, text: commentText, isShared } = words;
  const { id } = await db
    .insertInto('savedComments')
    .values({ ownerId: actor.id, title, commentText, isShared })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(db, actor.id, { action: 'saved_comment.create', ...subject(id), after: { isShared } });
  await tellOfComment(db, actor.id, isShared);
  return findSavedComment(db, actor, id);
}

export async function updateSavedComment(
  db: Db,
  actor: Actor,
  id: string,
  { version, ...words }: Words & { version: number },
): Promise<SavedComment> {
  const before = await loadComment(db, actor, id);
  if (before.version !== version) {
    throw new AppError('stale', 'Somebody else has just changed this comment. Please open it again.');
  }
  const { title, text: commentText, isShared } = words;
  if (!isShared && before.ownerId !== actor.id) {
    throw new AppError('conflict', 'Only its author stops sharing a comment. You can remove it.');
  }
  await db
    .updateTable('savedComments')
    .set({ title, commentText, isShared, version: version + 1, updatedAt: now() })
    .where('id', '=', id)
    .execute();
  const [was, is] = [{ isShared: before.isShared }, { isShared }];
  await audit(db, actor.id, { action: 'saved_comment.update', ...subject(id), before: was, after: is });
  await tellOfComment(db, before.ownerId, isShared || before.isShared);
  return findSavedComment(db, actor, id);
}

export async function deleteSavedComment(db: Db, actor: Actor, id: string): Promise<void> {
  const { ownerId, isShared } = await loadComment(db, actor, id);
  await db.deleteFrom('savedComments').where('id', '=', id).execute();
  await audit(db, actor.id, { action: 'saved_comment.delete', ...subject(id), before: { ownerId, isShared } });
  await tellOfComment(db, ownerId, isShared);
}

/** All who review see a shared one. */
async function tellOfComment(db: Db, ownerId: string | null, isShared: boolean): Promise<void> {
  const reviewers = isShared
    ? await db
        .selectFrom('profiles')
        .select('id')
        .where('role', 'in', ['coach', 'admin'])
        .where('deletedAt', 'is', null)
        .execute()
    : [];
  await changed(db, 'comments', [...new Set([...(ownerId ? [ownerId] : []), ...reviewers.map(({ id }) => id)])]);
}

function subject(id: string) {
  return { subjectType: 'saved_comment', subjectId: id };
}

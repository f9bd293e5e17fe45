import { sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { listSavedComments, SavedComment } from '#contract/saved-comments.ts';
import { builtOnceByRole } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { byId, byText, byYesOrNo, isAsItOpens, pagesBy } from '#server/platform/pages.ts';
import { isFoundByWords } from '#server/platform/search-pattern.ts';
import { mayChange, visibleComments } from './saved-comment-access.ts';

/** The person's own comments come first. */
function pagesFor({ id }: Pick<Actor, 'id'>) {
  const isOthers = sql`(comment.owner_id is distinct from ${id}::uuid)`;
  return pagesBy(50, [byYesOrNo(isOthers), byText(sql`lower(comment.title)`), byId(sql`comment.id`)]);
}

type Filters = ParsedInputOf<typeof listSavedComments>['query'];

export async function findSavedComments(db: Db, actor: Actor, filters: Filters) {
  const found = isAsItOpens(filters)
    ? await firstPage(db, actor.role, { actorId: actor.id })
    : await pageRows(db, actor, filters).execute();
  const page = pagesFor(actor).cut(found, ({ isOwn, place, id }) => [!isOwn, place, id]);
  return { ...page, rows: page.rows.map(({ place: _, ...row }) => toComment(row)) };
}

function pageRows(db: Db, actor: Pick<Actor, 'id' | 'role'>, { search = '', cursor }: Filters) {
  const pages = pagesFor(actor);
  return commentRows(db, actor)
    .select(sql<string>`lower(comment.title)`.as('place'))
    .where(isFoundByWords(search, sql`folded_words(comment.title || ' ' || comment.comment_text)`))
    .where(pages.comesAfter(cursor))
    .orderBy(pages.inOrder)
    .limit(pages.most);
}

const firstPage = builtOnceByRole((db, role, { actorId }: { actorId: string }) =>
  pageRows(db, { id: actorId, role }, {}),
);

export async function findSavedComment(db: Db, actor: Actor, id: string): Promise<SavedComment> {
  return toComment(await commentRows(db, actor).where('comment.id', '=', id).executeTakeFirstOrThrow());
}

function commentRows(db: Db, actor: Pick<Actor, 'id' | 'role'>) {
  return visibleComments(db, actor)
    .leftJoin('profiles as author', 'author.id', 'comment.ownerId')
    .select(['comment.id', 'comment.title', 'comment.commentText as text', 'comment.isShared', 'comment.version'])
    .select([
      'author.fullName as authorName',
      sql<boolean>`(comment.owner_id is not distinct from ${actor.id}::uuid)`.as('isOwn'),
      mayChange(actor).as('canChange'),
    ]);
}

function toComment({ canChange, ...row }: Omit<SavedComment, 'can'> & { canChange: boolean }): SavedComment {
  return { ...row, can: { change: canChange } };
}

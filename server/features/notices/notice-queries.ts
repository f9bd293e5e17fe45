import { sql } from 'kysely';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { listNotices } from '#contract/notices.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { cutPage } from '#server/platform/pages.ts';

const pageSize = 20;

export async function findNotices(
  db: Db,
  { id }: Pick<Actor, 'id'>,
  cursor: string | undefined,
): Promise<ReplyOf<typeof listNotices>> {
  const found = await db
    .selectFrom('notices')
    .select(['id', 'kind', 'title', 'message', 'link', 'createdAt', 'readAt'])
    .select((row) =>
      row
        .selectFrom('notices as earlier')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('earlier.replacedBy', '=', 'notices.id')
        .$asScalar()
        .$notNull()
        .as('earlierCount'),
    )
    .where('replacedBy', 'is', null)
    .where('userId', '=', id)
    .$if(cursor !== undefined, (query) =>
      query.where(
        sql<boolean>`(created_at, id) < (select created_at, id from notices where id = ${cursor} and user_id = ${id})`,
      ),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize + 1)
    .execute();
  const page = cutPage(pageSize, found, ({ id }) => id);
  return {
    ...page,
    rows: page.rows.map(({ createdAt, readAt, ...notice }) => ({
      ...notice,
      createdAt: createdAt.toISOString(),
      isRead: readAt !== null,
    })),
  };
}

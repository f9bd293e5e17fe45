import { sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { listCourses } from '#contract/programme-setup.ts';
import type { TrackType } from '#contract/roles.ts';
import type { Db } from '#server/db/database.ts';
import { byId, byInstant, byText, exactly, pagesBy } from '#server/platform/pages.ts';
import { foldedWordsOf, isFoundByWords } from '#server/platform/search-pattern.ts';

const pages = pagesBy(50, [byText(sql`track_type`), byInstant(sql`created_at`), byId(sql`id`)]);

export async function findCourses(db: Db, { search, cursor }: ParsedInputOf<typeof listCourses>['query']) {
  const found = await db
    .selectFrom('courses')
    .select(['courses.id', 'title', sql<TrackType>`track_type`.as('trackType'), 'version'])
    .select([
      sql<boolean>`archived_at is not null`.as('isArchived'),
      sql<number>`(select count(*) from user_courses where user_courses.course_id = courses.id)`.as('enrolments'),
      sql<boolean>`coalesce(id = (select first.id from courses first
        where first.track_type = courses.track_type and first.archived_at is null
        order by first.created_at, first.id limit 1), false)`.as('isForEnrolment'),
      exactly(sql`created_at`).as('key'),
    ])
    .where(isFoundByWords(search, foldedWordsOf(['title'])))
    .where(pages.comesAfter(cursor))
    .orderBy(pages.inOrder)
    .limit(pages.most)
    .execute();
  return pages.cut(found, ({ trackType, key, id }) => [trackType, key, id]);
}

import { sql } from 'kysely';
import { z } from 'zod';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { listCourses } from '#contract/programme-setup.ts';
import { TrackType } from '#contract/roles.ts';
import type { Db } from '#server/db/database.ts';
import { readCursor, writeCursor } from '#server/platform/cursors.ts';
import { patternOf } from '#server/platform/search-pattern.ts';

const pageSize = 50;
const Place = z.tuple([TrackType, z.iso.datetime({ offset: true }), z.uuid()]);

export async function findCourses(db: Db, { search, cursor }: ParsedInputOf<typeof listCourses>['query']) {
  const after = cursor === undefined ? null : readCursor(cursor, Place);
  const found = await db
    .selectFrom('courses')
    .select(['courses.id', 'title', sql<TrackType>`track_type`.as('trackType'), 'version'])
    .select([
      sql<boolean>`archived_at is not null`.as('isArchived'),
      sql<number>`(select count(*) from user_courses where user_courses.course_id = courses.id)`.as('enrolments'),
      sql<boolean>`coalesce(id = (select first.id from courses first
        where first.track_type = courses.track_type and first.archived_at is null
        order by first.created_at, first.id limit 1), false)`.as('isForEnrolment'),
      // As text: a time rounded to milliseconds would skip rows.
      sql<string>`to_json(created_at) #>> '{}'`.as('key'),
    ])
    .where('title', 'ilike', patternOf(search))
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(track_type, created_at, id) > (${after?.[0]}, ${after?.[1]}::timestamptz, ${after?.[2]}::uuid)`,
      ),
    )
    .orderBy('trackType')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(pageSize + 1)
    .execute();
  const rows = found.slice(0, pageSize);
  const last = rows.at(-1);
  return {
    rows,
    nextCursor: found.length > pageSize && last ? writeCursor([last.trackType, last.key, last.id]) : null,
  };
}

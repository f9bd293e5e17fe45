import { sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { listModules, listTracks, ModuleType } from '#contract/programme-setup.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { byId, byInteger, byText, isAsItOpens, pagesBy } from '#server/platform/pages.ts';
import { foldedWordsOf, isFoundByWords } from '#server/platform/search-pattern.ts';

/** Sorts by curriculum. Core modules come first, then each track's in their order. */
const modulePages = pagesBy(100, [
  byText(sql`module.curriculum_version`),
  byText(sql`module.module_type`),
  byText(sql`coalesce(track.name, '')`),
  byInteger(sql`module.order_index`),
  byText(sql`module.title`),
  byId(sql`module.id`),
]);
const trackPages = pagesBy(50, [byText(sql`track.name`), byId(sql`track.id`)]);

type ModuleFilters = ParsedInputOf<typeof listModules>['query'];

export async function findModules(db: Db, filters: ModuleFilters) {
  const found = isAsItOpens(filters) ? await firstModules(db, {}) : await moduleRows(db, filters).execute();
  const page = modulePages.cut(found, ({ curriculumVersion, moduleType, trackName, orderIndex, title, id }) => [
    curriculumVersion,
    moduleType,
    trackName ?? '',
    orderIndex,
    title,
    id,
  ]);
  return { ...page, ...(await findModuleChoices(db)) };
}

function moduleRows(db: Db, query: ModuleFilters) {
  return db
    .selectFrom('courseModules as module')
    .leftJoin('specializationTracks as track', 'track.id', 'module.specializationTrackId')
    .select(['module.id', 'module.title', 'module.specializationTrackId as trackId', 'track.name as trackName'])
    .select(['module.curriculumVersion', 'module.orderIndex', 'module.version'])
    .select([
      sql<ModuleType>`module.module_type`.as('moduleType'),
      sql<boolean>`module.archived_at is not null`.as('isArchived'),
      sql<number>`(select count(*) from training_activities activity
        join cohorts on cohorts.id = activity.cohort_id
        where activity.module_name = module.title and cohorts.curriculum_version = module.curriculum_version)`.as(
        'activities',
      ),
      sql<number>`(select count(*) from participant_module_completions completion
        where completion.module_id = module.id)`.as('completions'),
    ])
    .where(isFoundByWords(query.search, foldedWordsOf(['module.title'])))
    .$if(query.curriculumVersion !== undefined, (rows) =>
      rows.where('module.curriculumVersion', '=', query.curriculumVersion ?? ''),
    )
    .where(modulePages.comesAfter(query.cursor))
    .orderBy(modulePages.inOrder)
    .limit(modulePages.most);
}

const firstModules = builtOnce((db) => moduleRows(db, { search: '' }));

async function findModuleChoices(db: Db) {
  const { rows } = await sql<{ curriculumVersions: string[]; tracks: { id: string; name: string }[] }>`
    select array(select curriculum_version from cohorts union select curriculum_version from course_modules order by 1)
        as curriculum_versions,
      (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by name), '[]')
        from specialization_tracks) as tracks`.execute(db);
  return rows[0] ?? { curriculumVersions: [], tracks: [] };
}

export async function findTracks(db: Db, { search, cursor }: ParsedInputOf<typeof listTracks>['query']) {
  const found = await db
    .selectFrom('specializationTracks as track')
    .select(['track.id', 'track.name', 'track.description', 'track.durationWeeks', 'track.isActive', 'track.version'])
    .select([
      sql<number>`(select count(*) from course_modules where specialization_track_id = track.id)`.as('modules'),
      sql<number>`(select count(*) from track_selections where specialization_track_id = track.id)`.as('selections'),
    ])
    .where(isFoundByWords(search, foldedWordsOf(['track.name'])))
    .where(trackPages.comesAfter(cursor))
    .orderBy(trackPages.inOrder)
    .limit(trackPages.most)
    .execute();
  return trackPages.cut(found, ({ name, id }) => [name, id]);
}

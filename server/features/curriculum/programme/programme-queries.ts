import { sql } from 'kysely';
import { z } from 'zod';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { type listModules, type listTracks, ModuleType } from '#contract/programme-setup.ts';
import type { Db } from '#server/db/database.ts';
import { readCursor, writeCursor } from '#server/platform/cursors.ts';
import { patternOf } from '#server/platform/search-pattern.ts';

const modulesAPage = 100;
const tracksAPage = 50;
const ModulePlace = z.tuple([z.string(), ModuleType, z.string(), z.int(), z.string(), z.uuid()]);
const TrackPlace = z.tuple([z.string(), z.uuid()]);

/** Sorts by curriculum. Core modules come first, then each track's in their order. */
export async function findModules(db: Db, query: ParsedInputOf<typeof listModules>['query']) {
  const after = query.cursor === undefined ? null : readCursor(query.cursor, ModulePlace);
  const found = await db
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
    .where('module.title', 'ilike', patternOf(query.search))
    .$if(query.curriculumVersion !== undefined, (rows) =>
      rows.where('module.curriculumVersion', '=', query.curriculumVersion ?? ''),
    )
    .$if(after !== null, (rows) => rows.where(sql<boolean>`(${order}) > (${sql.join(after ?? [])})`))
    .orderBy('module.curriculumVersion')
    .orderBy('module.moduleType')
    .orderBy(sql`coalesce(track.name, '')`)
    .orderBy('module.orderIndex')
    .orderBy('module.title')
    .orderBy('module.id')
    .limit(modulesAPage + 1)
    .execute();
  const rows = found.slice(0, modulesAPage);
  const last = found.length > modulesAPage ? rows.at(-1) : undefined;
  return { rows, nextCursor: last ? writeCursor(placeOf(last)) : null, ...(await findModuleChoices(db)) };
}

const order = sql`module.curriculum_version, module.module_type, coalesce(track.name, ''), module.order_index,
  module.title, module.id::text`;

interface PlacedModule {
  id: string;
  title: string;
  moduleType: ModuleType;
  trackName: string | null;
  curriculumVersion: string;
  orderIndex: number;
}

function placeOf({ curriculumVersion, moduleType, trackName, orderIndex, title, id }: PlacedModule) {
  return [curriculumVersion, moduleType, trackName ?? '', orderIndex, title, id];
}

async function findModuleChoices(db: Db) {
  const { rows } = await sql<{ curriculumVersions: string[]; tracks: { id: string; name: string }[] }>`
    select array(select curriculum_version from cohorts union select curriculum_version from course_modules order by 1)
        as curriculum_versions,
      (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by name), '[]')
        from specialization_tracks) as tracks`.execute(db);
  return rows[0] ?? { curriculumVersions: [], tracks: [] };
}

export async function findTracks(db: Db, { search, cursor }: ParsedInputOf<typeof listTracks>['query']) {
  const after = cursor === undefined ? null : readCursor(cursor, TrackPlace);
  const found = await db
    .selectFrom('specializationTracks as track')
    .select(['track.id', 'track.name', 'track.description', 'track.durationWeeks', 'track.isActive', 'track.version'])
    .select([
      sql<number>`(select count(*) from course_modules where specialization_track_id = track.id)`.as('modules'),
      sql<number>`(select count(*) from track_selections where specialization_track_id = track.id)`.as('selections'),
    ])
    .where('track.name', 'ilike', patternOf(search))
    .$if(after !== null, (rows) =>
      rows.where(sql<boolean>`(track.name, track.id) > (${after?.[0]}, ${after?.[1]}::uuid)`),
    )
    .orderBy('track.name')
    .orderBy('track.id')
    .limit(tracksAPage + 1)
    .execute();
  const rows = found.slice(0, tracksAPage);
  const last = found.length > tracksAPage ? rows.at(-1) : undefined;
  return { rows, nextCursor: last ? writeCursor([last.name, last.id]) : null };
}

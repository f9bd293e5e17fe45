import { type Expression, type SqlBool, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { listLibraryResources, listResources, Resource } from '#contract/resources.ts';
import type { TrackType } from '#contract/roles.ts';
import { builtOnceByRole } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { notFound } from '#server/platform/errors.ts';
import { countOf } from '#server/platform/matching.ts';
import { isAsItOpens } from '#server/platform/pages.ts';
import { foldedWordsOf, isFoundByWords } from '#server/platform/search-pattern.ts';
import { visibleResources } from './resource-access.ts';
import { keyOf, pagesIn } from './resource-pages.ts';

type LibraryFilters = ParsedInputOf<typeof listLibraryResources>['query'];
type Filters = ParsedInputOf<typeof listResources>['query'];

/** Takes one statement for the page, the number of matches and the choices of the filters. */
export async function findLibraryResources(db: Db, actor: Actor, filters: LibraryFilters) {
  const found = onlyRow(
    isListAsItOpens(filters)
      ? await libraryAsItOpens(db, actor.role, readerOf(actor))
      : await libraryList(db, actor, filters).execute(),
  );
  return { ...paged(found.rows, filters), matching: found.matching, modules: found.modules ?? [] };
}

function isListAsItOpens({ order, ...others }: LibraryFilters): boolean {
  return order === 'newest' && isAsItOpens(others);
}

function readerOf({ id: actorId, trackType }: Actor): Reader {
  return { actorId, trackType };
}

function onlyRow<Row>([row]: Row[]): Row {
  if (!row) throw new Error('A select without a table answered no row.');
  return row;
}

type Viewer = Parameters<typeof visibleResources>[1];

function libraryList(db: Db, actor: Viewer, filters: LibraryFilters) {
  return db.selectNoFrom([
    jsonArrayFrom(pageRows(db, actor, filters)).as('rows'),
    countOf(matchesOf(db, actor, filters)).as('matching'),
    modulesOf(db, actor).as('modules'),
  ]);
}

interface Reader {
  actorId: string;
  trackType: TrackType | null;
}
const libraryAsItOpens = builtOnceByRole((db, role, { actorId, trackType }: Reader) =>
  libraryList(db, { id: actorId, role, trackType }, { search: '', order: 'newest' }),
);

/** Takes one statement, as for the library. */
export async function findResources(db: Db, actor: Actor, filters: Filters) {
  const found = onlyRow(
    isListAsItOpens(filters)
      ? await resourcesAsListOpens(db, actor.role, readerOf(actor))
      : await resourceList(db, actor, filters).execute(),
  );
  return {
    ...paged(found.rows, filters),
    matching: found.matching,
    modules: found.modules ?? [],
    programs: found.programs ?? [],
    knownModules: found.knownModules,
  };
}

function resourceList(db: Db, actor: Viewer, filters: Filters) {
  return db.selectNoFrom([
    jsonArrayFrom(
      pageRows(db, actor, filters)
        .leftJoin('profiles as creator', 'creator.id', 'resources.uploadedBy')
        .select(['resources.version', creator.as('creator')]),
    ).as('rows'),
    countOf(matchesOf(db, actor, filters)).as('matching'),
    modulesOf(db, actor).as('modules'),
    visibleResources(db, actor)
      .select(sql<TrackType[]>`coalesce(array_agg(distinct program), '{}')`.as('programs'))
      .as('programs'),
    sql<string[]>`(select coalesce(array_agg(title order by lower(title), title), '{}') from (
        select title from course_modules union select course_module from resources where course_module <> '') known)`.as(
      'knownModules',
    ),
  ]);
}

const resourcesAsListOpens = builtOnceByRole((db, role, { actorId, trackType }: Reader) =>
  resourceList(db, { id: actorId, role, trackType }, { search: '', order: 'newest' }),
);

export async function findResource(db: Db, id: string): Promise<Resource> {
  const row = await db
    .selectFrom('resources')
    .leftJoin('profiles as creator', 'creator.id', 'resources.uploadedBy')
    .select([...columns, 'resources.version', instant.as('createdAt'), creator.as('creator')])
    .where('resources.id', '=', id)
    .executeTakeFirst();
  if (!row) throw resourceGone();
  return row;
}

export function resourceGone() {
  return notFound('This resource no longer exists. Somebody may have deleted it.');
}

const columns = [
  'resources.id',
  'resources.title',
  'resources.description',
  'resources.courseModule',
  'resources.fileUrl',
  sql<Resource['fileType']>`resources.file_type`.as('fileType'),
  sql<TrackType>`resources.program`.as('program'),
  sql<Resource['programme']>`(select json_build_object('id', programmes.id, 'name', programmes.name,
      'kindName', programmes.kind_labels ->> resources.program)
    from programmes where programmes.id = resources.programme_id)`.as('programme'),
] as const;
const instant = sql<string>`to_json(resources.created_at) #>> '{}'`;
const creator = sql<Resource['creator']>`case when creator.id is not null
  then json_build_object('firstName', creator.first_name, 'lastName', creator.last_name) end`;

function pageRows(db: Db, actor: Viewer, filters: Filters) {
  const { order, cursor } = filters;
  return visibleResources(db, actor)
    .select([...columns, instant.as('createdAt'), keyOf(order).as('key')])
    .where(matches(filters))
    .where(pagesIn[order].comesAfter(cursor))
    .orderBy(pagesIn[order].inOrder)
    .limit(pagesIn[order].most);
}

function matchesOf(db: Db, actor: Viewer, filters: Filters) {
  return visibleResources(db, actor).select('resources.id').where(matches(filters));
}

function modulesOf(db: Db, actor: Viewer) {
  return visibleResources(db, actor)
    .select(sql<string[]>`coalesce(array_agg(distinct course_module), '{}')`.as('modules'))
    .where('courseModule', '<>', '');
}

/** RES-02 to RES-05, RES-37 */
function matches({ search, type, module, program, programme }: Filters): Expression<SqlBool> {
  const conditions = [
    isFoundByWords(search, foldedWordsOf(['resources.title', 'resources.description'])),
    ...(type ? [sql<SqlBool>`resources.file_type = ${type}`] : []),
    ...(module ? [sql<SqlBool>`resources.course_module = ${module}`] : []),
    ...(program ? [sql<SqlBool>`resources.program = ${program}`] : []),
    ...(programme ? [sql<SqlBool>`resources.programme_id = ${programme}`] : []),
  ];
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

function paged<Row extends { id: string; key: string }>(found: Row[], { order }: LibraryFilters) {
  return pagesIn[order].cut(found, ({ key, id }) => [key, id]);
}

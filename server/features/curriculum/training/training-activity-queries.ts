import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { defaultProgrammeId } from '#contract/default-programme.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { ActivityFilters, listTrainingActivities, TrainingActivity } from '#contract/training-activities.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { runningFirst } from '#server/features/cohorts/cohort-queries.ts';
import { activityGone, targetStatuses } from '#server/features/curriculum/activity-rules.ts';
import { reachedOfTracks, suitsTrack } from '#server/features/curriculum/curriculum-access.ts';
import { byId, byInstant, byInteger, exactly, isAsItOpens, pagesBy } from '#server/platform/pages.ts';
import { foldedWordsOf, isFoundByWords } from '#server/platform/search-pattern.ts';

const createdAt = sql`training_activities.created_at`;
const pages = pagesBy(50, [
  byInteger(sql`training_activities.week_number`),
  byInstant(createdAt),
  byId(sql`training_activities.id`),
]);

type Filters = ParsedInputOf<typeof listTrainingActivities>['query'];

/** One statement returns the page and the number of matches. */
export async function findTrainingActivities(db: Db, filters: Filters) {
  const [found] = isAsItOpens(filters) ? await firstPage(db, {}) : await pageWithCount(db, filters).execute();
  if (!found) throw new Error('A select without a table answered no row.');
  const page = pages.cut(found.rows, ({ weekNumber, key, id }) => [weekNumber, key, id]);
  return { ...page, matching: found.matching ?? 0 };
}

function pageWithCount(db: Db, { cursor, ...filters }: Filters) {
  return db.selectNoFrom([
    jsonArrayFrom(
      withCohort(db)
        .select([...trainingActivityColumns, exactly(createdAt).as('key')])
        .where(matchesFilters(filters))
        .where(pages.comesAfter(cursor))
        .orderBy(pages.inOrder)
        .limit(pages.most),
    ).as('rows'),
    db
      .selectFrom('trainingActivities')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where(matchesFilters(filters))
      .as('matching'),
  ]);
}

const firstPage = builtOnce((db) => pageWithCount(db, {}));

export async function findTrainingActivity(db: Db, id: string): Promise<TrainingActivity> {
  const row = await withCohort(db)
    .select(trainingActivityColumns)
    .where('trainingActivities.id', '=', id)
    .executeTakeFirst();
  if (!row) throw activityGone();
  return row;
}

const searchedText = foldedWordsOf([
  'training_activities.title',
  'training_activities.module_name',
  'training_activities.delivery_partner',
]);

/** TRAIN-03 to TRAIN-06 */
export function matchesFilters({ search, week, cohort }: ActivityFilters): RawBuilder<SqlBool> {
  const conditions: RawBuilder<SqlBool>[] = [];
  if (search) conditions.push(isFoundByWords(search, searchedText));
  if (week !== undefined) conditions.push(sql`training_activities.week_number = ${week}`);
  if (cohort === 'unassigned') conditions.push(sql`training_activities.cohort_id is null`);
  else if (cohort) conditions.push(sql`training_activities.cohort_id = ${cohort}::uuid`);
  return conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

export async function findActivityCohorts(db: Db) {
  const cohorts = await db
    .selectFrom('cohorts')
    .select((eb) => [
      'id',
      'name',
      'status',
      'programmeId',
      eb('status', 'in', targetStatuses).$castTo<boolean>().as('isTarget'),
    ])
    .orderBy(runningFirst)
    .execute();
  const programmes = await db
    .selectFrom('programmes')
    .select('moduleNames')
    .where('archivedAt', 'is', null)
    .orderBy((eb) => eb('id', '=', defaultProgrammeId), 'desc')
    .orderBy('name')
    .execute();
  const moduleNames = [...new Set(programmes.flatMap((programme) => programme.moduleNames))];
  const titles = await db
    .selectFrom('courseModules')
    .select('title')
    .distinct()
    .where('archivedAt', 'is', null)
    .where('title', '<>', sql<string>`all(${moduleNames}::text[])`)
    .orderBy('title')
    .execute();
  const audiences = await db
    .selectFrom('programmeAudiences')
    .innerJoin('programmes', 'programmes.id', 'programmeAudiences.programmeId')
    .select(['key', 'label', 'programmeId'])
    .orderBy((eb) => eb('programmes.id', '=', defaultProgrammeId), 'desc')
    .orderBy('programmes.name')
    .orderBy('place')
    .execute();
  const reached = await reachedOfTracks(db).where('cohorts.programmeId', '=', defaultProgrammeId).execute();
  return {
    cohorts,
    audiences,
    modules: [...moduleNames, ...titles.map(({ title }) => title)],
    reachedCount: reached.reduce((sum, { people }) => sum + people, 0),
  };
}

/** These describe an activity, with its cohort if it has one. */
const trainingActivityColumns = [
  'trainingActivities.id',
  'trainingActivities.title',
  'trainingActivities.deliveryPartner',
  'trainingActivities.trainingDeliveryMode',
  'trainingActivities.deliveryMedium',
  'trainingActivities.weekNumber',
  'trainingActivities.location',
  'trainingActivities.duration',
  'trainingActivities.sessionDate',
  'trainingActivities.moduleName',
  'trainingActivities.cohortId',
  'cohorts.name as cohortName',
  // It counts every change of the row.
  'trainingActivities.calendarSequence as version',
] as const;

function withCohort(db: Db) {
  return db
    .with(
      (reached) => reached('reached').materialized(),
      (all) => reachedOfTracks(all),
    )
    .selectFrom('trainingActivities')
    .leftJoin('cohorts', 'cohorts.id', 'trainingActivities.cohortId')
    .select(
      sql<number>`(select coalesce(sum(people), 0)::integer
        from reached where reached.programme_id = training_activities.programme_id
          and ${suitsTrack(sql.ref('reached.trackType'))})`.as('reachedCount'),
    );
}

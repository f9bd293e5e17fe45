import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { z } from 'zod';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { moduleNames } from '#contract/learning.ts';
import type { ActivityFilters, listTrainingActivities, TrainingActivity } from '#contract/training-activities.ts';
import type { Db } from '#server/db/database.ts';
import { activityGone, targetStatuses } from '#server/features/curriculum/activity-rules.ts';
import { reachedOfTracks, suitsTrack } from '#server/features/curriculum/curriculum-access.ts';
import { readCursor, writeCursor } from '#server/platform/cursors.ts';
import { patternOf } from '#server/platform/search-pattern.ts';

const pageSize = 50;

type Filters = ParsedInputOf<typeof listTrainingActivities>['query'];

const Place = z.tuple([z.number().int(), z.iso.datetime({ offset: true }), z.uuid()]);

/** One statement returns the page and the number of matches. */
export async function findTrainingActivities(db: Db, { cursor, ...filters }: Filters) {
  const found = await db
    .selectNoFrom([
      jsonArrayFrom(
        withCohort(db)
          .select([
            ...trainingActivityColumns,
            // It is text, because a time rounded to milliseconds would skip rows.
            sql<string>`to_json(training_activities.created_at) #>> '{}'`.as('createdAt'),
          ])
          .where(matchesFilters(filters))
          .$if(cursor !== undefined, (rows) => rows.where(comesAfter(cursor ?? '')))
          .orderBy('trainingActivities.weekNumber')
          .orderBy('trainingActivities.createdAt')
          .orderBy('trainingActivities.id')
          .limit(pageSize + 1),
      ).as('rows'),
      db
        .selectFrom('trainingActivities')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where(matchesFilters(filters))
        .as('matching'),
    ])
    .executeTakeFirstOrThrow();
  const rows = found.rows.slice(0, pageSize);
  const last = found.rows.length > pageSize ? rows.at(-1) : undefined;
  return {
    rows,
    nextCursor: last ? writeCursor([last.weekNumber, last.createdAt, last.id]) : null,
    matching: found.matching ?? 0,
  };
}

export async function findTrainingActivity(db: Db, id: string): Promise<TrainingActivity> {
  const row = await withCohort(db)
    .select(trainingActivityColumns)
    .where('trainingActivities.id', '=', id)
    .executeTakeFirst();
  if (!row) throw activityGone();
  return row;
}

/** TRAIN-03 to TRAIN-06 */
export function matchesFilters({ search, week, cohort }: ActivityFilters): RawBuilder<SqlBool> {
  const conditions: RawBuilder<SqlBool>[] = [];
  if (search) {
    const pattern = patternOf(search);
    conditions.push(sql`(training_activities.title ilike ${pattern} or training_activities.module_name ilike ${pattern}
      or training_activities.delivery_partner ilike ${pattern})`);
  }
  if (week !== undefined) conditions.push(sql`training_activities.week_number = ${week}`);
  if (cohort === 'unassigned') conditions.push(sql`training_activities.cohort_id is null`);
  else if (cohort) conditions.push(sql`training_activities.cohort_id = ${cohort}::uuid`);
  return conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

export async function findActivityCohorts(db: Db) {
  const cohorts = await db
    .selectFrom('cohorts')
    .select((eb) => ['id', 'name', 'status', eb('status', 'in', targetStatuses).$castTo<boolean>().as('isTarget')])
    .orderBy('startDate', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const titles = await db
    .selectFrom('courseModules')
    .select('title')
    .distinct()
    .where('archivedAt', 'is', null)
    .where('title', 'not in', moduleNames)
    .orderBy('title')
    .execute();
  const reached = await reachedOfTracks(db).execute();
  return {
    cohorts,
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
        from reached where ${suitsTrack(sql.ref('reached.trackType'))})`.as('reachedCount'),
    );
}

function comesAfter(cursor: string): RawBuilder<SqlBool> {
  const [week, createdAt, id] = readCursor(cursor, Place);
  return sql`(training_activities.week_number, training_activities.created_at, training_activities.id)
    > (${week}, ${createdAt}::timestamptz, ${id}::uuid)`;
}

import { type Expression, type SqlBool, sql } from 'kysely';
import type { Cohort, CohortStatus, listCohorts, ReadCohort } from '#contract/cohorts.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { TrackType } from '#contract/roles.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { calendarOf } from '#server/features/programmes/calendar-queries.ts';
import { notFound } from '#server/platform/errors.ts';
import { countOf } from '#server/platform/matching.ts';
import { byDay, byId, descending, isAsItOpens, pagesBy } from '#server/platform/pages.ts';
import { foldedWordsOf, isFoundByWords } from '#server/platform/search-pattern.ts';
import { type CopyUses, copyStaysBecause, copyUses } from './cohort-copy-queries.ts';

type Filters = ParsedInputOf<typeof listCohorts>['query'];

const pages = pagesBy(50, [descending(byDay(sql`start_date`)), descending(byId(sql`id`))]);

/** ADMIN-21: the latest start comes first. The same statement counts all matches. */
export async function findCohorts(db: Db, filters: Filters) {
  const found = isAsItOpens(filters) ? await firstPage(db, {}) : await pageRows(db, filters).execute();
  return {
    ...pages.cut(found, ({ startDate, id }) => [startDate, id]),
    matching: found[0]?.matching ?? 0,
  };
}

function pageRows(db: Db, filters: Filters) {
  const matching = db.selectFrom('cohorts').where(matches(filters));
  return matching
    .select(cohortColumns)
    .select((eb) => [
      eb
        .selectFrom('trainingActivities')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('trainingActivities.cohortId', '=', 'cohorts.id')
        .$asScalar()
        .$notNull()
        .as('activityCount'),
      countOf(matching.select('id')).as('matching'),
    ])
    .where(pages.comesAfter(filters.cursor))
    .orderBy(pages.inOrder)
    .limit(pages.most);
}

const firstPage = builtOnce((db) => pageRows(db, { search: '' }));

export async function findCohort(db: Db, id: string): Promise<ReadCohort> {
  const row = await db
    .selectFrom('cohorts')
    .select(cohortColumns)
    .select([
      sql<ReadCohort['holds']>`(select json_build_object(
        'activities', count(distinct activity.id), 'contents', count(distinct item.id),
        'assignments', count(assignment.id),
        'requirements', (select count(*) from weekly_requirements where cohort_id = cohorts.id),
        'members', (select count(*) from cohort_participants where cohort_id = cohorts.id))
        from training_activities activity
        left join content_items item on item.training_activity_id = activity.id and item.archived_at is null
        left join content_assignments assignment
          on assignment.content_item_id = item.id and assignment.archived_at is null
        where activity.cohort_id = cohorts.id)`.as('holds'),
      sql<{ id: string; sourceName: string | null; uses: CopyUses } | null>`(
        select json_build_object('id', copy.id, 'sourceName', source.name,
          'uses', ${copyUses(sql.ref('cohorts.id'), sql.ref('copy.id'))})
        from programme_copies copy
        left join cohorts source on source.id = copy.source_cohort_id
        where copy.cohort_id = cohorts.id)`.as('copy'),
    ])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw cohortGone();
  const { copy, ...cohort } = row;
  if (!copy) return { ...cohort, copy };
  const { id: copyId, sourceName, uses } = copy;
  return { ...cohort, copy: { id: copyId, sourceName, staysBecause: copyStaysBecause(cohort.name, uses) } };
}

export function cohortGone() {
  return notFound('This cohort no longer exists. Somebody may have undone its copy.');
}

const cohortColumns = [
  'id',
  'name',
  'description',
  sql<TrackType>`program_type`.as('programType'),
  'startDate',
  'endDate',
  sql<CohortStatus>`cohorts.status`.as('status'),
  'capacity',
  'currentEnrollment',
  'curriculumVersion',
  'unlockedWeeks',
  calendarOf().as('calendar'),
  sql<Cohort['programme']>`(select jsonb_build_object('id', id, 'name', name, 'kinds', (
      select jsonb_agg(jsonb_build_object('kind', key, 'label', value)) from jsonb_each_text(kind_labels))) from programmes
    where programmes.id = cohorts.programme_id)`.as('programme'),
  'version',
] as const;

function matches({ search, status, programType, programme }: Filters): Expression<SqlBool> {
  const conditions = [
    isFoundByWords(search, foldedWordsOf(['cohorts.name', 'cohorts.description'])),
    ...(status ? [sql<SqlBool>`cohorts.status = ${status}`] : []),
    ...(programType ? [sql<SqlBool>`cohorts.program_type = ${programType}`] : []),
    ...(programme ? [sql<SqlBool>`cohorts.programme_id = ${programme}`] : []),
  ];
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

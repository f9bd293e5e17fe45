import { type RawBuilder, sql } from 'kysely';
import { defaultProgrammeId } from '#contract/default-programme.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { mostCounted } from '#contract/matching.ts';
import { type listProgrammes, type Programme, ProgrammeFacts } from '#contract/programmes.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { notFound } from '#server/platform/errors.ts';
import { countOf } from '#server/platform/matching.ts';
import { byId, byText, isAsItOpens, pagesBy } from '#server/platform/pages.ts';
import { foldedWordsOf, isFoundByWords } from '#server/platform/search-pattern.ts';

type Filters = ParsedInputOf<typeof listProgrammes>['query'];

const pages = pagesBy(50, [byText(sql`name`), byId(sql`id`)]);

/** Finds all programmes by name, those that are not used any more too. */
export async function findProgrammes(db: Db, filters: Filters) {
  const rows = isAsItOpens(filters) ? await firstPage(db, {}) : await pageRows(db, filters).execute();
  const page = pages.cut(rows, ({ name, id }) => [name, id]);
  return { ...page, rows: page.rows.map(toProgramme) };
}

function pageRows(db: Db, { search, cursor }: Filters) {
  return programmes(db)
    .where(isFoundByWords(search, foldedWordsOf(['programmes.name'])))
    .where(pages.comesAfter(cursor))
    .orderBy(pages.inOrder)
    .limit(pages.most);
}

const firstPage = builtOnce((db) => pageRows(db, { search: '' }));

export async function findProgramme(db: Db, id: string): Promise<Programme> {
  const [programme] = await programmeOf(db, { id });
  if (!programme) throw notFound('This program no longer exists.');
  return toProgramme(programme);
}

const programmeOf = builtOnce((db, { id }: { id: string }) => programmes(db).where('id', '=', id));

function toProgramme({
  kindLabels,
  ...programme
}: Awaited<ReturnType<ReturnType<typeof programmes>['execute']>>[number]) {
  return { ...programme, kindLabels: ProgrammeFacts.shape.kindLabels.parse(JSON.parse(kindLabels)) };
}

function programmes(db: Db) {
  return db.selectFrom('programmes').select([
    'programmes.id',
    'programmes.name',
    'weeks',
    'firstWeekday',
    'daysPerWeek',
    'zone',
    typed<Programme['payPeriod']>(sql`pay_period`).as('payPeriod'),
    typed<Programme['holidays']>(sql`holidays`).as('holidays'),
    // As text, because its keys stay as they are.
    sql<string>`kind_labels::text`.as('kindLabels'),
    typed<Programme['paidKinds']>(sql`paid_kinds`).as('paidKinds'),
    'moduleNames',
    'version',
    sql<boolean>`programmes.id = ${sql.lit(defaultProgrammeId)}`.as('isDefault'),
    sql<boolean>`archived_at is not null`.as('isArchived'),
    sql<number>`(select count(*)::integer from cohorts where programme_id = programmes.id)`.as('cohorts'),
    sql<Programme['audiences']>`(select coalesce(jsonb_agg(jsonb_build_object(
        'key', key, 'label', label, 'kinds', kinds) order by place), '[]')
      from programme_audiences where programme_id = programmes.id)`.as('audiences'),
  ]);
}

function typed<Value>(column: RawBuilder<unknown>): RawBuilder<Value> {
  return sql<Value>`${column}`;
}

/**
 * The reason why a programme's zone, pay period and days per week stay, and the last of its weeks that attendance, a
 * rating or a stipend is of.
 */
export async function findUses(
  db: Db,
  id: string,
): Promise<{ timeStaysBecause: string | null; lastWeekInUse: number }> {
  const [uses] = await usesOf(db, { id });
  const { judged = 0, lastWeek = 1 } = uses ?? {};
  return { timeStaysBecause: judged > 0 ? judgedInWords(judged) : null, lastWeekInUse: lastWeek };
}

const usesOf = builtOnce(
  (_, { id }: { id: string }) => sql<{ judged: number; lastWeek: number }>`
    with theirs as materialized (select * from cohort_calendars where programme_id = ${id})
    select ${countOf(sql`(select from theirs join stipend_eligibility stipend on stipend.cohort_id = theirs.id)`)} as judged,
      greatest(1, max(${latestOf('stipend_eligibility', lastOfPeriod)}), max(${latestOf('performance_feedback', lastOfPeriod)}),
        max(${latestOf('attendance_records', sql`one.week_number`)})) as last_week
    from theirs`,
);

function judgedInWords(judged: number): string {
  if (judged === 1) return '1 stipend was judged by them.';
  const more = judged > mostCounted ? 'More than ' : '';
  return `${more}${Math.min(judged, mostCounted).toLocaleString('en-US')} stipends were judged by them.`;
}

const lastOfPeriod = sql`period_last_week(theirs.start_date, theirs.pay_period, one.week_number)`;

/** The latest week of a cohort comes from the end of an index. */
function latestOf(
  table: 'stipend_eligibility' | 'performance_feedback' | 'attendance_records',
  week: typeof lastOfPeriod,
) {
  return sql`(select least(theirs.weeks, ${week}) from ${sql.table(table)} one
    where one.cohort_id = theirs.id order by one.week_number desc limit 1)`;
}

import { type Expression, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { AuditEntry, exportAuditLog, listAuditLog } from '#contract/audit.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { houseZone } from '#contract/house-zone.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import type { AuditLogTable } from '#server/db/schema.gen.ts';
import { byId, byInstant, descending, exactly, isAsItOpens, pagesBy } from '#server/platform/pages.ts';
import { isFoundByWords } from '#server/platform/search-pattern.ts';
import { findNames, idsIn, isId } from './audit-names.ts';

export type AuditFilters = ParsedInputOf<typeof exportAuditLog>['query'];
export type NamedEntries = { rows: AuditEntry[]; names: Record<string, string>; nextCursor: string | null };
type StoredEntry = Omit<AuditEntry, 'subjectName'>;

const order = [descending(byInstant(sql`entry.at`)), descending(byId(sql`entry.id`))] as const;
const shownPages = pagesBy(50, [...order]);
export const exportedPages = pagesBy(1000, [...order]);
const mostPeople = 20;

/** It takes two statements: the page, and the names of its ids. */
export async function findAuditLog(
  db: Db,
  { cursor, ...filters }: ParsedInputOf<typeof listAuditLog>['query'],
  pages = shownPages,
): Promise<NamedEntries> {
  const { rows, nextCursor } = pages.cut(await findEntries(db, filters, { pages, cursor }), ({ at, id }) => [at, id]);
  const names = await findNames(db, rows.flatMap(idsIn));
  return {
    rows: rows.map((row) => ({ ...row, subjectName: names.get(row.subjectId) ?? writtenName(row) })),
    names: Object.fromEntries(names),
    nextCursor,
  };
}

/** Jumps from one value to the next in the index, so the length of the log does not matter. */
export async function findAuditChoices(db: Db) {
  const found = await sql<{ actions: string[]; types: string[] }>`
    select ${distinct(sql.ref('action'))} as actions, ${distinct(sql.ref('subject_type'))} as types`.execute(db);
  const { actions = [], types = [] } = found.rows[0] ?? {};
  return { actions, kinds: [...new Set(types.map(kindOf))].toSorted() };
}

export async function findAuditPeople(db: Db, search: string) {
  return { people: search === '' ? await firstPeople(db, {}) : await peopleCalled(db, search).execute() };
}

const firstPeople = builtOnce((db, _: Record<never, string>) => peopleCalled(db, ''));

function peopleCalled(db: Db, search: string) {
  return db
    .selectFrom('profiles')
    .select(['id', personName.as('name'), 'email'])
    .where(isCalled(search))
    .orderBy('firstName')
    .orderBy('lastName')
    .orderBy('id')
    .limit(mostPeople);
}

function kindOf(subjectType: string): string {
  return subjectType === 'user' ? 'person' : subjectType;
}

/** The act kept the name of a record that is gone. */
function writtenName({ before, after }: Pick<StoredEntry, 'before' | 'after'>): string | null {
  const written = { ...after, ...before };
  const name = ['title', 'name', 'filename'].map((key) => written[key]).find((value) => typeof value === 'string');
  return typeof name === 'string' ? name : null;
}

const personName = sql<string>`profiles.full_name`;
interface Wish {
  pages: ReturnType<typeof pagesBy>;
  cursor: string | undefined;
}

async function findEntries(db: Db, filters: AuditFilters, { pages, cursor }: Wish) {
  const isPlain = isAsItOpens({ ...filters, cursor });
  const rows =
    isPlain && pages === shownPages
      ? await latestEntries(db, {})
      : await entriesOf(db, filters, { pages, cursor }).execute();
  return rows.map(({ actorId, actorName, actorEmail, subjectType, before, after, ...row }): StoredEntry => {
    const actor = actorId === null ? null : { id: actorId, name: actorName, email: actorEmail ?? '' };
    return { ...row, kind: kindOf(subjectType), actor, before: factsIn(before), after: factsIn(after) };
  });
}

const latestEntries = builtOnce((db, _: Record<never, string>) =>
  entriesOf(db, { search: '' }, { pages: shownPages, cursor: undefined }),
);

function entriesOf(db: Db, filters: AuditFilters, wish: Wish) {
  const { pages, cursor } = wish;
  return (
    db
      .selectFrom(entriesConcerning(filters, wish).as('entry'))
      .leftJoin('profiles', 'profiles.id', 'entry.actorId')
      .select([
        'entry.id',
        exactly(sql`entry.at`).as('at'),
        'entry.action',
        'entry.subjectType',
        'entry.subjectId',
        'entry.reason',
      ])
      // The facts are text here, so that their names stay as they were written.
      .select([sql<string | null>`entry.before::text`.as('before'), sql<string | null>`entry.after::text`.as('after')])
      .select(['profiles.id as actorId', personName.as('actorName'), 'profiles.email as actorEmail'])
      .where(matches(filters))
      .where(pages.comesAfter(cursor))
      .orderBy(pages.inOrder)
      .limit(pages.most)
  );
}

function factsIn(text: string | null): StoredEntry['before'] {
  return text === null ? null : JSON.parse(text);
}

function matches({ search, action, kind, subject, from, to }: AuditFilters): Expression<SqlBool> {
  const conditions = [
    sql<SqlBool>`true`,
    ...(search ? [isFoundBy(search)] : []),
    ...(action ? [sql<SqlBool>`entry.action = ${action}`] : []),
    ...(kind ? [sql<SqlBool>`entry.subject_type = ${kind === 'person' ? 'user' : kind}`] : []),
    ...(subject ? [sql<SqlBool>`entry.subject_id = ${subject}`] : []),
    ...(from ? [sql<SqlBool>`entry.at >= ${from}::date::timestamp at time zone ${houseZone}`] : []),
    ...(to ? [sql<SqlBool>`entry.at < (${to}::date + 1)::timestamp at time zone ${houseZone}`] : []),
  ];
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

/** Each part has an index of its own. In one `or`, none of the indexes would be used. */
function isFoundBy(search: string): RawBuilder<SqlBool> {
  const people = sql`select profiles.id from profiles where ${isCalled(search)}`;
  return sql<SqlBool>`entry.id in (
    select id from audit_log where ${isFoundByWords(search, words)}
    union all select id from audit_log where actor_id = any(array(${people}))
    union all select id from audit_log where subject_id = any(array(${people} union all ${recordsOf(people)})))`;
}

/** This must be the same expression as in the index. */
const words = sql`folded_words(coalesce(reason, '') || ' ' || coalesce(before ->> 'title', '') || ' ' || coalesce(after ->> 'title', '')
  || ' ' || coalesce(before ->> 'name', '') || ' ' || coalesce(after ->> 'name', '') || ' '
  || coalesce(after ->> 'filename', ''))`;

/** Finds people who are gone, too. */
function isCalled(search: string): RawBuilder<SqlBool> {
  const id = search.toLowerCase();
  if (isId(id)) return sql<SqlBool>`profiles.id = ${id}::uuid`;
  return isFoundByWords(search);
}

/**
 * The entries of a person, or all. They cover what the person did, and what was done to their account or to a record of
 * theirs. Of both there is no more than a page, in the order of its index: an admin may have done half of what is
 * recorded.
 */
function entriesConcerning(filters: AuditFilters, { pages, cursor }: Wish): RawBuilder<Selectable<AuditLogTable>> {
  const { person, part } = filters;
  if (!person) return sql`audit_log`;
  const own = sql`values (${person}::uuid)`;
  const pageOf = (isMeant: RawBuilder<unknown>) => sql<Selectable<AuditLogTable>>`(
    select * from audit_log entry where ${isMeant} and ${matches(filters)} and ${pages.comesAfter(cursor)}
    order by ${pages.inOrder} limit ${sql.lit(pages.most)})`;
  const by = pageOf(sql`actor_id = ${person}`);
  const about = pageOf(sql`subject_id = any(array(${own} union all ${recordsOf(own)}))`);
  if (part === 'by') return by;
  return part === 'about' ? about : sql`(${by} union ${about})`;
}

function recordsOf(people: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select id from stipend_eligibility where fellow_id in (${people})
    union all select id from content_submissions where user_id in (${people})
    union all select id from attendance_records where fellow_id in (${people})
    union all select id from performance_feedback where fellow_id in (${people})
    union all select id from track_selections where participant_id in (${people})
    union all select id from coaching_sessions where participant_id in (${people})`;
}

function distinct(column: RawBuilder<unknown>): RawBuilder<string[]> {
  return sql<string[]>`(with recursive found as (
    (select ${column} as value from audit_log order by ${column} limit 1)
    union all
    select (select ${column} from audit_log where ${column} > found.value order by ${column} limit 1)
    from found where found.value is not null
  ) select coalesce(array_agg(value order by value) filter (where value is not null), '{}') from found)`;
}

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import { mostPeopleAtOnce } from '#contract/people-sets.ts';
import type { exportUsers, listUsers, User } from '#contract/user-management.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { firstCoachOfEach } from '#server/features/coaching/coaching-access.ts';
import { sessionsToComeOfEach } from '#server/features/coaching/person-sessions-queries.ts';
import { kindLabelsAmong, kindNameIn, newestFirst } from '#server/features/programmes/calendar-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/errors.ts';
import { countAs, countOf } from '#server/platform/matching.ts';
import { isAsItOpens } from '#server/platform/pages.ts';
import { isFoundByWords } from '#server/platform/search-pattern.ts';
import { talliedOf } from './tallied-queries.ts';
import { possibleActs, userGone } from './user-access.ts';
import { cursorAt, directionOf, inOrder, isBeyond, keyOf, sourceOf } from './user-pages.ts';

type Filters = ParsedInputOf<typeof exportUsers>['query'];
type Wish = ParsedInputOf<typeof listUsers>['query'];

interface Row extends Omit<User, 'can'> {
  key: string;
}

const pageSize = 50;
/** Each step of the statement carries these along for each person. A whole profile has more than twice as many. */
const ownFacts = sql`profiles.id, profiles.first_name, profiles.last_name, profiles.email, profiles.role, profiles.track_type,
  profiles.created_at, profiles.version`;
const coach = sql<User['coach']>`json_build_object('id', coach.id, 'firstName', coach.first_name,
  'lastName', coach.last_name)`.as('coach');

/** Takes one statement for the page and the number of people on all pages (USER-02 to USER-06, USER-35). */
export async function findUsers(db: Db, actor: Actor, wish: Wish): Promise<ReplyOf<typeof listUsers>> {
  const direction = directionOf(wish.cursor);
  const { order, ...others } = wish;
  const found =
    order === 'newest' && isAsItOpens(others) ? await listAsItOpens(db, {}) : (await list(db, wish).execute(db)).rows;
  const [{ rows: read, matching } = { rows: [], matching: 0 }] = found;
  const isMore = read.length > pageSize;
  const page = read.slice(0, pageSize);
  const rows = direction === 'after' ? page : page.toReversed();
  const [first, last] = [rows[0], rows.at(-1)];
  const hasNext = direction === 'after' ? isMore : true;
  const hasPrevious = direction === 'after' ? wish.cursor !== undefined : isMore;
  return {
    rows: rows.map((row) => toUser(actor, row)),
    nextCursor: hasNext && last ? cursorAt(wish.order, 'after', last) : null,
    previousCursor: hasPrevious && first ? cursorAt(wish.order, 'before', first) : null,
    matching,
  };
}

const list = (db: Db, wish: Wish) => sql<{ rows: Row[]; matching: number }>`
  select coalesce((select json_agg(row) from (${pageOf(db, wish, pageSize + 1)}) as row), '[]') as rows,
    ${matchingOf(wish)} as matching`;

function matchingOf({ search, role }: Pick<Filters, 'search' | 'role'>): RawBuilder<number> {
  return search ? countOf(sql`(select from profiles where ${isMeant({ search, role })})`) : countAs(talliedOf(role));
}

/** Other choices leave out what is not asked for, so their text differs. */
const listAsItOpens = builtOnce((db) => list(db, { order: 'newest', search: '' }));

/** Everybody on all pages, in the list's order. */
export async function findUserIds(db: Db, filters: Filters): Promise<string[]> {
  const people = await sql<{ id: string }>`
    select profiles.id from profiles ${sourceOf(filters.order)}
    where ${isMeant(filters)} order by ${inOrder(filters.order, 'after')} limit ${mostPeopleAtOnce + 1}`.execute(db);
  if (people.rows.length > mostPeopleAtOnce) {
    const most = mostPeopleAtOnce.toLocaleString('en-US');
    throw new AppError('conflict', `More than ${most} people match. Please narrow the filters to select all of them.`);
  }
  return people.rows.map(({ id }) => id);
}

export async function findUser(db: Db, actor: Actor, id: string): Promise<User> {
  const [person] = await oneUser(db, { id });
  if (!person) throw userGone();
  return toUser(actor, person.row);
}

const oneUser = builtOnce(
  (db, { id }: { id: string }) =>
    sql<{ row: Row }>`
      select row_to_json(person) as row from (${detailsOf(
        db,
        sql`
        select ${ownFacts}, '' as key, 1 as place from profiles where id = ${id} and deleted_at is null`,
      )}) as person`,
);

/**
 * Reads the whole list as it stood at the beginning, batch by batch, so only the ids are in memory at once. A person
 * who gets another name or signs in meanwhile keeps the place. A person who is deleted meanwhile is left out.
 */
export async function* findUsersInBatches(db: Db, filters: Filters, batchSize: number): AsyncGenerator<Row[]> {
  const people = await sql<{ id: string }>`
    select profiles.id from profiles ${sourceOf(filters.order)}
    where ${isMeant(filters)} order by ${inOrder(filters.order, 'after')}`.execute(db);
  for (let start = 0; start < people.rows.length; start += batchSize) {
    const ids = people.rows.slice(start, start + batchSize).map(({ id }) => id);
    const found = await sql<{ row: Row }>`
      select row_to_json(person) as row from (${detailsOf(
        db,
        sql`
        select ${ownFacts}, '' as key, wanted.place
        from unnest(${ids}::uuid[]) with ordinality as wanted (id, place) join profiles on profiles.id = wanted.id
        where deleted_at is null`,
      )}) as person`.execute(db);
    yield found.rows.map(({ row }) => row);
  }
}

function pageOf(db: Db, wish: Wish, most: number): RawBuilder<unknown> {
  const { order, cursor } = wish;
  const direction = directionOf(cursor);
  return detailsOf(
    db,
    sql`
    select found.*, row_number() over () as place from (
      select ${ownFacts}, ${keyOf(order)} as key from profiles ${sourceOf(order)}
      where ${isMeant(wish)} and ${cursor === undefined ? sql`true` : isBeyond(order, cursor)}
      order by ${inOrder(order, direction)} limit ${most}) found`,
  );
}

/**
 * The facts shown of people beside their own row. They are looked up only for the people on the page, and for all of
 * them at once. Each table finds them by an array. For a join PostgreSQL would rather read everybody.
 */
function detailsOf(db: Db, people: RawBuilder<unknown>): RawBuilder<unknown> {
  const those = sql<string>`any(array(select id from person))`;
  return sql`
    with person as materialized (${people}),
    theirs as (
      select membership.participant_id, ${kindLabelsAmong} as kind_labels,
        json_agg(json_build_object('id', present.id, 'name', present.name, 'status', present.status)
          order by ${newestFirst}) as cohorts
      from cohort_participants membership
        join cohorts present on present.id = membership.cohort_id
        join programmes on programmes.id = present.programme_id
      where membership.participant_id = ${those} and membership.status = 'active'
      group by membership.participant_id
    ),
    invited as (
      select distinct on (user_id) user_id, json_build_object('sentAt', sent_at, 'expiresAt', expires_at, 'state',
        case when accepted_at is not null then 'accepted' when expires_at <= now() then 'expired' else 'sent' end) as last
      from invitations where user_id = ${those} order by user_id, sent_at desc, id desc
    ),
    coached as (
      select coach_id, count(distinct user_id)::int as people
      from user_courses where coach_id = ${those} and status = 'enrolled' group by coach_id
    ),
    coaches as (${firstCoachOfEach(db, those).select(coach)}),
    sessions as (${sessionsToComeOfEach(those)}),
    sign_in as (select id, email_verified from auth."user" where id = ${those}),
    last_seen as (select user_id, nullif(signed_in_at, '-infinity') as at from last_sign_ins where user_id = ${those})
    select person.id, person.first_name as "firstName", person.last_name as "lastName", person.email, person.role,
      person.track_type as "trackType", ${kindNameIn(sql`person`, sql`theirs`)} as "kindName", person.created_at as "createdAt",
      last_seen.at as "lastSignInAt", person.version, person.key,
      coalesce(sign_in.email_verified, false) as "isEmailConfirmed", invited.last as invitation,
      coalesce(theirs.cohorts, '[]') as cohorts, coaches.coach, coalesce(coached.people, 0) as "coachedCount",
      coalesce(sessions.to_come, 0) as "sessionsToCome"
    from person
      left join theirs on theirs.participant_id = person.id
      left join invited on invited.user_id = person.id
      left join coached on coached.coach_id = person.id
      left join coaches on coaches.participant_id = person.id
      left join sessions on sessions.person_id = person.id
      left join sign_in on sign_in.id = person.id
      left join last_seen on last_seen.user_id = person.id
    order by place`;
}

/** USER-04, USER-05 */
function isMeant({ search, role }: Pick<Filters, 'search' | 'role'>): RawBuilder<SqlBool> {
  const conditions = [
    sql<SqlBool>`profiles.deleted_at is null`,
    ...(role ? [sql<SqlBool>`profiles.role = ${role}`] : []),
    ...(search ? [isFoundBy(search)] : []),
  ];
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

function isFoundBy(search: string): RawBuilder<SqlBool> {
  const id = z.uuid().safeParse(search.toLowerCase());
  if (id.success) return sql<SqlBool>`profiles.id = ${id.data}::uuid`;
  return isFoundByWords(search);
}

function toUser(actor: Actor, { key: _, ...row }: Row): User {
  return { ...row, can: possibleActs(actor, row) };
}

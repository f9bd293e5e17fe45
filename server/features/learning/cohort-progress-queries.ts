import { type Expression, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { CohortProgressRow, listCohortProgress, MemberProgress } from '#contract/cohort-progress.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/errors.ts';
import {
  loadMember,
  loadProgressCohort,
  type Membership,
  mayLock,
  visibleCohorts,
  visibleMembers,
} from './fellowship-access.ts';
import { findModules, findStanding, progressColumns } from './fellowship-queries.ts';

type Filters = ParsedInputOf<typeof listCohortProgress>['query'];
type Row = Pick<CohortProgressRow, 'overallPercentage' | 'firstName' | 'lastName' | 'participantId'>;

const pageSize = 50;
const mostCohorts = 200;

/** Those that are running first, then the latest. */
export async function findProgressCohorts(db: Db, actor: Actor) {
  const cohorts = await visibleCohorts(db, actor)
    .select(['id', 'name', 'status', 'startDate'])
    .orderBy(sql`status = 'active'`, 'desc')
    .orderBy('startDate', 'desc')
    .orderBy('id')
    .limit(mostCohorts)
    .execute();
  return { cohorts };
}

/** TRACK-15: a page in one statement, furthest first; who has no progress yet counts as 0 and on track (FELL-03). */
export async function findCohortProgress(db: Db, actor: Actor, cohortId: string, filters: Filters) {
  const cohort = await loadProgressCohort(db, actor, cohortId);
  const rows = await db
    .with('matching', () => memberRows(db, actor, cohort.id).where(matches(filters)))
    .selectFrom('matching')
    .selectAll()
    .select((eb) =>
      eb.selectFrom('matching as all').select(eb.fn.countAll<number>().as('n')).$asScalar().$notNull().as('matching'),
    )
    .where(comesAfter(filters.cursor))
    .orderBy('overallPercentage', 'desc')
    .orderBy('firstName')
    .orderBy('lastName')
    .orderBy('participantId')
    .limit(pageSize + 1)
    .execute();
  const page = rows.slice(0, pageSize);
  const last = page.at(-1);
  return {
    rows: page,
    nextCursor: rows.length > pageSize && last ? writeCursor(last) : null,
    matching: rows[0]?.matching ?? 0,
  };
}

export async function findMemberProgress(db: Db, actor: Actor, membership: Membership): Promise<MemberProgress> {
  const member = await loadMember(db, actor, membership);
  const { progress, selection } = await findStanding(db, membership);
  return {
    ...member,
    progress,
    modules: await findModules(db, membership),
    selection,
    can: { setModules: true, lockTrack: mayLock(actor, selection && { ...selection, ...membership }) },
  };
}

function memberRows(db: Db, actor: Actor, cohortId: string) {
  return visibleMembers(db, actor)
    .innerJoin('cohorts', 'cohorts.id', 'membership.cohortId')
    .leftJoin('participantProgress as progress', (join) =>
      join
        .onRef('progress.participantId', '=', 'membership.participantId')
        .onRef('progress.cohortId', '=', 'membership.cohortId'),
    )
    .leftJoin('trackSelections as selection', (join) =>
      join
        .onRef('selection.participantId', '=', 'membership.participantId')
        .onRef('selection.cohortId', '=', 'membership.cohortId'),
    )
    .leftJoin('specializationTracks as track', 'track.id', 'selection.specializationTrackId')
    .select(['profiles.id as participantId', 'profiles.firstName', 'profiles.lastName', 'profiles.email'])
    .select(progressColumns())
    .select((eb) => [
      eb.fn.coalesce('progress.totalModules', eb.lit(0)).as('totalModules'),
      eb.fn.coalesce('progress.completedModules', eb.lit(0)).as('completedModules'),
      eb.fn.coalesce('progress.coreModulesCompleted', eb.lit(0)).as('coreModulesCompleted'),
      'progress.lastActivityDate',
      'track.name as trackName',
      sql<boolean>`coalesce(selection.is_locked, false)`.as('isTrackLocked'),
    ])
    .where('membership.cohortId', '=', cohortId);
}

function matches({ search, status }: Filters): Expression<SqlBool> {
  const pattern = `%${(search ?? '').trim().replace(/[\\%_]/g, '\\$&')}%`;
  const conditions = [
    sql<SqlBool>`true`,
    ...(search?.trim()
      ? [
          sql<SqlBool>`(profiles.first_name || ' ' || profiles.last_name ilike ${pattern} or profiles.email::text ilike ${pattern})`,
        ]
      : []),
    ...(status ? [sql<SqlBool>`coalesce(progress.status, 'on_track') = ${status}`] : []),
  ];
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

const Cursor = z.tuple([z.number(), z.string(), z.string(), z.uuid()]);

/** The names break ties, in the database's own order. */
function comesAfter(cursor: string | undefined): Expression<SqlBool> {
  if (cursor === undefined) return sql<SqlBool>`true`;
  const [percentage, firstName, lastName, id] = readCursor(cursor);
  return sql<SqlBool>`(overall_percentage < ${percentage}::numeric or (overall_percentage = ${percentage}::numeric
    and (first_name, last_name, participant_id) > (${firstName}, ${lastName}, ${id}::uuid)))`;
}

function readCursor(cursor: string) {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch (cause) {
    throw new AppError('invalid_input', 'This page does not exist any more. Please start from the first one.', {
      cause,
    });
  }
}

function writeCursor({ overallPercentage, firstName, lastName, participantId }: Row): string {
  return Buffer.from(JSON.stringify([overallPercentage, firstName, lastName, participantId])).toString('base64url');
}

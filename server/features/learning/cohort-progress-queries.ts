import { type Expression, type SqlBool, sql } from 'kysely';
import type { listCohortProgress, MemberProgress } from '#contract/cohort-progress.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { builtOnceByRole, ofEachRole } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { runningFirst } from '#server/features/cohorts/cohort-queries.ts';
import { peopleAtRisk } from '#server/features/stipends/week-risk-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { countOf } from '#server/platform/matching.ts';
import { byId, byNumber, byText, descending, isAsItOpens, pagesBy } from '#server/platform/pages.ts';
import { isFoundByWords } from '#server/platform/search-pattern.ts';
import { standingGroupOf } from './cohort-standing-queries.ts';
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

const percentage = sql<number>`coalesce(progress.overall_completion_percentage, 0)`;
/** The names break ties, in the database's own order. */
const pages = pagesBy(50, [
  descending(byNumber(percentage)),
  byText(sql`profiles.first_name`),
  byText(sql`profiles.last_name`),
  byId(sql`profiles.id`),
]);
const mostCohorts = 200;

export async function findProgressCohorts(db: Db, actor: Actor) {
  const cohorts = await visibleCohorts(db, actor)
    .select(['id', 'name', 'status', 'startDate'])
    .orderBy(runningFirst)
    .limit(mostCohorts)
    .execute();
  return { cohorts };
}

/**
 * TRACK-15: finds a page in one statement, furthest first. A member without progress yet counts as 0 and on track
 * (FELL-03). A filter by standing asks first whose pay is at risk.
 */
export async function findCohortProgress(db: Db, actor: Actor, cohortId: string, filters: Filters) {
  const cohort = await loadProgressCohort(db, actor, cohortId);
  const rows = isAsItOpens(filters)
    ? await membersAsListOpens(db, actor.role, { actorId: actor.id, cohortId: cohort.id })
    : await findPageRows(db, actor, cohort.id, filters);
  const page = pages.cut(rows, ({ overallPercentage, firstName, lastName, participantId }) => [
    overallPercentage,
    firstName,
    lastName,
    participantId,
  ]);
  return {
    ...page,
    matching: rows[0]?.matching ?? 0,
  };
}

async function findPageRows(db: Db, actor: Actor, cohortId: string, filters: Filters) {
  const atRisk = filters.standing ? await atRiskFor(actor.role)(db, { actorId: actor.id, cohortId }) : [];
  return pageRows(db, actor, cohortId, { filters, atRisk }).execute();
}

const atRiskFor = ofEachRole((role) =>
  peopleAtRisk(
    (db, { actorId, cohortId }: { actorId: string; cohortId: string }) =>
      sql`${members(db, { id: actorId, role }, cohortId).select('profiles.id')}`,
  ),
);

function pageRows(
  db: Db,
  actor: Pick<Actor, 'id' | 'role'>,
  cohortId: string,
  { filters, atRisk }: { filters: Filters; atRisk: string[] },
) {
  const matching = members(db, actor, cohortId).where(matches(filters, atRisk));
  return withColumns(matching)
    .select(countOf(matching.select(sql.lit(1).as('one'))).as('matching'))
    .where(pages.comesAfter(filters.cursor))
    .orderBy(pages.inOrder)
    .limit(pages.most);
}

/** Other choices leave out what is not asked for, so their text differs. */
const membersAsListOpens = builtOnceByRole((db, role, { actorId, cohortId }: { actorId: string; cohortId: string }) =>
  pageRows(db, { id: actorId, role }, cohortId, { filters: {}, atRisk: [] }),
);

export async function findMemberProgress(db: Db, actor: Actor, membership: Membership): Promise<MemberProgress> {
  const member = await loadMember(db, actor, membership);
  const [{ progress, selection }, modules] = await Promise.all([
    findStanding(db, membership),
    findModules(db, membership),
  ]);
  return {
    ...member,
    progress,
    modules,
    selection,
    can: { setModules: true, lockTrack: mayLock(actor, selection && { ...selection, ...membership }) },
  };
}

function members(db: Db, actor: Pick<Actor, 'id' | 'role'>, cohortId: string) {
  return visibleMembers(db, actor)
    .leftJoin('participantProgress as progress', (join) =>
      join
        .onRef('progress.participantId', '=', 'membership.participantId')
        .onRef('progress.cohortId', '=', 'membership.cohortId'),
    )
    .innerJoin('cohorts', 'cohorts.id', 'membership.cohortId')
    .innerJoin('programmes', 'programmes.id', 'cohorts.programmeId')
    .where('membership.cohortId', '=', cohortId);
}

function withColumns(matching: ReturnType<typeof members>) {
  return matching
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
    ]);
}

function matches({ search, status, standing }: Filters, atRisk: string[]): Expression<SqlBool> {
  const conditions = [
    isFoundByWords(search ?? ''),
    ...(status ? [sql<SqlBool>`coalesce(progress.status, 'on_track') = ${status}`] : []),
    ...(standing ? [sql<SqlBool>`${standingGroupOf(atRisk)} = ${standing}`] : []),
  ];
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

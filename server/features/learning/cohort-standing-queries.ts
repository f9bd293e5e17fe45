import { type RawBuilder, sql } from 'kysely';
import type { CohortStandings } from '#contract/programme-figures.ts';
import { daysOfWeek, type StandingGroup, standingGroups } from '#contract/standing.ts';
import { ofEachRole } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { peopleAtRisk } from '#server/features/stipends/week-risk-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { visibleMembers } from './fellowship-access.ts';
import { daysAheadOf } from './taught-items.ts';

const mostCohorts = 200;

/**
 * Counts the members of each running cohort by how they stand, in two statements. The week is taken as it was judged,
 * and the program as it was derived.
 */
export async function findCohortStandings(db: Db, actor: Actor): Promise<CohortStandings> {
  const atRisk = await atRiskFor(actor.role)(db, { actorId: actor.id });
  const standings = runningMembers(db, actor)
    .leftJoin('participantProgress as progress', (join) =>
      join
        .onRef('progress.participantId', '=', 'membership.participantId')
        .onRef('progress.cohortId', '=', 'membership.cohortId'),
    )
    .select(['cohorts.id', 'cohorts.name', 'cohorts.startDate', standingGroupOf(atRisk).as('standing')])
    .select(sql<number>`count(*)::integer`.as('members'))
    .groupBy(['cohorts.id', 'cohorts.name', 'cohorts.startDate', 'standing']);
  const rows = await db
    .selectFrom(standings.as('standings'))
    .select(['id', 'name', sql<number>`sum(members)::integer`.as('members'), countsByGroup.as('groups')])
    .groupBy(['id', 'name', 'startDate'])
    .orderBy('startDate', 'desc')
    .orderBy('id')
    .limit(mostCohorts)
    .execute();
  return { cohorts: rows };
}

const atRiskFor = ofEachRole((role) =>
  peopleAtRisk(
    (db, { actorId }: { actorId: string }) =>
      sql`${runningMembers(db, { id: actorId, role }).select('profiles.id').distinct()}`,
  ),
);

function runningMembers(db: Db, actor: Pick<Actor, 'id' | 'role'>) {
  return visibleMembers(db, actor)
    .innerJoin('cohorts', 'cohorts.id', 'membership.cohortId')
    .innerJoin('programmes', 'programmes.id', 'cohorts.programmeId')
    .where('cohorts.status', '=', sql.lit('active'));
}

/**
 * Does in SQL what `standingGroup` does. Expects `profiles`, `cohorts`, `programmes` and `progress`, and the people at risk. They are a
 * set here, because a kept plan would look through a list of them for each person.
 */
export function standingGroupOf(atRisk: string[]): RawBuilder<StandingGroup> {
  const percentage = sql`progress.overall_completion_percentage`;
  return sql<StandingGroup>`case
    when profiles.id in (select unnest(${atRisk}::uuid[])) then 'atRisk'
    when progress.status is not null and ${percentage} < 100
      and ${daysAheadOf('cohorts', sql`programmes.zone`, percentage)} <= -${sql.lit(daysOfWeek)} then 'behind'
    else 'onTrack' end`;
}

const countsByGroup = sql<Record<StandingGroup, number>>`jsonb_build_object(${sql.join(
  standingGroups.map(
    (name) => sql`${sql.lit(name)}, coalesce(sum(members) filter (where standing = ${sql.lit(name)}), 0)::integer`,
  ),
)})`;

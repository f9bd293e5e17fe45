import { type Expression, type SqlBool, sql } from 'kysely';
import type { listCohortMembers, MembershipStatus } from '#contract/cohorts.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { TrackType } from '#contract/roles.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { coachesOf } from '#server/features/coaching/coaching-access.ts';
import { presentInstant } from '#server/platform/clock.ts';
import { notFound } from '#server/platform/errors.ts';
import { countOf } from '#server/platform/matching.ts';
import { byId, byText, pagesBy } from '#server/platform/pages.ts';
import { isFoundByWords } from '#server/platform/search-pattern.ts';
import { cohortGone } from './cohort-setup-queries.ts';

type Filters = ParsedInputOf<typeof listCohortMembers>['query'];

export interface Membership {
  cohortId: string;
  participantId: string;
}

const nameKey = sql<string>`lower(profiles.full_name)`;
const pages = pagesBy(50, [byText(nameKey), byId(sql`profiles.id`)]);

/** Returns members by name, as the list of users does. The same statement counts all matches. */
export async function findCohortMembers(db: Db, cohortId: string, filters: Filters) {
  const cohort = await db.selectFrom('cohorts').select('id').where('id', '=', cohortId).executeTakeFirst();
  if (!cohort) throw cohortGone();
  const matching = members(db, cohortId).where(matches(filters));
  const found = await withColumns(db, matching)
    .select(countOf(matching.select('membership.participantId')).as('matching'))
    .select(nameKey.as('nameKey'))
    .where(pages.comesAfter(filters.cursor))
    .orderBy(pages.inOrder)
    .limit(pages.most)
    .execute();
  const { rows, nextCursor } = pages.cut(found, ({ nameKey, participantId }) => [nameKey, participantId]);
  return {
    rows: rows.map(({ matching: _, nameKey: __, ...row }) => toMember(row)),
    nextCursor,
    matching: found[0]?.matching ?? 0,
  };
}

/** Also returns what they did in the cohort, which stays when they leave it. */
export async function findCohortMember(db: Db, { cohortId, participantId }: Membership) {
  const [row] = await memberOf(db, { cohortId, participantId });
  if (!row) throw memberGone();
  return { ...toMember(row), stays: row.stays, upcomingSessions: row.upcomingSessions };
}

const memberOf = builtOnce((db, { cohortId, participantId }: { cohortId: string; participantId: string }) =>
  withColumns(db, members(db, cohortId))
    .select([
      sql<{ submissions: number; attendance: number; stipends: number }>`json_build_object(
        'submissions', (select count(*) from content_submissions submission
          join content_assignments assignment on assignment.id = submission.assignment_id
          join content_items item on item.id = assignment.content_item_id
          join training_activities activity on activity.id = item.training_activity_id
          where submission.user_id = ${participantId} and activity.cohort_id = ${cohortId}),
        'attendance', (select count(*) from attendance_records
          where fellow_id = ${participantId} and cohort_id = ${cohortId}),
        'stipends', (select count(*) from stipend_eligibility
          where fellow_id = ${participantId} and cohort_id = ${cohortId}))`.as('stays'),
      sql<number>`(select count(*) from coaching_sessions
        where coaching_sessions.participant_id = ${participantId} and coaching_sessions.status = 'scheduled'
          and scheduled_at > ${presentInstant}::timestamptz)`.as('upcomingSessions'),
    ])
    .where('membership.participantId', '=', participantId),
);

export function memberGone() {
  return notFound('This person is not in the cohort.');
}

function members(db: Db, cohortId: string) {
  return db
    .selectFrom('cohortParticipants as membership')
    .innerJoin('profiles', 'profiles.id', 'membership.participantId')
    .where('membership.cohortId', '=', cohortId)
    .where('profiles.deletedAt', 'is', null);
}

function withColumns(db: Db, found: ReturnType<typeof members>) {
  const names = coachesOf(db, sql.ref('profiles.id')).select('coach.fullName as name');
  return found
    .select(['profiles.id as participantId', 'profiles.firstName', 'profiles.lastName', 'profiles.email'])
    .select(['profiles.role', sql<TrackType | null>`profiles.track_type`.as('trackType')])
    .select(sql<string[]>`array(select distinct name from ${names} as coaches order by name)`.as('coaches'))
    .select([sql<MembershipStatus>`membership.status`.as('status'), 'membership.enrolledAt', 'membership.endedAt']);
}

function toMember<Row extends { enrolledAt: Date; endedAt: Date | null }>(row: Row) {
  return { ...row, enrolledAt: row.enrolledAt.toISOString(), endedAt: row.endedAt?.toISOString() ?? null };
}

function matches({ search, status }: Filters): Expression<SqlBool> {
  const conditions = [isFoundByWords(search), ...(status ? [sql<SqlBool>`membership.status = ${status}`] : [])];
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

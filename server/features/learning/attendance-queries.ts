import { type Expression, type SqlBool, sql } from 'kysely';
import type { readAttendance } from '#contract/activities.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { dayAt } from '#contract/weeks.ts';
import { builtOnceByRole } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { ownParticipantIds } from '#server/features/coaching/coaching-access.ts';
import { suitsTrack } from '#server/features/curriculum/curriculum-access.ts';
import { paysForWeek } from '#server/features/programmes/calendar-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { byId, byText, pagesBy } from '#server/platform/pages.ts';
import { isFoundByWords } from '#server/platform/search-pattern.ts';
import { decidedRefusal, futureRefusal, loadActivity, standsIn } from './learning-access.ts';

type Filters = ParsedInputOf<typeof readAttendance>['query'];

const pages = pagesBy(50, [byText(sql`last_name`), byText(sql`first_name`), byId(sql`id`)]);

/** Finds a page in one statement, after the activity itself. The person must be able to see the activity. */
export async function findAttendance(db: Db, actor: Actor, activityId: string, { search, cursor }: Filters) {
  const activity = await loadActivity(db, actor, activityId);
  const rows =
    search || cursor
      ? await pageRows(db, actor, { activityId, search, cursor }).execute()
      : await firstPage(db, actor.role, { actorId: actor.id, activityId });
  const page = pages.cut(rows, ({ lastName, firstName, id }) => [lastName, firstName, id]);
  const today = dayAt(now(), activity.zone);
  return {
    rows: page.rows.map((row) => {
      const attended = row.accessedAt !== null;
      const refusal = decidedRefusal(row.decided) ?? futureRefusal({ ...activity, isCompleted: attended }, today);
      return {
        participantId: row.id,
        name: `${row.firstName} ${row.lastName}`,
        email: row.email,
        attended,
        recordedAt: row.accessedAt?.toISOString() ?? null,
        recordedBy: row.recordedBy,
        reason: row.reason,
        excusedBecause: row.excusedBecause,
        excuseRefusal: decidedRefusal(row.decided)?.message ?? null,
        refusal: refusal?.message ?? null,
      };
    }),
    nextCursor: page.nextCursor,
    attendedCount: rows[0]?.attendedCount ?? 0,
    totalCount: rows[0]?.totalCount ?? 0,
  };
}

interface Asked extends Filters {
  activityId: string;
}

function pageRows(db: Db, actor: Pick<Actor, 'id' | 'role'>, { activityId, search, cursor }: Asked) {
  return db
    .with('people', () => taughtPeople(db, actor, activityId).where(isFoundByWords(search ?? '')))
    .selectFrom('people')
    .selectAll()
    .select((eb) => [
      eb.selectFrom('people as all').select(eb.fn.countAll<number>().as('n')).$asScalar().$notNull().as('totalCount'),
      eb
        .selectFrom('people as all')
        .select(({ fn }) => fn.count<number>('all.accessedAt').as('n'))
        .$asScalar()
        .$notNull()
        .as('attendedCount'),
    ])
    .where(pages.comesAfter(cursor))
    .orderBy(pages.inOrder)
    .limit(pages.most);
}

const firstPage = builtOnceByRole((db, role, { actorId, activityId }: { actorId: string; activityId: string }) =>
  pageRows(db, { id: actorId, role }, { activityId }),
);

/**
 * The people that an activity is for: members of its cohort (of any, if it has none) with a track that it suits, in the
 * cohort that they are in now (FELL-08), or completed. A coach sees only their own participants.
 */
function taughtPeople(db: Db, actor: Pick<Actor, 'id' | 'role'>, activityId: string) {
  return db
    .selectFrom('trainingActivities')
    .innerJoin('cohortParticipants as membership', (join) =>
      join.on('membership.cohortId', '=', sql<string>`any(${meantCohorts})`),
    )
    .innerJoin('cohorts', 'cohorts.id', 'membership.cohortId')
    .innerJoin('profiles', 'profiles.id', 'membership.participantId')
    .leftJoin('attendanceRecords as attendance', (join) =>
      join
        .onRef('attendance.contentId', '=', 'trainingActivities.id')
        .onRef('attendance.fellowId', '=', 'membership.participantId'),
    )
    .leftJoin('excusedAbsences as excuse', (join) =>
      join
        .onRef('excuse.activityId', '=', 'trainingActivities.id')
        .onRef('excuse.participantId', '=', 'membership.participantId'),
    )
    .leftJoin('profiles as recorder', 'recorder.id', 'attendance.recordedBy')
    .select([
      'profiles.id',
      'profiles.firstName',
      'profiles.lastName',
      'profiles.email',
      'attendance.accessedAt',
      'attendance.reason',
      decidedStipend().as('decided'),
      'recorder.fullName as recordedBy',
      'excuse.reason as excusedBecause',
    ])
    .where('trainingActivities.id', '=', activityId)
    .where('profiles.role', '=', 'participant')
    .where('profiles.deletedAt', 'is', null)
    .where(suitsTrack(sql.ref('profiles.track_type')))
    .where((eb) => eb.or([isPresentMembership(), isCompletedMembership()]))
    .$if(actor.role !== 'admin', (people) => people.where('profiles.id', '=', ownParticipantIds(db, actor)));
}

/** Of an activity of one cohort no other cohort is read. */
const meantCohorts = sql<string[]>`case when training_activities.cohort_id is null
  then array(select id from cohorts where cohorts.programme_id = training_activities.programme_id) else array[training_activities.cohort_id] end`;

/**
 * A decided stipend of the activity's week. If the activity has moved since, the week that the record was made for
 * counts too.
 */
function decidedStipend() {
  return sql<{ weekNumber: number; paymentStatus: string } | null>`(
    select json_build_object('weekNumber', stipend.week_number, 'paymentStatus', stipend.payment_status)
    from stipend_eligibility stipend
    where stipend.fellow_id = membership.participant_id and stipend.payment_status <> 'pending'
      and (stipend.cohort_id = membership.cohort_id
          and ${paysForWeek('stipend', sql`training_activities.week_number`)}
        or stipend.cohort_id = attendance.cohort_id
          and ${paysForWeek('stipend', sql`attendance.week_number`)})
    limit 1)`;
}

/** A person who is in a later cohort by now still counts, while the stipend that counts the attendance is undecided. */
function isPresentMembership(): Expression<SqlBool> {
  return sql<SqlBool>`(exists (select from stipend_eligibility owed where owed.fellow_id = membership.participant_id
      and owed.cohort_id = membership.cohort_id and owed.cohort_id = training_activities.cohort_id
      and owed.payment_status = 'pending' and owed.is_member
      and ${paysForWeek('owed', sql`training_activities.week_number`)})
    or membership.status = 'active' and not exists (select from cohort_participants later join cohorts c on c.id = later.cohort_id
    where later.participant_id = membership.participant_id and later.status = 'active'
      and (c.start_date, c.id) > (cohorts.start_date, cohorts.id)))`;
}

/** Whoever completed the activity's cohort stays in its lists, whichever cohort they are in now. */
function isCompletedMembership(): Expression<SqlBool> {
  return sql<SqlBool>`(membership.status = 'completed' and membership.cohort_id = training_activities.cohort_id
    and ${standsIn(sql`training_activities.week_number`)})`;
}

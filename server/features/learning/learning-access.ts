import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { defaultUnlockedWeeks } from '#contract/default-programme.ts';
import { type ActivityState, opensOn } from '#contract/learning.ts';
import { dayIn } from '#contract/moments.ts';
import { builtOnce, builtOnceByRole } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { coachIdsOf, isOwnParticipant } from '#server/features/coaching/coaching-access.ts';
import { shownAudiences, visibleActivities } from '#server/features/curriculum/curriculum-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError, notFound } from '#server/platform/errors.ts';

interface ActivityFacts {
  weekNumber: number;
  sessionDate: string | null;
  isCompleted: boolean;
}

interface Membership {
  id: string;
  unlockedWeeks: number;
}

export const noCohort = 'You have no active cohort, so there is nothing to correct.';
/** The reason why attendance of an activity that was moved away from a participant cannot be corrected. */
export const notTaughtAnyMore =
  "This activity is no longer part of this participant's program, so you cannot correct its attendance.";

/** CAL-12 to CAL-16, in their order of precedence. An activity without a day is neither overdue nor today. */
export function activityState(activity: ActivityFacts, today: string, unlockedWeeks: number): ActivityState {
  const { isCompleted, sessionDate, weekNumber } = activity;
  if (isCompleted) return 'completed';
  if (sessionDate !== null && sessionDate < today) return 'overdue';
  if (sessionDate === today) return 'today';
  return weekNumber > unlockedWeeks ? 'locked' : 'upcoming';
}

/** The weeks that are open to a person: their cohort's setting or, without a cohort, the product's own. */
export function unlockedWeeksOf(cohort: Pick<Membership, 'unlockedWeeks'> | null | undefined): number {
  return cohort?.unlockedWeeks ?? defaultUnlockedWeeks;
}

/**
 * The reason why nothing of the activity can be done yet, or null (CAL-15). Its day opens it, or an admin opens its
 * week.
 */
export function lockedRefusal(activity: ActivityFacts, unlockedWeeks: number, today: string): AppError | null {
  if (activityState(activity, today, unlockedWeeks) !== 'locked') return null;
  return new AppError('conflict', opensOn(activity.sessionDate));
}

/** The reason why a participant cannot complete the activity now, or null. A repeat is no refusal (ACT-21). */
export function completionRefusal(
  activity: ActivityFacts & { removedBecause: string | null },
  cohort: Membership | null | undefined,
  today: string,
): AppError | null {
  if (!cohort) return new AppError('conflict', 'You have no active cohort, so nothing can be recorded.');
  return (
    removedRefusal(activity) ?? lockedRefusal(activity, cohort.unlockedWeeks, today) ?? futureRefusal(activity, today)
  );
}

/** A person in a later cohort records nothing in an earlier one. */
export function otherCohortRefusal(
  { isCompleted, cohortId }: { isCompleted: boolean; cohortId: string | null },
  present: Membership | null | undefined,
): AppError | null {
  if (isCompleted || cohortId === null || cohortId === present?.id) return null;
  return new AppError('conflict', 'This activity is from an earlier cohort. Ask for a correction to record it.');
}

/** If a coach or an admin took attendance back, only they record it again. The participant asks for it. */
function removedRefusal(activity: { isCompleted: boolean; removedBecause: string | null }): AppError | null {
  if (activity.isCompleted || activity.removedBecause === null) return null;
  return new AppError('conflict', `Your attendance was removed: ${activity.removedBecause}`);
}

/** Nobody can attend a session that is still to come (ACT-22). */
export function futureRefusal({ isCompleted, sessionDate }: ActivityFacts, today: string): AppError | null {
  if (isCompleted || sessionDate === null || sessionDate <= today) return null;
  return new AppError(
    'conflict',
    `This session takes place on ${inWords(sessionDate)}. You can complete it from that day.`,
  );
}

function inWords(day: string): string {
  return dayIn(new Date(`${day}T12:00:00Z`), 'UTC');
}

/**
 * The reason why attendance of a week cannot be corrected any more, or null. A decided week stays explained by its
 * facts.
 */
export function decidedRefusal(
  stipend: { weekNumber: number; paymentStatus: string | null } | null | undefined,
): AppError | null {
  if (!stipend?.paymentStatus || stipend.paymentStatus === 'pending') return null;
  return new AppError(
    'conflict',
    `The stipend of week ${stipend.weekNumber} is ${stipend.paymentStatus} already, so its attendance can no longer be corrected.`,
  );
}

type Viewer = Pick<Actor, 'id' | 'role' | 'trackType'>;

/** Loads an activity that the person may see, with their own completion. Any other is not found (ACT-11). */
export async function loadActivity(db: Db, viewer: Viewer, activityId: string) {
  const activity = await findVisibleActivity(db, viewer, activityId);
  if (!activity) throw notFound('Activity not found');
  return activity;
}

export async function findVisibleActivity(db: Db, viewer: Viewer, activityId: string) {
  return withCompletion(await among(visibleActivities(db, viewer), viewer, activityId).executeTakeFirst());
}

/**
 * As `findVisibleActivity`, but a participant also finds activities of another cohort that they are in, or that they
 * left when the activity's week was over. Its stipend may rest on the attendance.
 */
export async function findOwnActivity(db: Db, { id, role, trackType }: Viewer, activityId: string) {
  const [activity] = await ownActivity(db, role, { id, trackType, activityId });
  return withCompletion(activity);
}

/** What a role sees is other text, so each has its own statement. */
const ownActivity = builtOnceByRole(
  (db, role, { activityId, ...person }: Omit<Viewer, 'role'> & { activityId: string }) => {
    const viewer = { ...person, role };
    return among(visibleActivities(db, viewer, wasTaughtTo(sql.val(viewer.id))), viewer, activityId);
  },
);

export async function loadOwnActivity(db: Db, viewer: Viewer, activityId: string) {
  const activity = await findOwnActivity(db, viewer, activityId);
  if (!activity) throw notFound('Activity not found');
  return activity;
}

/**
 * True if a participant is in a cohort of the row of `training_activities`, or was until the activity's week was over.
 */
export function wasTaughtTo(participantId: Expression<string>) {
  return sql<boolean>`exists (select from ${membershipsOf(participantId)}
    join cohorts on cohorts.id = membership.cohort_id
    where coalesce(membership.cohort_id = training_activities.cohort_id, true)
      and ${standsIn(sql`training_activities.week_number`)})`;
}

function membershipsOf(participantId: Expression<string>) {
  return sql`(select * from cohort_participants where participant_id = ${participantId}) membership`;
}

/**
 * Finds the cohort in which an attendance of the activity counts, among the rows of `membership`. It is the activity's
 * own, or else the present one (FELL-08), or else the last one. It is null without a row.
 */
export function standingCohortId(memberships: RawBuilder<unknown>, { cohortId, weekNumber }: PlacedActivity) {
  return sql<string | null>`(select membership.cohort_id from ${memberships}
    join cohorts on cohorts.id = membership.cohort_id
    where membership.cohort_id = coalesce(${cohortId}::uuid, membership.cohort_id)
      and ${standsIn(sql`${weekNumber}::integer`)}
    order by membership.status = 'active' desc, cohorts.start_date desc, cohorts.id desc limit 1)`;
}

export async function findStandingCohortId(db: Db, participantId: string, { cohortId, weekNumber }: PlacedActivity) {
  const [found] = await standingCohort(db, { participantId, cohortId, weekNumber });
  return found?.id ?? null;
}

const standingCohort = builtOnce((db, { participantId, ...activity }: PlacedActivity & { participantId: string }) =>
  db.selectNoFrom(standingCohortId(membershipsOf(sql.val(participantId)), activity).as('id')),
);

interface PlacedActivity {
  cohortId: string | null;
  weekNumber: number;
}

/** A column: the zone of an activity's program, in which its day and its time are meant. */
export const zoneOfActivity = sql<string>`(select zone from programmes where id = training_activities.programme_id)`.as(
  'zone',
);

/** Expects `membership` and `cohorts`. */
export function standsIn(week: Expression<unknown>) {
  return sql<SqlBool>`(membership.status = 'active' or (membership.ended_at at time zone zone_of_cohort(membership.cohort_id))::date
    > cohorts.start_date + 7 * (${week} - 1) + 4)`;
}

function among(activities: ReturnType<typeof visibleActivities>, viewer: Viewer, activityId: string) {
  return activities
    .leftJoin('cohorts', 'cohorts.id', 'trainingActivities.cohortId')
    .leftJoin('attendanceRecords', (join) =>
      join
        .onRef('attendanceRecords.contentId', '=', 'trainingActivities.id')
        .on('attendanceRecords.fellowId', '=', viewer.id),
    )
    .leftJoin('attendanceRemovals', (join) =>
      join
        .onRef('attendanceRemovals.activityId', '=', 'trainingActivities.id')
        .on('attendanceRemovals.participantId', '=', viewer.id),
    )
    .selectAll('trainingActivities')
    .select((eb) => [
      'cohorts.name as cohortName',
      'attendanceRecords.id as attendanceId',
      'attendanceRecords.accessedAt as completedAt',
      'attendanceRecords.cohortId as recordedCohortId',
      'attendanceRecords.weekNumber as recordedWeek',
      'attendanceRemovals.reason as removedBecause',
      eb('attendanceRecords.id', 'is not', null).as('isCompleted'),
      sql<string | null>`to_char(training_activities.session_time, 'HH24:MI')`.as('sessionTime'),
      zoneOfActivity,
      shownAudiences(viewer).as('shownAudiences'),
    ])
    .where('trainingActivities.id', '=', activityId);
}

type FoundActivity = Awaited<ReturnType<ReturnType<typeof among>['execute']>>[number];

function withCompletion(activity: FoundActivity | undefined) {
  return activity && { ...activity, isCompleted: Boolean(activity.isCompleted) };
}

/** A column for any query. */
export const allAdminIds = sql<string[]>`array(select id from profiles where role = 'admin' and deleted_at is null)`;

/**
 * Loads a participant whose learning the actor looks after. A coach has their own enrolled ones, and an admin
 * everybody.
 */
export async function loadCoachedParticipant(db: Db, actor: Actor, participantId: string) {
  const participant = await db
    .selectFrom('profiles')
    .select((eb) => ['id', 'trackType', 'fullName as name', coachIdsOf(db, eb.ref('profiles.id')).as('coachIds')])
    .where('id', '=', participantId)
    .where('role', '=', 'participant')
    .where('deletedAt', 'is', null)
    .$if(actor.role !== 'admin', (participants) =>
      participants.where((eb) => isOwnParticipant(db, actor, eb.ref('profiles.id'))),
    )
    .executeTakeFirst();
  if (!participant) throw notFound('Participant not found');
  return { ...participant, role: 'participant' as const, trackType: participant.trackType as Actor['trackType'] };
}

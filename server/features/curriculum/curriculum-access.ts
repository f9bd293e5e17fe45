import { type Expression, type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { NamedAudience } from '#contract/learning.ts';
import type { Db } from '#server/db/database.ts';
import type { DB } from '#server/db/schema.gen.ts';
import type { Actor } from '#server/platform/actor.ts';

type Viewer = Pick<Actor, 'id' | 'role' | 'trackType'>;

/**
 * Returns the activities that a person may see. Participants see those of their track that belong to their own cohort
 * or to none. Coaches see those of their track, or all if they have none (CAL-21). Admins see all (CAL-22). Everything
 * below an activity (contents, assignments) is loaded through this. `orElse` lets a participant see more of their
 * track.
 */
export function visibleActivities(db: Db, viewer: Viewer, orElse?: RawBuilder<boolean>) {
  const activities = db.selectFrom('trainingActivities');
  if (viewer.role === 'admin') return activities;
  if (viewer.role === 'coach') {
    return viewer.trackType ? activities.where(suitsTrack(sql.val(viewer.trackType))) : activities;
  }
  return activities
    .where(suitsTrack(sql.val(viewer.trackType)))
    .where((eb) =>
      eb.or([
        eb.and([
          eb('trainingActivities.cohortId', 'is', null),
          eb('trainingActivities.programmeId', '=', activeProgrammeId(viewer.id)),
        ]),
        eb('trainingActivities.cohortId', '=', activeCohortId(eb, viewer.id)),
        ...(orElse ? [orElse] : []),
      ]),
    );
}

/**
 * The assignments below one activity, as a table to join laterally. PostgreSQL expects more activities than a person or
 * a week has, and would rather read the contents of every cohort. Because of the offset it looks up these.
 */
export function assignmentsBelow(activityId: Expression<unknown>) {
  return sql<BelowActivity>`(
    select ${columnsOfWork}
    from content_items item
    join content_assignments assignment on assignment.content_item_id = item.id
    where item.training_activity_id = ${activityId} and item.archived_at is null and assignment.archived_at is null
    offset 0)`;
}

/**
 * The assignments below all activities that `ids` selects, as a table with an `activity_id`. PostgreSQL looks up all at
 * once what the arrays name. One by one, a cohort's hundred take six blocks each.
 */
export function assignmentsBelowAll(ids: RawBuilder<unknown>) {
  return sql<BelowActivity & { activityId: string }>`(
    with item as materialized (
      select * from content_items where training_activity_id = any(array(${ids})) and archived_at is null)
    select item.training_activity_id as activity_id, ${columnsOfWork}
    from item join content_assignments assignment on assignment.content_item_id = item.id
    where assignment.content_item_id = any(array(select id from item)) and assignment.archived_at is null)`;
}

const columnsOfWork = sql`assignment.id, assignment.title, assignment.is_required, assignment.due_date as own_due_date,
  coalesce(assignment.due_date, item.due_date) as due_date, item.order_index`;

interface BelowActivity {
  id: string;
  title: string;
  isRequired: boolean;
  ownDueDate: string | null;
  /** The assignment's own, or else its content's. */
  dueDate: string | null;
  orderIndex: number;
}

/**
 * CAL-18 to CAL-20: true if one of the audiences of the row of `training_activities`, or of a table with its `reaches`,
 * reaches a track. A person without a track counts as fellowship.
 */
export function suitsTrack(track: Expression<string | null>, activities = 'training_activities'): RawBuilder<boolean> {
  return sql<boolean>`(coalesce(${track}, 'fellowship') = any(${sql.ref(`${activities}.reaches`)}))`;
}

/**
 * Counts, for each program and track, the people who are taught the activities of no cohort there. They are the active
 * members of cohorts, each in the program of the latest one.
 */
export function reachedOfTracks(db: Pick<Db, 'selectFrom'>) {
  return db
    .selectFrom('cohortParticipants')
    .innerJoin('cohorts', 'cohorts.id', 'cohortParticipants.cohortId')
    .innerJoin('profiles', 'profiles.id', 'cohortParticipants.participantId')
    .select(({ fn }) => ['cohorts.programmeId', 'profiles.trackType', fn.countAll<number>().as('people')])
    .where('cohortParticipants.status', '=', sql.lit('active'))
    .where('profiles.role', '=', 'participant')
    .where('profiles.deletedAt', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('cohortParticipants as other')
            .innerJoin('cohorts as later', 'later.id', 'other.cohortId')
            .select('later.id')
            .whereRef('other.participantId', '=', 'cohortParticipants.participantId')
            .where('other.status', '=', sql.lit('active'))
            .where(sql<boolean>`(later.start_date, later.id) > (cohorts.start_date, cohorts.id)`),
        ),
      ),
    )
    .groupBy(['cohorts.programmeId', 'profiles.trackType']);
}

/**
 * Returns the audiences of the row of `training_activities` that a person is shown (ACT-02 to ACT-04). A coach of a track
 * sees those that reach it, and a coach without one those that reach anybody.
 */
export function shownAudiences(viewer: Viewer): RawBuilder<NamedAudience[]> {
  if (viewer.role === 'participant') return sql`'[]'::jsonb`;
  const ofTrack = viewer.trackType ? sql`${viewer.trackType} = any(kinds)` : sql`kinds <> '{}'`;
  return sql`(select coalesce(jsonb_agg(jsonb_build_object('key', key, 'label', label) order by place), '[]')
    from programme_audiences
    where key = any(training_activities.audiences) and ${viewer.role === 'admin' ? sql`true` : ofTrack})`;
}

/** FELL-08 */
function activeCohortId(eb: ExpressionBuilder<DB, 'trainingActivities'>, participantId: string) {
  return eb
    .selectFrom('cohortParticipants')
    .innerJoin('cohorts', 'cohorts.id', 'cohortParticipants.cohortId')
    .select('cohorts.id')
    .where('cohortParticipants.participantId', '=', participantId)
    .where('cohortParticipants.status', '=', sql.lit('active'))
    .orderBy('cohorts.startDate', 'desc')
    .orderBy('cohorts.id', 'desc')
    .limit(1);
}

/** That of the person's cohort. Who has none sees what the specified one teaches everybody. */
function activeProgrammeId(participantId: string): RawBuilder<string> {
  return sql`coalesce((select cohorts.programme_id from cohort_participants membership
    join cohorts on cohorts.id = membership.cohort_id
    where membership.participant_id = ${participantId} and membership.status = 'active'
    order by cohorts.start_date desc, cohorts.id desc limit 1), default_programme_id())`;
}

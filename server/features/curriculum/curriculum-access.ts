import { type Expression, type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Programme } from '#contract/learning.ts';
import type { TrackType } from '#contract/roles.ts';
import type { Db } from '#server/db/database.ts';
import type { DB, TrainingActivitiesTable } from '#server/db/schema.gen.ts';
import type { Actor } from '#server/platform/actor.ts';

/** Which badges a coach of a track is shown (ACT-03). */
const programmesOfTrack: Record<TrackType, Programme[]> = {
  fellowship: ['fellowship', 'fellowship_adjunct'],
  adult_mobilization: ['amp'],
  self_learner: ['fellowship'],
};

/** This column of `training_activities` says whether a programme is taught it. */
export const flagOfProgramme = {
  fellowship: 'applicableFellowship',
  amp: 'applicableAmp',
  fellowship_adjunct: 'applicableFellowshipAdjunct',
  ambassador: 'applicableAmbassador',
} as const satisfies Record<Programme, keyof TrainingActivitiesTable>;

type Viewer = Pick<Actor, 'id' | 'role' | 'trackType'>;
type ProgrammeFlags = Record<(typeof flagOfProgramme)[Programme], boolean>;

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
    select assignment.id, assignment.title, assignment.is_required, assignment.due_date as own_due_date,
      coalesce(assignment.due_date, item.due_date) as due_date, item.order_index
    from content_items item
    join content_assignments assignment on assignment.content_item_id = item.id
    where item.training_activity_id = ${activityId} and item.archived_at is null and assignment.archived_at is null
    offset 0)`;
}

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
 * CAL-18 to CAL-20: true if one of the audiences of the row of `training_activities` reaches a track. A person without a
 * track counts as fellowship.
 */
export function suitsTrack(track: Expression<string | null>): RawBuilder<boolean> {
  return sql<boolean>`(coalesce(${track}, 'fellowship') = any(training_activities.reaches))`;
}

/**
 * Counts, for each track, the people who are taught activities of no cohort. They are the active members of cohorts.
 */
export function reachedOfTracks(db: Pick<Db, 'selectFrom'>) {
  return db
    .selectFrom('profiles')
    .select(({ fn }) => ['profiles.trackType', fn.countAll<number>().as('people')])
    .where('profiles.role', '=', 'participant')
    .where('profiles.deletedAt', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('cohortParticipants')
          .select('cohortId')
          .whereRef('cohortParticipants.participantId', '=', 'profiles.id')
          .where('cohortParticipants.status', '=', 'active'),
      ),
    )
    .groupBy('profiles.trackType');
}

/** True if the row of `training_activities` belongs to a programme. */
export function belongsToProgramme(programme: Programme): RawBuilder<boolean> {
  return anyFlag([programme]);
}

/** Returns the programme badges that a person is shown (ACT-02 to ACT-04). */
export function shownProgrammes(viewer: Viewer, flags: ProgrammeFlags): Programme[] {
  if (viewer.role === 'participant') return [];
  const applicable = (Object.keys(flagOfProgramme) as Programme[]).filter((name) => flags[flagOfProgramme[name]]);
  if (viewer.role === 'admin') return applicable;
  const own = viewer.trackType ? programmesOfTrack[viewer.trackType] : null;
  return applicable.filter((name) => (own ? own.includes(name) : name !== 'ambassador'));
}

function anyFlag(programmes: Programme[]): RawBuilder<boolean> {
  const flags = programmes.map((name) => sql.ref(`trainingActivities.${flagOfProgramme[name]}`));
  return sql<boolean>`(${sql.join(flags, sql` or `)})`;
}

/** FELL-08 */
function activeCohortId(eb: ExpressionBuilder<DB, 'trainingActivities'>, participantId: string) {
  return eb
    .selectFrom('cohortParticipants')
    .innerJoin('cohorts', 'cohorts.id', 'cohortParticipants.cohortId')
    .select('cohorts.id')
    .where('cohortParticipants.participantId', '=', participantId)
    .where('cohortParticipants.status', '=', 'active')
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

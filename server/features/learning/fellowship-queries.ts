import { sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Fellowship, ModuleState, Progress, ProgressStatus, TrackSelection } from '#contract/fellowship.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { findActiveCohort } from '#server/features/cohorts/cohort-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { notFound } from '#server/platform/errors.ts';
import { coreModulesOf, type Membership, mayLock, selectRefusal, visibleTracks } from './fellowship-access.ts';
import { daysAheadOf, membershipsOf, membersWithItems } from './taught-items.ts';

/** FELL-03: nothing has counted yet. */
export const noProgress: Progress = { overallPercentage: 0, status: 'on_track', daysAheadBehind: null };

/** Takes five statements, whatever the size of the program. */
export async function findFellowship(db: Db, actor: Actor): Promise<Fellowship> {
  const [cohort, tracks, courses] = await Promise.all([
    findActiveCohort(db, actor.id),
    offeredTracks(db, {}),
    coursesOf(db, { participantId: actor.id }),
  ]);
  if (!cohort) return { ...withoutCohort, courses, tracks };
  const membership = { participantId: actor.id, cohortId: cohort.id };
  const [{ progress, selection }, modules] = await Promise.all([
    findStanding(db, membership),
    findModules(db, membership),
  ]);
  const coreModules = coreModulesOf(modules);
  return {
    cohort,
    courses,
    progress,
    coreModules,
    modules,
    tracks,
    selection,
    can: {
      selectTrack: selectRefusal(selection, coreModules) === null,
      lockTrack: mayLock(actor, selection && { ...selection, participantId: actor.id }),
    },
  };
}

const withoutCohort = {
  cohort: null,
  progress: noProgress,
  coreModules: { completed: 0, total: 0 },
  modules: [],
  selection: null,
  can: { selectTrack: false, lockTrack: false },
};

/** TRACK-06: finds a track with its modules in the curriculum of the participant's cohort. */
export async function findTrack(db: Db, actor: Actor, trackId: string) {
  const track = await visibleTracks(db, actor)
    .select(['id', 'name', 'description', 'durationWeeks'])
    .where('id', '=', trackId)
    .executeTakeFirst();
  if (!track) throw notFound('Track not found');
  const cohort = await findActiveCohort(db, actor.id);
  const modules = await db
    .selectFrom('courseModules')
    .select(['id', 'title'])
    .where('specializationTrackId', '=', trackId)
    .where('archivedAt', 'is', null)
    .$if(cohort !== undefined, (own) => own.where('curriculumVersion', '=', cohort?.curriculumVersion ?? ''))
    .orderBy('orderIndex')
    .orderBy('title')
    .execute();
  return { ...track, modules };
}

/** TRACK-05 */
const offeredTracks = builtOnce((db) =>
  db
    .selectFrom('specializationTracks')
    .select(['id', 'name', 'description', 'durationWeeks'])
    .where('isActive', '=', true)
    .orderBy('name'),
);

/** FELL-09 */
const coursesOf = builtOnce((db, { participantId }: { participantId: string }) =>
  db
    .selectFrom('userCourses')
    .innerJoin('courses', 'courses.id', 'userCourses.courseId')
    .leftJoin('profiles as coach', (join) =>
      join.onRef('coach.id', '=', 'userCourses.coachId').on('coach.deletedAt', 'is', null),
    )
    .select(['courses.id', 'courses.title'])
    .select('coach.fullName as coachName')
    .where('userCourses.userId', '=', participantId)
    .where('userCourses.status', '=', sql.lit('enrolled'))
    .orderBy('userCourses.startDate', 'desc')
    .orderBy('courses.title')
    .orderBy('courses.id'),
);

/** Finds a member's progress and chosen track, in one statement. Either may still be missing. */
export async function findStanding(db: Db, { participantId, cohortId }: Membership) {
  const [found] = await standingOf(db, { participantId, cohortId });
  if (!found) return { progress: noProgress, selection: null };
  const { chosen, ...progress } = found;
  return { progress, selection: chosen ? selectionOf(chosen) : null };
}

const standingOf = builtOnce((db, { participantId, cohortId }: { participantId: string; cohortId: string }) =>
  standingsOf(db, { participantId, cohortId }).select((eb) =>
    jsonObjectFrom(
      eb
        .selectFrom('trackSelections as selection')
        .innerJoin('specializationTracks as track', 'track.id', 'selection.specializationTrackId')
        .select(['selection.id', 'selection.notes', 'selection.isLocked', 'track.id as trackId'])
        .select(['selection.selectedAt', 'selection.lockedAt'])
        .select(['track.name', 'track.description', 'track.durationWeeks'])
        .whereRef('selection.participantId', '=', 'membership.participantId')
        .whereRef('selection.cohortId', '=', 'membership.cohortId'),
    ).as('chosen'),
  ),
);

/** Selects how far a member of a cohort is, for more columns. */
export function standingsOf(db: Db, { participantId, cohortId }: Membership) {
  return db
    .selectFrom('cohortParticipants as membership')
    .innerJoin('cohorts', 'cohorts.id', 'membership.cohortId')
    .innerJoin('programmes', 'programmes.id', 'cohorts.programmeId')
    .leftJoin('participantProgress as progress', (join) =>
      join
        .onRef('progress.participantId', '=', 'membership.participantId')
        .onRef('progress.cohortId', '=', 'membership.cohortId'),
    )
    .select(progressColumns())
    .where('membership.participantId', '=', participantId)
    .where('membership.cohortId', '=', cohortId);
}

/**
 * Columns from `progress`, `cohorts` and `programmes`, for any list of members. The days are today's, not those of the last event.
 */
export function progressColumns() {
  return [
    sql<number>`coalesce(progress.overall_completion_percentage, 0)`.as('overallPercentage'),
    sql<ProgressStatus>`coalesce(progress.status, 'on_track')`.as('status'),
    sql<number | null>`case when progress.status is not null
      then ${daysAheadOf('cohorts', sql`programmes.zone`, sql`progress.overall_completion_percentage`)} end`.as(
      'daysAheadBehind',
    ),
  ] as const;
}

interface Chosen
  extends Omit<TrackSelection, 'track' | 'selectedAt' | 'lockedAt'>,
    Omit<TrackSelection['track'], 'id'> {
  selectedAt: string | Date;
  lockedAt: string | Date | null;
}

export function selectionOf({ name, description, durationWeeks, ...selection }: Chosen): TrackSelection {
  return {
    ...selection,
    track: { id: selection.trackId, name, description, durationWeeks },
    selectedAt: new Date(selection.selectedAt).toISOString(),
    lockedAt: selection.lockedAt && new Date(selection.lockedAt).toISOString(),
  };
}

/** The modules of a member's curriculum and chosen track. Each has its requirements and how it was completed. */
export async function findModules(db: Db, { participantId, cohortId }: Membership): Promise<ModuleState[]> {
  const rows = await modulesOf(db, { participantIds: [participantId], cohortId });
  return rows.map((row) => ({ ...row, completedAt: row.completedAt?.toISOString() ?? null }));
}

const modulesOf = builtOnce(
  (_, { participantIds, cohortId }: { participantIds: string[]; cohortId: string }) => sql<
    Omit<ModuleState, 'completedAt'> & { completedAt: Date | null }
  >`
    with ${membersWithItems(membershipsOf(participantIds, cohortId))}
    select modules.module_id as id, modules.title, modules.module_type,
           completion.module_id is not null as is_completed,
           completion.completed_at,
           jsonb_build_object('done', count(items.done_at), 'total', count(items.module_name)) as required,
           case when completion.set_by is not null
                then jsonb_build_object('name', setter.full_name, 'note', completion.note) end
             as by_hand
    from modules
    left join items on items.module_name = modules.title
    left join participant_module_completions completion
      on completion.participant_id = modules.participant_id and completion.cohort_id = modules.cohort_id
      and completion.module_id = modules.module_id
    left join profiles setter on setter.id = completion.set_by
    group by modules.module_id, modules.title, modules.module_type, modules.order_index, completion.module_id,
             completion.completed_at, completion.set_by, completion.note, setter.full_name
    order by modules.module_type, modules.order_index, modules.title, modules.module_id`,
);

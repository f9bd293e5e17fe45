import type { ResponseOf } from '#contract/endpoint.ts';
import type { readFellowship } from '#contract/learning.ts';
import type { Db } from '#server/db/database.ts';
import { findActiveCohort } from '#server/features/cohorts/cohort-queries.ts';
import type { Actor } from '#server/platform/actor.ts';

type Fellowship = ResponseOf<typeof readFellowship>;
type Cohort = NonNullable<Awaited<ReturnType<typeof findActiveCohort>>>;

const noProgress: Fellowship['progress'] = { overallPercentage: 0, status: 'on_track' };

export async function findFellowship(db: Db, actor: Actor): Promise<Fellowship> {
  const cohort = (await findActiveCohort(db, actor.id)) ?? null;
  const tracks = await activeTracks(db);
  if (!cohort) {
    return {
      cohort,
      progress: noProgress,
      coreModules: { completed: 0, total: 0 },
      modules: [],
      tracks,
      selection: null,
    };
  }
  const standing = await standingIn(db, actor.id, cohort.id);
  const modules = await modulesOf(db, actor.id, cohort, standing?.trackId ?? null);
  const core = modules.filter(({ moduleType }) => moduleType === 'core');
  const { trackId = null, selectedAt = null } = standing ?? {};
  return {
    cohort,
    progress: standing?.status
      ? { overallPercentage: standing.overallPercentage ?? 0, status: standing.status }
      : noProgress,
    coreModules: { completed: core.filter(({ isCompleted }) => isCompleted).length, total: core.length },
    modules,
    tracks,
    selection:
      trackId && selectedAt
        ? { trackId, isLocked: Boolean(standing?.isLocked), selectedAt: selectedAt.toISOString() }
        : null,
  };
}

/** TRACK-05 */
function activeTracks(db: Db) {
  return db
    .selectFrom('specializationTracks')
    .select(['id', 'name', 'description', 'durationWeeks'])
    .where('isActive', '=', true)
    .orderBy('name')
    .execute();
}

/** Progress and chosen track of a member; either may still be missing. */
function standingIn(db: Db, participantId: string, cohortId: string) {
  return db
    .selectFrom('cohortParticipants as membership')
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
    .select([
      'progress.overallCompletionPercentage as overallPercentage',
      'progress.status',
      'selection.specializationTrackId as trackId',
      'selection.isLocked',
      'selection.selectedAt',
    ])
    .where('membership.participantId', '=', participantId)
    .where('membership.cohortId', '=', cohortId)
    .$narrowType<{ status: Fellowship['progress']['status'] | null }>()
    .executeTakeFirst();
}

/** The core modules of the cohort's curriculum, then those of the chosen track. */
function modulesOf(db: Db, participantId: string, cohort: Cohort, trackId: string | null) {
  return db
    .selectFrom('courseModules as module')
    .leftJoin('participantModuleCompletions as completion', (join) =>
      join
        .onRef('completion.moduleId', '=', 'module.id')
        .on('completion.participantId', '=', participantId)
        .on('completion.cohortId', '=', cohort.id),
    )
    .select((eb) => [
      'module.id',
      'module.title',
      'module.moduleType',
      eb('completion.moduleId', 'is not', null).$castTo<boolean>().as('isCompleted'),
    ])
    .where('module.curriculumVersion', '=', cohort.curriculumVersion)
    .where((eb) => eb.or([eb('module.moduleType', '=', 'core'), eb('module.specializationTrackId', '=', trackId)]))
    .orderBy('module.moduleType')
    .orderBy('module.orderIndex')
    .orderBy('module.title')
    .$narrowType<{ moduleType: 'core' | 'specialization' }>()
    .execute();
}

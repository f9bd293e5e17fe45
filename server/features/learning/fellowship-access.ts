import { sql } from 'kysely';
import type { Fellowship, ModuleState } from '#contract/fellowship.ts';
import { builtOnceByRole } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { coachIdsOf, ownParticipantIds } from '#server/features/coaching/coaching-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError, notFound } from '#server/platform/errors.ts';

interface Chosen {
  isLocked: boolean;
}

/** Counts how many of a member's core modules are complete (TRACK-11). */
export function coreModulesOf(modules: Pick<ModuleState, 'moduleType' | 'isCompleted'>[]): Fellowship['coreModules'] {
  const core = modules.filter(({ moduleType }) => moduleType === 'core');
  return { completed: core.filter(({ isCompleted }) => isCompleted).length, total: core.length };
}

/** The reason why the person can choose no track, or no other one, or null (TRACK-02, TRACK-09). */
export function selectRefusal(chosen: Chosen | null, { completed, total }: Fellowship['coreModules']): AppError | null {
  if (chosen?.isLocked) return lockedRefusal();
  if (total > 0 && completed === total) return null;
  return new AppError(
    'conflict',
    `Cannot select specialization. Complete all core modules first. (${completed}/${total} completed)`,
  );
}

export function lockedRefusal(): AppError {
  return new AppError('conflict', 'Your specialization track is locked and cannot be changed.');
}

/** A participant locks their own choice, and an admin anybody's (TRACK-10). */
export function mayLock(actor: Pick<Actor, 'id' | 'role'>, chosen: (Chosen & { participantId: string }) | null) {
  if (!chosen || chosen.isLocked) return false;
  return actor.role === 'admin' || actor.id === chosen.participantId;
}

/** The tracks on offer, and the participant's chosen one even if it is no longer on offer. */
export function visibleTracks(db: Db, participant: Pick<Actor, 'id'>) {
  return db
    .selectFrom('specializationTracks')
    .where((eb) =>
      eb.or([
        eb('specializationTracks.isActive', '=', true),
        eb(
          'specializationTracks.id',
          'in',
          eb
            .selectFrom('trackSelections')
            .select('trackSelections.specializationTrackId')
            .where('trackSelections.participantId', '=', participant.id),
        ),
      ]),
    );
}

/**
 * The members of cohorts whose progress the actor may read: a coach's own participants, or all for an admin (TRACK-15).
 */
export function visibleMembers(db: Db, actor: Pick<Actor, 'id' | 'role'>) {
  return db
    .selectFrom('cohortParticipants as membership')
    .innerJoin('profiles', 'profiles.id', 'membership.participantId')
    .where('membership.status', '<>', 'withdrawn')
    .where('profiles.role', '=', 'participant')
    .where('profiles.deletedAt', 'is', null)
    .$if(actor.role !== 'admin', (members) =>
      members.where(sql<boolean>`membership.participant_id = ${ownParticipantIds(db, actor)}`),
    );
}

/** The cohorts of those members. An admin also sees the empty ones. */
export function visibleCohorts(db: Db, actor: Pick<Actor, 'id' | 'role'>) {
  const cohorts = db.selectFrom('cohorts');
  if (actor.role === 'admin') return cohorts;
  return cohorts.where('cohorts.id', 'in', visibleMembers(db, actor).select('membership.cohortId'));
}

export async function loadProgressCohort(db: Db, actor: Actor, cohortId: string) {
  const [cohort] = await progressCohort(db, actor.role, { actorId: actor.id, cohortId });
  if (!cohort) throw notFound('Cohort not found');
  return cohort;
}

const progressCohort = builtOnceByRole((db, role, { actorId, cohortId }: { actorId: string; cohortId: string }) =>
  visibleCohorts(db, { id: actorId, role })
    .select(['cohorts.id', 'cohorts.name', 'cohorts.startDate', 'cohorts.endDate'])
    .select(sql<string>`zone_of_cohort(cohorts.id)`.as('zone'))
    .where('cohorts.id', '=', cohortId),
);

export async function loadMember(db: Db, actor: Actor, { cohortId, participantId }: Membership) {
  const member = await visibleMembers(db, actor)
    .innerJoin('cohorts', 'cohorts.id', 'membership.cohortId')
    .select(['profiles.id as participantId', 'profiles.firstName', 'profiles.lastName', 'profiles.email'])
    .select(['cohorts.id as cohortId', 'cohorts.name as cohortName'])
    .select(coachIdsOf(db, sql.ref('profiles.id')).as('coachIds'))
    .where('membership.cohortId', '=', cohortId)
    .where('membership.participantId', '=', participantId)
    .executeTakeFirst();
  if (!member) throw notFound('Participant not found');
  return member;
}

export interface Membership {
  cohortId: string;
  participantId: string;
}

/** Loads a choice and locks its row: the participant's own, or anybody's for an admin. */
export async function loadSelection(db: Db, actor: Actor, selectionId: string) {
  const selection = await db
    .selectFrom('trackSelections')
    .select(['id', 'participantId', 'cohortId', 'specializationTrackId as trackId', 'isLocked'])
    .select(coachIdsOf(db, sql.ref('participantId')).as('coachIds'))
    .where('id', '=', selectionId)
    .$if(actor.role !== 'admin', (own) => own.where('participantId', '=', actor.id))
    .where(sql<boolean>`exists (select from profiles where id = participant_id and deleted_at is null)`)
    .forUpdate()
    .executeTakeFirst();
  if (!selection) throw notFound('Track selection not found');
  return selection;
}

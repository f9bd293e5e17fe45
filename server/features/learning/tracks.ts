import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { selectTrack as selectTrackEndpoint, TrackSelection } from '#contract/fellowship.ts';
import type { Db } from '#server/db/database.ts';
import { findActiveCohort } from '#server/features/cohorts/cohort-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { coreModulesOf, loadSelection, lockedRefusal, type Membership, selectRefusal } from './fellowship-access.ts';
import { findModules, findStanding, selectionOf } from './fellowship-queries.ts';
import { deriveProgress, lockMemberships } from './progress-derivation.ts';

type Choice = ParsedInputOf<typeof selectTrackEndpoint>['body'];

/** Chooses a track, or replaces a choice that is not locked (TRACK-07, TRACK-08). */
export async function selectTrack(db: Db, actor: Actor, choice: Choice): Promise<TrackSelection> {
  const cohort = await findActiveCohort(db, actor.id);
  if (!cohort) throw new AppError('conflict', 'You have no active cohort, so no track can be chosen.');
  const membership = { participantId: actor.id, cohortId: cohort.id };
  await lockMemberships(db, [actor.id]);
  // The requirements of modules may have changed since the last event of this person.
  await deriveProgress(db, [actor.id], cohort.id);
  const { selection: before } = await findStanding(db, membership);
  const refusal = selectRefusal(before, coreModulesOf(await findModules(db, membership)));
  if (refusal) throw refusal;
  const stored = await storeChoice(db, membership, choice);
  if (!stored) throw (await lockedMeanwhile(db, membership)) ?? notFound('This track is not on offer.');
  const selection = selectionOf(stored);
  await audit(db, actor.id, {
    action: 'track.select',
    subjectType: 'track_selection',
    subjectId: selection.id,
    before: before && { trackId: before.trackId },
    after: { trackId: selection.trackId },
  });
  return selection;
}

/** Locks a choice for good (TRACK-09, TRACK-10). Throws `stale` if the person saw another choice. */
export async function lockTrack(db: Db, actor: Actor, selectionId: string, trackId: string): Promise<TrackSelection> {
  const seen = await loadSelection(db, actor, selectionId);
  if (seen.trackId !== trackId) {
    throw new AppError('stale', 'Another track has just been chosen. Please look at it before you lock it.');
  }
  if (!seen.isLocked) await lock(db, actor, seen);
  const { selection } = await findStanding(db, seen);
  if (!selection) throw notFound('Track selection not found');
  return selection;
}

/** Stores nothing if the track is not on offer, or the choice was locked meanwhile. */
async function storeChoice(db: Db, { participantId, cohortId }: Membership, { trackId, notes }: Choice) {
  return db
    .with('offered', (query) =>
      query.selectFrom('specializationTracks').selectAll().where('id', '=', trackId).where('isActive', '=', true),
    )
    .with('stored', (query) =>
      query
        .insertInto('trackSelections')
        .columns(['participantId', 'cohortId', 'specializationTrackId', 'notes', 'selectedAt'])
        .expression((eb) =>
          eb
            .selectFrom('offered')
            .select((row) => [
              row.val(participantId).as('participantId'),
              row.val(cohortId).as('cohortId'),
              'offered.id',
              row.val(notes).as('notes'),
              row.val(now()).as('selectedAt'),
            ]),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['participantId', 'cohortId'])
            .doUpdateSet((row) => ({
              specializationTrackId: row.ref('excluded.specializationTrackId'),
              notes: row.ref('excluded.notes'),
              selectedAt: row.ref('excluded.selectedAt'),
            }))
            .where('trackSelections.isLocked', '=', false),
        )
        .returningAll(),
    )
    .selectFrom('stored')
    .innerJoin('offered', 'offered.id', 'stored.specializationTrackId')
    .select(['stored.id', 'offered.id as trackId', 'stored.notes', 'stored.selectedAt'])
    .select(['stored.isLocked', 'stored.lockedAt', 'offered.name', 'offered.description', 'offered.durationWeeks'])
    .executeTakeFirst();
}

async function lockedMeanwhile(db: Db, membership: Membership): Promise<AppError | null> {
  const { selection } = await findStanding(db, membership);
  return selection?.isLocked ? lockedRefusal() : null;
}

type Seen = Awaited<ReturnType<typeof loadSelection>>;

async function lock(db: Db, actor: Actor, { id, trackId }: Seen): Promise<void> {
  const lockedAt = now();
  await db.updateTable('trackSelections').set({ isLocked: true, lockedAt }).where('id', '=', id).execute();
  await audit(db, actor.id, {
    action: 'track.lock',
    subjectType: 'track_selection',
    subjectId: id,
    before: { trackId, isLocked: false },
    after: { trackId, isLocked: true, lockedAt },
  });
}

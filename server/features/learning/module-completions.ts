import type { setModuleCompletion as setModuleCompletionEndpoint } from '#contract/cohort-progress.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { showNotice } from '#server/platform/live.ts';
import { loadMember, type Membership } from './fellowship-access.ts';
import { findModules } from './fellowship-queries.ts';
import { deriveProgress, lockMemberships } from './progress-derivation.ts';

type Given = ParsedInputOf<typeof setModuleCompletionEndpoint>['body'] & { moduleId: string };

/** A live message holds no more. */
const longestTitle = 120;

/**
 * A coach or admin says that a module is complete, or takes that back (TRACK-16). A completion that follows from
 * attendance and accepted work stays. It is taken back where those were recorded.
 */
export async function setModuleCompletion(db: Db, actor: Actor, membership: Membership, given: Given) {
  const { participantId } = await loadMember(db, actor, membership);
  await lockMemberships(db, [participantId]);
  const before = await loadModule(db, membership, given.moduleId);
  await (given.isCompleted ? complete(db, actor, membership, given) : takeBack(db, membership, given.moduleId));
  await audit(db, actor.id, {
    action: given.isCompleted ? 'module.complete' : 'module.take_back',
    subjectType: 'user',
    subjectId: participantId,
    before: { moduleId: before.id, isCompleted: before.isCompleted, byHand: before.byHand },
    after: { moduleId: before.id, cohortId: membership.cohortId },
    reason: given.note,
  });
  await deriveProgress(db, [participantId], membership.cohortId);
  const { title, isCompleted, completedAt } = await loadModule(db, membership, given.moduleId);
  await showNotice(db, [participantId], {
    type: 'info',
    title: isCompleted ? 'Module Completed' : 'Module Reopened',
    message: title.slice(0, longestTitle),
  });
  return { isCompleted, completedAt };
}

/** Loads a module of the member's own curriculum and track. Any other is not found. */
async function loadModule(db: Db, membership: Membership, moduleId: string) {
  const module = (await findModules(db, membership)).find(({ id }) => id === moduleId);
  if (!module) throw notFound('Module not found');
  return module;
}

async function complete(db: Db, actor: Actor, membership: Membership, { moduleId, note }: Given): Promise<void> {
  await db
    .insertInto('participantModuleCompletions')
    .values({ ...membership, moduleId, completedAt: now(), setBy: actor.id, note })
    .onConflict((conflict) =>
      conflict.columns(['participantId', 'cohortId', 'moduleId']).doUpdateSet({ setBy: actor.id, note }),
    )
    .execute();
}

async function takeBack(db: Db, { participantId, cohortId }: Membership, moduleId: string): Promise<void> {
  const removed = await db
    .deleteFrom('participantModuleCompletions')
    .where('participantId', '=', participantId)
    .where('cohortId', '=', cohortId)
    .where('moduleId', '=', moduleId)
    .where('setBy', 'is not', null)
    .executeTakeFirst();
  if (removed.numDeletedRows > 0n) return;
  throw new AppError('conflict', 'Nobody set this module as complete by hand, so there is nothing to take back.');
}

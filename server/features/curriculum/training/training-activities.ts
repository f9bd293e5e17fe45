import { sql } from 'kysely';
import { moduleNames } from '#contract/learning.ts';
import type { TrainingActivity, TrainingActivityFacts } from '#contract/training-activities.ts';
import type { Db } from '#server/db/database.ts';
import { activityGone, requireTarget } from '#server/features/curriculum/activity-rules.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit, auditing } from '#server/platform/audit.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { notify } from '#server/platform/notices.ts';
import { findTrainingActivity } from './training-activity-queries.ts';

/** TRAIN-09 to TRAIN-14. What somebody else has written meanwhile is not overwritten unseen. */
export async function updateTrainingActivity(
  db: Db,
  actor: Actor,
  id: string,
  { version, ...given }: TrainingActivityFacts & { version: number },
): Promise<TrainingActivity> {
  const stored = await lockActivity(db, id);
  if (stored.calendarSequence !== version) {
    throw new AppError(
      'stale',
      'Somebody else has changed this activity since you opened it. Both versions are shown.',
    );
  }
  const before = factsOf(stored);
  const after = factsOf(given);
  await requireKnownModule(db, after.moduleName, before.moduleName);
  if (after.cohortId !== null && after.cohortId !== before.cohortId) await requireTarget(db, after.cohortId);
  await db.updateTable('trainingActivities').set(after).where('id', '=', id).execute();
  await audit(db, actor.id, { action: 'activity.update', ...subject(id), before, after });
  return findTrainingActivity(db, id);
}

/** TRAIN-18, TRAIN-19. The coach is told once for each such act. */
export async function assignActivity(
  db: Db,
  actor: Actor,
  id: string,
  { cohortId, coachId }: { cohortId: string; coachId: string | null },
): Promise<TrainingActivity> {
  const { title, cohortId: earlierId, foundCoachId } = await lockWithCoach(db, id, coachId);
  if (coachId && !foundCoachId) throw notFound('This coach is not there any more. Please choose another one, or none.');
  const cohort = await requireTarget(db, cohortId);
  const after = { cohortId, ...(coachId ? { toldCoachId: coachId } : {}) };
  const entry = { action: 'activity.assign', ...subject(id), before: { cohortId: earlierId }, after } as const;
  await db
    .with('noted', () => sql<object>`(${auditing(actor.id, [entry])})`)
    .updateTable('trainingActivities')
    .set({ cohortId })
    .where('id', '=', id)
    .execute();
  if (coachId) await tellCoach(db, coachId, { id, title, cohortName: cohort.name });
  return findTrainingActivity(db, id);
}

async function lockActivity(db: Db, id: string) {
  const stored = await db
    .selectFrom('trainingActivities')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!stored) throw activityGone();
  return stored;
}

type StoredFacts = Omit<TrainingActivityFacts, 'trainingDeliveryMode' | 'deliveryMedium'> & {
  trainingDeliveryMode: string | null;
  deliveryMedium: string | null;
};

/** What is left empty is null; a duration stays as it was typed (TRAIN-11). */
function factsOf(facts: StoredFacts) {
  return {
    title: facts.title,
    deliveryPartner: facts.deliveryPartner || null,
    trainingDeliveryMode: facts.trainingDeliveryMode,
    deliveryMedium: facts.deliveryMedium,
    weekNumber: facts.weekNumber,
    location: facts.location || null,
    duration: facts.duration?.trim() ? facts.duration : null,
    sessionDate: facts.sessionDate,
    moduleName: facts.moduleName,
    cohortId: facts.cohortId,
  };
}

/** TRAIN-10, and what Programme Setup has beside the fixed list. */
async function requireKnownModule(db: Db, name: string | null, earlier: string | null): Promise<void> {
  if (name === null || name === earlier || moduleNames.some((known) => known === name)) return;
  const module = await db
    .selectFrom('courseModules')
    .select('id')
    .where('title', '=', name)
    .where('archivedAt', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (module) return;
  const message = 'Please choose a module of the list.';
  throw new AppError('invalid_input', message, { errors: [{ path: 'moduleName', message }] });
}

async function lockWithCoach(db: Db, id: string, coachId: string | null) {
  const stored = await db
    .selectFrom('trainingActivities')
    .leftJoin('profiles as coach', (join) =>
      join.on('coach.id', '=', coachId).on('coach.role', '=', 'coach').on('coach.deletedAt', 'is', null),
    )
    .select(['trainingActivities.title', 'trainingActivities.cohortId', 'coach.id as foundCoachId'])
    .where('trainingActivities.id', '=', id)
    .forUpdate('trainingActivities')
    .executeTakeFirst();
  if (!stored) throw activityGone();
  return stored;
}

function tellCoach(db: Db, coachId: string, activity: { id: string; title: string; cohortName: string }) {
  return notify(db, [
    {
      userId: coachId,
      kind: 'activity',
      title: 'Activity assigned',
      message: `${activity.title} is assigned to ${activity.cohortName}.`,
      link: `/activity/${activity.id}`,
      preference: 'deadlineAlerts',
      eventKey: `activity-assigned-${newId()}`,
    },
  ]);
}

function subject(id: string) {
  return { subjectType: 'training_activity', subjectId: id };
}

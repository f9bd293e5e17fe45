import type { Selectable } from 'kysely';
import type { ActivityFacts } from '#contract/activity-facts.ts';
import type { TrainingActivityFacts } from '#contract/training-activities.ts';
import type { Db } from '#server/db/database.ts';
import type { TrainingActivitiesTable } from '#server/db/schema.gen.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { refuseOvertaken } from '#server/platform/overtaken.ts';
import { activityGone, requireSoundFacts } from './activity-rules.ts';

/** Has the facts that every screen shows, and others that only some do. */
type Edit = TrainingActivityFacts & Partial<ActivityFacts> & { version: number };

/** Writes what a screen gives and leaves the rest. Refuses to overwrite what somebody else has written meanwhile. */
export async function editActivity(db: Db, actor: Actor, id: string, { version, ...given }: Edit): Promise<void> {
  const stored = await db
    .selectFrom('trainingActivities')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!stored) throw activityGone();
  refuseOvertaken(stored.calendarSequence, version, 'activity');
  await requireSoundFacts(db, given, stored);
  await db.updateTable('trainingActivities').set(given).where('id', '=', id).execute();
  const facts = Object.entries(factsOf(stored));
  await audit(db, actor.id, {
    action: 'activity.update',
    ...activitySubject(id),
    before: Object.fromEntries(facts.filter(([name]) => name in given)),
    after: given,
  });
}

export function activitySubject(id: string) {
  return { subjectType: 'training_activity', subjectId: id };
}

function factsOf(stored: Selectable<TrainingActivitiesTable>) {
  const { cohortId, title, weekNumber, sessionDate, duration, durationMinutes, location, deliveryPartner } = stored;
  const { deliveryMedium, trainingDeliveryMode, moduleName, description, isRequired, audiences } = stored;
  const sessionTime = stored.sessionTime?.slice(0, 5) ?? null;
  return {
    ...{ cohortId, title, weekNumber, sessionDate, sessionTime, duration, durationMinutes, location, deliveryPartner },
    ...{ deliveryMedium, trainingDeliveryMode, moduleName, description, isRequired, audiences },
  };
}

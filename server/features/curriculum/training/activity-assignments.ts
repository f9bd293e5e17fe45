import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ActivitySelection, TrainingActivity } from '#contract/training-activities.ts';
import type { Db } from '#server/db/database.ts';
import { activitySubject } from '#server/features/curriculum/activities.ts';
import { activityGone, requireTarget } from '#server/features/curriculum/activity-rules.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit, auditing } from '#server/platform/audit.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { notify } from '#server/platform/notices.ts';
import { findTrainingActivity, matchesFilters } from './training-activity-queries.ts';

interface Assignment {
  selection: ActivitySelection;
  cohortId: string;
}

/** TRAIN-18, TRAIN-19. The coach hears of each such act once. */
export async function assignActivity(
  db: Db,
  actor: Actor,
  id: string,
  { cohortId, coachId }: { cohortId: string; coachId: string | null },
): Promise<TrainingActivity> {
  const { title, cohortId: earlierId, foundCoachId } = await lockWithCoach(db, id, coachId);
  if (coachId && !foundCoachId) throw notFound('This coach no longer exists. Please choose another one, or none.');
  const cohort = await requireTarget(db, cohortId);
  const after = { cohortId, ...(coachId ? { toldCoachId: coachId } : {}) };
  const entry = { action: 'activity.assign', ...activitySubject(id), before: { cohortId: earlierId }, after } as const;
  await db
    .with('noted', () => sql<object>`(${auditing(actor.id, [entry])})`)
    .updateTable('trainingActivities')
    .set({ cohortId })
    .where('id', '=', id)
    .execute();
  if (coachId) await tellCoach(db, coachId, { id, title, cohortName: cohort.name });
  return findTrainingActivity(db, id);
}

/** Returns what would change, and what depends on the activities and stays, in one statement. */
export function findAssignmentPreview(db: Db, { selection, cohortId }: Assignment) {
  return db
    .with('selected', (query) =>
      query.selectFrom('trainingActivities').select(['id', 'cohortId']).where(isSelected(selection)),
    )
    .selectFrom('selected')
    .select(({ fn, selectFrom }) => [
      fn.countAll<number>().as('activities'),
      sql<number>`count(*) filter (where cohort_id <> ${cohortId}::uuid)`.as('replaced'),
      sql<number>`count(*) filter (where cohort_id = ${cohortId}::uuid)`.as('unchanged'),
      selectFrom('attendanceRecords')
        .select(fn.countAll<number>().as('n'))
        .where('contentId', 'in', selectFrom('selected').select('selected.id'))
        .$asScalar()
        .$notNull()
        .as('attendances'),
      selectFrom('contentSubmissions')
        .innerJoin('contentAssignments', 'contentAssignments.id', 'contentSubmissions.assignmentId')
        .innerJoin('contentItems', 'contentItems.id', 'contentAssignments.contentItemId')
        .select(fn.countAll<number>().as('n'))
        .where('contentItems.trainingActivityId', 'in', selectFrom('selected').select('selected.id'))
        .$asScalar()
        .$notNull()
        .as('submissions'),
    ])
    .executeTakeFirstOrThrow();
}

/** TRAIN-20 to TRAIN-22. Assigns exactly what the admin saw, or nothing. */
export async function assignActivities(
  db: Db,
  actor: Actor,
  { selection, cohortId, expected }: Assignment & { expected: number },
) {
  const cohort = await requireTarget(db, cohortId);
  const selected = await db
    .selectFrom('trainingActivities')
    .select(['id', 'cohortId'])
    .where(isSelected(selection))
    .orderBy('id')
    .forUpdate()
    .execute();
  if (selected.length !== expected) {
    throw new AppError(
      'stale',
      `Somebody has just changed activities: there are now ${selected.length.toLocaleString('en-US')} instead of ${expected.toLocaleString('en-US')}. Please look again.`,
    );
  }
  const changed = selected.filter((activity) => activity.cohortId !== cohortId);
  await db
    .updateTable('trainingActivities')
    .set({ cohortId })
    .where('id', '=', sql<string>`any(${changed.map(({ id }) => id)}::uuid[])`)
    .execute();
  await audit(
    db,
    actor.id,
    changed.map(({ id, cohortId: earlierId }) => ({
      action: 'activity.assign',
      ...activitySubject(id),
      before: { cohortId: earlierId },
      after: { cohortId },
    })),
  );
  return { activities: selected.length, changed: changed.length, cohortName: cohort.name };
}

function isSelected(selection: ActivitySelection): RawBuilder<SqlBool> {
  if ('ids' in selection) return sql`training_activities.id = any(${selection.ids}::uuid[])`;
  return sql`(${matchesFilters(selection.filters)} and training_activities.id <> all(${selection.except}::uuid[]))`;
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

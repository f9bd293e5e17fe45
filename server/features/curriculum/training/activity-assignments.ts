import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ActivitySelection } from '#contract/training-activities.ts';
import type { Db } from '#server/db/database.ts';
import { requireTarget } from '#server/features/curriculum/activity-rules.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError } from '#server/platform/errors.ts';
import { matchesFilters } from './training-activity-queries.ts';

interface Assignment {
  selection: ActivitySelection;
  cohortId: string;
}

/** What would change, and what hangs on the activities and stays; one statement. */
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

/** TRAIN-20 to TRAIN-22. What the admin saw is what is assigned, or nothing. */
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
      `Somebody has changed activities meanwhile: it would be ${selected.length} now instead of ${expected}. Please look again.`,
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
      subjectType: 'training_activity',
      subjectId: id,
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

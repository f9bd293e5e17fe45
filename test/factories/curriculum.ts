import type { Insertable } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type {
  ContentAssignmentsTable,
  ContentItemsTable,
  CourseModulesTable,
  SpecializationTracksTable,
  TrainingActivitiesTable,
  WeeklyRequirementsTable,
} from '#server/db/schema.gen.ts';
import { newId } from '#server/platform/ids.ts';

/** A required session of week 1 for the fellowship track, in no cohort. */
export function buildActivity(db: Db, facts: Partial<Insertable<TrainingActivitiesTable>> = {}) {
  return db
    .insertInto('trainingActivities')
    .values({ title: `Session ${newId()}`, weekNumber: 1, applicableFellowship: true, ...facts })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function buildContentItem(
  db: Db,
  facts: Partial<Insertable<ContentItemsTable>> & { trainingActivityId: string },
) {
  return db
    .insertInto('contentItems')
    .values({ title: `Reading ${newId()}`, ...facts })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A required written response. It gets its own content item unless one is given. */
export async function buildAssignment(
  db: Db,
  facts: Partial<Insertable<ContentAssignmentsTable>> & { trainingActivityId?: string } = {},
) {
  const { trainingActivityId, ...assignment } = facts;
  const contentItemId = facts.contentItemId ?? (await buildAssignmentItem(db, trainingActivityId)).id;
  return db
    .insertInto('contentAssignments')
    .values({ title: `Assignment ${newId()}`, instructions: 'Describe what you saw.', ...assignment, contentItemId })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function buildModule(db: Db, facts: Partial<Insertable<CourseModulesTable>> = {}) {
  return db
    .insertInto('courseModules')
    .values({ title: `Module ${newId()}`, moduleType: 'core', ...facts })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function buildTrack(db: Db, facts: Partial<Insertable<SpecializationTracksTable>> = {}) {
  return db
    .insertInto('specializationTracks')
    .values({ name: `Track ${newId()}`, ...facts })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function buildWeeklyRequirement(
  db: Db,
  facts: Partial<Insertable<WeeklyRequirementsTable>> & { cohortId: string; dueDate: string },
) {
  return db
    .insertInto('weeklyRequirements')
    .values({ title: `Requirement ${newId()}`, type: 'quiz', ...facts })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function buildAssignmentItem(db: Db, trainingActivityId: string | undefined) {
  const activityId = trainingActivityId ?? (await buildActivity(db)).id;
  return buildContentItem(db, { trainingActivityId: activityId, contentType: 'assignment' });
}

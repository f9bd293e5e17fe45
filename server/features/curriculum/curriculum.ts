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
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';

type New<Table> = Omit<Insertable<Table>, 'id' | 'createdAt'>;
/** Null is the product itself, as when it fills in the demo programme. */
type Author = Pick<Actor, 'id' | 'role'> | null;

/** Each of the following answers with the new ids, in the order of what was given. */
export async function createTracks(db: Db, author: Author, tracks: New<SpecializationTracksTable>[]) {
  const rows = withIds(author, tracks);
  if (rows.length > 0) await db.insertInto('specializationTracks').values(rows).execute();
  return idsOf(rows);
}

export async function createModules(db: Db, author: Author, modules: New<CourseModulesTable>[]) {
  const rows = withIds(author, modules);
  if (rows.length > 0) await db.insertInto('courseModules').values(rows).execute();
  return idsOf(rows);
}

export async function createTrainingActivities(db: Db, author: Author, activities: New<TrainingActivitiesTable>[]) {
  const rows = withIds(author, activities);
  if (rows.length > 0) await db.insertInto('trainingActivities').values(rows).execute();
  await audit(
    db,
    author?.id ?? null,
    rows.map(({ id, title, weekNumber, cohortId = null }) => ({
      action: 'activity.create',
      subjectType: 'training_activity',
      subjectId: id,
      after: { title, weekNumber, cohortId },
    })),
  );
  return idsOf(rows);
}

export async function createContentItems(db: Db, author: Author, items: New<ContentItemsTable>[]) {
  const rows = withIds(author, items);
  if (rows.length > 0) await db.insertInto('contentItems').values(rows).execute();
  return idsOf(rows);
}

export async function createAssignments(db: Db, author: Author, assignments: New<ContentAssignmentsTable>[]) {
  const rows = withIds(author, assignments);
  if (rows.length > 0) await db.insertInto('contentAssignments').values(rows).execute();
  return idsOf(rows);
}

export async function createWeeklyRequirements(db: Db, author: Author, requirements: New<WeeklyRequirementsTable>[]) {
  const rows = withIds(author, requirements);
  if (rows.length > 0) await db.insertInto('weeklyRequirements').values(rows).execute();
  return idsOf(rows);
}

function requireAdmin(author: Author): void {
  if (author && author.role !== 'admin') throw new AppError('forbidden', 'Only an admin sets up a programme.');
}

function withIds<Row>(author: Author, rows: Row[]): (Row & { id: string })[] {
  requireAdmin(author);
  return rows.map((row) => ({ ...row, id: newId() }));
}

function idsOf(rows: { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

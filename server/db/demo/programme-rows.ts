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
import { now } from '#server/platform/clock.ts';
import { newId } from '#server/platform/ids.ts';

type New<Table> = Omit<Insertable<Table>, 'id' | 'createdAt'>;
/** Null means the product itself. */
type Author = Pick<Actor, 'id'> | null;

/**
 * The functions below write the rows of a programme as sets, with the log entries that the acts of the screens leave
 * (features/curriculum). They return the new ids in the order of their input. Decision 34 says why they do not call the
 * acts.
 */
export async function insertTracks(db: Db, author: Author, tracks: New<SpecializationTracksTable>[]) {
  const rows = withIds(tracks);
  if (rows.length > 0) await db.insertInto('specializationTracks').values(rows).execute();
  return note(db, author, 'track', rows, ({ name, description, durationWeeks }) => ({
    name,
    description,
    durationWeeks,
  }));
}

export async function insertModules(db: Db, author: Author, modules: New<CourseModulesTable>[]) {
  const rows = withIds(modules);
  if (rows.length > 0) await db.insertInto('courseModules').values(rows).execute();
  return note(db, author, 'module', rows, ({ title, moduleType, specializationTrackId: trackId = null }) => ({
    title,
    moduleType,
    trackId,
  }));
}

export async function insertTrainingActivities(db: Db, author: Author, activities: New<TrainingActivitiesTable>[]) {
  const rows = withIds(activities);
  if (rows.length > 0) await db.insertInto('trainingActivities').values(rows).execute();
  return note(db, author, 'activity', rows, ({ title, weekNumber, cohortId = null }) => ({
    title,
    weekNumber,
    cohortId,
  }));
}

export async function insertContentItems(db: Db, author: Author, items: New<ContentItemsTable>[]) {
  const rows = withIds(items);
  if (rows.length > 0) await db.insertInto('contentItems').values(rows).execute();
  return note(db, author, 'content', rows, ({ title, contentType, trainingActivityId }) => ({
    trainingActivityId,
    title,
    contentType,
  }));
}

export async function insertAssignments(db: Db, author: Author, assignments: New<ContentAssignmentsTable>[]) {
  const rows = withIds(assignments);
  if (rows.length > 0) await db.insertInto('contentAssignments').values(rows).execute();
  return note(db, author, 'assignment', rows, ({ title, contentItemId, dueDate = null }) => ({
    contentItemId,
    title,
    dueDate,
  }));
}

export async function insertWeeklyRequirements(db: Db, author: Author, requirements: New<WeeklyRequirementsTable>[]) {
  const rows = withIds(requirements);
  if (rows.length > 0) await db.insertInto('weeklyRequirements').values(rows).execute();
  return note(db, author, 'requirement', rows, ({ cohortId, weekNumber, title, type, dueDate }) => ({
    cohortId,
    weekNumber,
    title,
    type,
    dueDate,
  }));
}

const subjectTypes = {
  track: 'track',
  module: 'module',
  activity: 'training_activity',
  content: 'content_item',
  assignment: 'content_assignment',
  requirement: 'requirement',
};

async function note<Row extends { id: string }>(
  db: Db,
  author: Author,
  kind: keyof typeof subjectTypes,
  rows: Row[],
  factsOf: (row: Row) => object,
): Promise<string[]> {
  await audit(
    db,
    author?.id ?? null,
    rows.map((row) => ({
      action: `${kind}.create`,
      subjectType: subjectTypes[kind],
      subjectId: row.id,
      after: factsOf(row),
      at: now(),
    })),
  );
  return rows.map(({ id }) => id);
}

function withIds<Row>(rows: Row[]): (Row & { id: string })[] {
  return rows.map((row) => ({ ...row, id: newId() }));
}

import { type Expression, type ExpressionBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { ManagedAssignment, ManagedContent } from '#contract/contents.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import type { DB } from '#server/db/schema.gen.ts';
import { activityGone } from '#server/features/curriculum/activity-rules.ts';
import { notFound } from '#server/platform/errors.ts';

/**
 * Returns the items in their order (CONT-04), each with its assignments (CONT-05), in one statement. Leaves out
 * archived ones.
 */
export async function findContents(db: Db, activityId: string) {
  const [found] = await contentsOf(db, { activityId });
  if (!found) throw activityGone();
  return found;
}

const contentsOf = builtOnce((db, { activityId }: { activityId: string }) =>
  db
    .selectFrom('trainingActivities')
    .select(
      jsonArrayFrom(
        presentContents(db).where('contentItems.trainingActivityId', '=', sql.ref<string>('trainingActivities.id')),
      ).as('items'),
    )
    .where('trainingActivities.id', '=', activityId),
);

export async function findContent(db: Db, id: string): Promise<ManagedContent> {
  const item = await presentContents(db).where('contentItems.id', '=', id).executeTakeFirst();
  if (!item) throw contentGone();
  return item;
}

export async function findContentAssignment(db: Db, id: string): Promise<ManagedAssignment> {
  const assignment = await presentAssignments(db).where('contentAssignments.id', '=', id).executeTakeFirst();
  if (!assignment) throw assignmentGone();
  return assignment;
}

export async function findAssignmentsOf(db: Db, contentItemId: string) {
  const assignments = await presentAssignments(db)
    .where('contentAssignments.contentItemId', '=', contentItemId)
    .execute();
  return { assignments };
}

/** Returns what people have handed in or begun for each of these assignments. */
export function findWork(db: Db, assignmentIds: string[]) {
  return db
    .selectFrom('contentAssignments')
    .select((eb) => ['id', ...workOn(eb)])
    .where('id', '=', sql<string>`any(${assignmentIds}::uuid[])`)
    .execute();
}

/** Counts the people who have marked the item as done. */
export async function findTicks(db: Db, contentItemId: string): Promise<number> {
  const { n } = await db
    .selectFrom('contentTicks')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('contentItemId', '=', contentItemId)
    .executeTakeFirstOrThrow();
  return n;
}

export function contentGone() {
  return notFound('This content item no longer exists. Somebody may have deleted it.');
}

export function assignmentGone() {
  return notFound('This assignment no longer exists. Somebody may have deleted it.');
}

function presentContents(db: Db) {
  return db
    .selectFrom('contentItems')
    .leftJoin('storedFiles', 'storedFiles.path', 'contentItems.filePath')
    .select([
      'contentItems.id',
      'contentItems.title',
      sql<ManagedContent['contentType']>`content_items.content_type`.as('contentType'),
      'contentItems.orderIndex',
      'contentItems.estimatedMinutes',
      'contentItems.isRequired',
      'contentItems.contentUrl',
      'contentItems.contentText',
      'contentItems.dueDate',
      'contentItems.version',
      sql<ManagedContent['file']>`case when stored_files.id is not null then json_build_object(
        'id', stored_files.id, 'name', stored_files.display_name, 'size', stored_files.size) end`.as('file'),
      sql<number>`(select count(*) from content_ticks where content_item_id = content_items.id)`.as('ticks'),
      jsonArrayFrom(
        presentAssignments(db).where('contentAssignments.contentItemId', '=', sql.ref<string>('contentItems.id')),
      ).as('assignments'),
    ])
    .where('contentItems.archivedAt', 'is', null)
    .orderBy('contentItems.orderIndex')
    .orderBy('contentItems.id');
}

function presentAssignments(db: Db) {
  return db
    .selectFrom('contentAssignments')
    .select((eb) => [
      'contentAssignments.id',
      'contentAssignments.contentItemId',
      'contentAssignments.title',
      'contentAssignments.instructions',
      sql<ManagedAssignment['assignmentType']>`content_assignments.assignment_type`.as('assignmentType'),
      'contentAssignments.dueDate',
      'contentAssignments.isRequired',
      'contentAssignments.version',
      ...workOn(eb),
    ])
    .where('contentAssignments.archivedAt', 'is', null)
    .orderBy('contentAssignments.orderIndex')
    .orderBy('contentAssignments.id');
}

function workOn(eb: ExpressionBuilder<DB, 'contentAssignments'>) {
  const countOf = (rows: Expression<{ n: number }>) => sql<number>`${rows}`;
  return [
    countOf(
      eb
        .selectFrom('contentSubmissions')
        .select((of) => of.fn.countAll<number>().as('n'))
        .whereRef('contentSubmissions.assignmentId', '=', 'contentAssignments.id'),
    ).as('submissions'),
    countOf(
      eb
        .selectFrom('assignmentDrafts')
        .select((of) => of.fn.countAll<number>().as('n'))
        .whereRef('assignmentDrafts.assignmentId', '=', 'contentAssignments.id'),
    ).as('drafts'),
  ] as const;
}

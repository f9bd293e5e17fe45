import { sql } from 'kysely';
import type { AssignmentInput, ManagedAssignment } from '#contract/contents.ts';
import type { Db } from '#server/db/database.ts';
import { orderAnew } from '#server/features/curriculum/row-order.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { refuseOvertaken } from '#server/platform/overtaken.ts';
import { assignmentGone, contentGone, findAssignmentsOf, findContentAssignment, findWork } from './content-queries.ts';

/** CONT-32: the new one comes after those that the item has. */
export async function createContentAssignment(
  db: Db,
  actor: Actor,
  input: AssignmentInput,
): Promise<ManagedAssignment> {
  const item = await lockItem(db, input.contentItemId);
  const id = newId();
  const after = factsOf(input);
  await db
    .insertInto('contentAssignments')
    .values({ id, ...after, orderIndex: item.nextPlace })
    .execute();
  await audit(db, actor.id, { action: 'assignment.create', ...subject(id), after });
  return findContentAssignment(db, id);
}

/** Refuses to overwrite what somebody else has written meanwhile. */
export async function updateContentAssignment(
  db: Db,
  actor: Actor,
  id: string,
  { version, ...input }: AssignmentInput & { version: number },
): Promise<ManagedAssignment> {
  const stored = await lockAssignment(db, id);
  refuseOvertaken(stored.version, version, 'assignment');
  const isMoved = input.contentItemId !== stored.contentItemId;
  const target = isMoved ? await lockItem(db, input.contentItemId) : null;
  if (target && target.trainingActivityId !== stored.trainingActivityId) {
    throw new AppError('invalid_input', 'An assignment can only move to a content item of the same activity.');
  }
  const after = factsOf(input);
  await db
    .updateTable('contentAssignments')
    .set({ ...after, version: version + 1, ...(target ? { orderIndex: target.nextPlace } : {}) })
    .where('id', '=', id)
    .execute();
  await audit(db, actor.id, { action: 'assignment.update', ...subject(id), before: factsOf(stored), after });
  return findContentAssignment(db, id);
}

/** Never destroys what people have handed in or begun: it archives the assignment instead. */
export async function deleteContentAssignment(db: Db, actor: Actor, id: string): Promise<{ isArchived: boolean }> {
  const stored = await lockAssignment(db, id);
  // This is a separate statement, so it sees work that came while it waited for the lock.
  const [work] = await findWork(db, [id]);
  const isArchived = work !== undefined && work.submissions + work.drafts > 0;
  if (isArchived) await db.updateTable('contentAssignments').set({ archivedAt: now() }).where('id', '=', id).execute();
  else await db.deleteFrom('contentAssignments').where('id', '=', id).execute();
  await audit(db, actor.id, {
    action: 'assignment.delete',
    ...subject(id),
    before: factsOf(stored),
    after: { isArchived, submissions: work?.submissions ?? 0, drafts: work?.drafts ?? 0 },
  });
  return { isArchived };
}

export async function orderContentAssignments(db: Db, actor: Actor, contentItemId: string, ids: string[]) {
  await lockItem(db, contentItemId);
  const before = (await findAssignmentsOf(db, contentItemId)).assignments.map(({ id }) => id);
  await orderAnew(db, 'content_assignments', { before, ids });
  await audit(db, actor.id, {
    action: 'assignment.order',
    subjectType: 'content_item',
    subjectId: contentItemId,
    before: { ids: before },
    after: { ids },
  });
  return findAssignmentsOf(db, contentItemId);
}

/**
 * Locks the item, so that its assignments keep their order and nobody adds one meanwhile. Does not find archived items.
 */
async function lockItem(db: Db, id: string) {
  // The lock comes first, then the look. One statement would read the places as they were before the wait.
  await db.selectFrom('contentItems').select('id').where('id', '=', id).forUpdate().execute();
  const item = await db
    .selectFrom('contentItems')
    .select([
      'contentItems.trainingActivityId',
      sql<number>`(select coalesce(max(order_index), 0) + 1 from content_assignments
        where content_item_id = content_items.id)`.as('nextPlace'),
    ])
    .where('contentItems.id', '=', id)
    .where('contentItems.archivedAt', 'is', null)
    .executeTakeFirst();
  if (!item) throw contentGone();
  return item;
}

async function lockAssignment(db: Db, id: string) {
  const stored = await db
    .selectFrom('contentAssignments')
    .innerJoin('contentItems', 'contentItems.id', 'contentAssignments.contentItemId')
    .selectAll('contentAssignments')
    .select('contentItems.trainingActivityId')
    .where('contentAssignments.id', '=', id)
    .where('contentAssignments.archivedAt', 'is', null)
    .forUpdate('contentAssignments')
    .executeTakeFirst();
  if (!stored) throw assignmentGone();
  return stored;
}

type StoredFacts = Omit<AssignmentInput, 'assignmentType'> & { assignmentType: string };

function factsOf({ contentItemId, title, instructions, assignmentType, dueDate, isRequired }: StoredFacts) {
  return { contentItemId, title, instructions, assignmentType, dueDate, isRequired };
}

function subject(id: string) {
  return { subjectType: 'content_assignment', subjectId: id };
}

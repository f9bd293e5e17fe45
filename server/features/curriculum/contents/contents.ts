import { sql } from 'kysely';
import type { ContentInput, ManagedContent } from '#contract/contents.ts';
import type { Db } from '#server/db/database.ts';
import { activityGone } from '#server/features/curriculum/activity-rules.ts';
import { orderAnew } from '#server/features/curriculum/row-order.ts';
import { claimUpload } from '#server/features/files/file-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { newId } from '#server/platform/ids.ts';
import { refuseOvertaken } from '#server/platform/overtaken.ts';
import { contentGone, findContent, findContents, findTicks, findWork } from './content-queries.ts';

/** CONT-22 */
export async function createContent(
  db: Db,
  actor: Actor,
  trainingActivityId: string,
  { fileId, ...input }: ContentInput,
): Promise<ManagedContent> {
  await holdActivity(db, trainingActivityId);
  const id = newId();
  const after = { ...factsOf(input), filePath: fileId ? await uploadedPath(db, actor, fileId) : null };
  await db
    .insertInto('contentItems')
    .values({ id, trainingActivityId, ...after })
    .execute();
  await audit(db, actor.id, { action: 'content.create', ...subject(id), after: { trainingActivityId, ...after } });
  return findContent(db, id);
}

/** Refuses to overwrite what somebody else has written meanwhile. */
export async function updateContent(
  db: Db,
  actor: Actor,
  id: string,
  { version, fileId, ...input }: ContentInput & { version: number },
): Promise<ManagedContent> {
  const stored = await lockContent(db, id);
  refuseOvertaken(stored.version, version, 'content item');
  const filePath = fileId === stored.fileId ? stored.filePath : fileId && (await uploadedPath(db, actor, fileId));
  const before = { ...factsOf(stored), filePath: stored.filePath };
  const after = { ...factsOf(input), filePath };
  await db
    .updateTable('contentItems')
    .set({ ...after, version: version + 1 })
    .where('id', '=', id)
    .execute();
  await audit(db, actor.id, { action: 'content.update', ...subject(id), before, after });
  return findContent(db, id);
}

/**
 * CONT-26. Never destroys what people have handed in, begun or marked as done: it archives the assignment instead, and
 * the item with it. A copied programme may still use a file, so the hourly job removes those that no item has anymore.
 */
export async function deleteContent(db: Db, actor: Actor, id: string): Promise<{ isArchived: boolean }> {
  const stored = await lockContent(db, id);
  const assignments = await db
    .selectFrom('contentAssignments')
    .select('id')
    .where('contentItemId', '=', id)
    .orderBy('id')
    .forUpdate()
    .execute();
  // This is a separate statement, so it sees work that came while this act waited for the lock.
  const work = await findWork(
    db,
    assignments.map((assignment) => assignment.id),
  );
  const kept = work.filter(({ submissions, drafts }) => submissions + drafts > 0);
  const isArchived = kept.length > 0 || (await findTicks(db, id)) > 0;
  if (!isArchived) await db.deleteFrom('contentItems').where('id', '=', id).execute();
  else await archiveContent(db, id, kept);
  await audit(db, actor.id, {
    action: 'content.delete',
    ...subject(id),
    before: { trainingActivityId: stored.trainingActivityId, ...factsOf(stored), filePath: stored.filePath },
    after: { assignments: assignments.length, archivedAssignments: kept.map((assignment) => assignment.id) },
  });
  return { isArchived };
}

/** The form holds the place too, so a person who has it open is told that it has changed. */
export async function orderContents(db: Db, actor: Actor, activityId: string, ids: string[]) {
  await holdActivity(db, activityId);
  const present = await db
    .selectFrom('contentItems')
    .select('id')
    .where('trainingActivityId', '=', activityId)
    .where('archivedAt', 'is', null)
    .orderBy('orderIndex')
    .orderBy('id')
    .forUpdate()
    .execute();
  const before = present.map(({ id }) => id);
  await orderAnew(db, 'content_items', { before, ids }, sql`, version = version + 1`);
  await audit(db, actor.id, {
    action: 'content.order',
    subjectType: 'training_activity',
    subjectId: activityId,
    before: { ids: before },
    after: { ids },
  });
  return findContents(db, activityId);
}

/** Nobody deletes or moves the activity until the transaction ends. */
async function holdActivity(db: Db, id: string): Promise<void> {
  const activity = await db
    .selectFrom('trainingActivities')
    .select('id')
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  if (!activity) throw activityGone();
}

/** Locks the item and returns its file's id. Does not find archived items. */
async function lockContent(db: Db, id: string) {
  const stored = await db
    .selectFrom('contentItems')
    .leftJoin('storedFiles', 'storedFiles.path', 'contentItems.filePath')
    .selectAll('contentItems')
    .select('storedFiles.id as fileId')
    .where('contentItems.id', '=', id)
    .where('contentItems.archivedAt', 'is', null)
    .forUpdate('contentItems')
    .executeTakeFirst();
  if (!stored) throw contentGone();
  return stored;
}

async function uploadedPath(db: Db, actor: Actor, fileId: string): Promise<string> {
  return (await claimUpload(db, actor, fileId, 'content')).path;
}

async function archiveContent(db: Db, id: string, kept: { id: string }[]): Promise<void> {
  const keptIds = sql`${kept.map((assignment) => assignment.id)}::uuid[]`;
  await sql`
    with removed as (
      delete from content_assignments where content_item_id = ${id} and id <> all(${keptIds})
    ), archived as (
      update content_assignments set archived_at = coalesce(archived_at, ${now()}) where id = any(${keptIds})
    )
    update content_items set archived_at = ${now()}, version = version + 1 where id = ${id}`.execute(db);
}

type StoredFacts = Omit<ContentInput, 'fileId' | 'contentType'> & { contentType: string };

/** An empty field is null. */
function factsOf(facts: StoredFacts) {
  return {
    title: facts.title,
    contentType: facts.contentType,
    orderIndex: facts.orderIndex,
    estimatedMinutes: facts.estimatedMinutes,
    isRequired: facts.isRequired,
    contentUrl: facts.contentUrl || null,
    contentText: facts.contentText?.trim() ? facts.contentText : null,
    dueDate: facts.dueDate,
  };
}

function subject(id: string) {
  return { subjectType: 'content_item', subjectId: id };
}

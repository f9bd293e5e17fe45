import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { Resource, ResourceInput, updateResource as updateResourceEndpoint } from '#contract/resources.ts';
import type { Db } from '#server/db/database.ts';
import { requireProgramme } from '#server/features/programmes/programme-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { newId } from '#server/platform/ids.ts';
import { refuseOvertaken } from '#server/platform/overtaken.ts';
import { changed } from '#server/platform/telling.ts';
import { findResource, resourceGone } from './resource-queries.ts';

/** RES-24 */
export async function createResource(db: Db, actor: Pick<Actor, 'id'>, input: ResourceInput): Promise<Resource> {
  const id = newId();
  await requireProgramme(db, input.programmeId);
  const facts = factsOf(input);
  await db
    .insertInto('resources')
    .values({ id, ...facts, uploadedBy: actor.id, createdAt: now() })
    .execute();
  await changed(db, 'resources', 'everybody');
  await audit(db, actor.id, { action: 'resource.create', ...subject(id), after: facts });
  return findResource(db, id);
}

/** RES-27. Does not overwrite unseen what somebody else has written meanwhile. */
export async function updateResource(
  db: Db,
  actor: Actor,
  id: string,
  { version, ...input }: ParsedInputOf<typeof updateResourceEndpoint>['body'],
): Promise<Resource> {
  const before = await lockResource(db, id);
  refuseOvertaken(before.version, version, 'resource');
  const { programmeId = before.programmeId } = input;
  if (programmeId !== before.programmeId) await requireProgramme(db, programmeId);
  const after = factsOf({ ...input, programmeId });
  await db
    .updateTable('resources')
    .set((row) => ({ ...after, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
  await changed(db, 'resources', 'everybody');
  await audit(db, actor.id, { action: 'resource.update', ...subject(id), before: factsOf(before), after });
  return findResource(db, id);
}

/** RES-31 */
export async function deleteResource(db: Db, actor: Actor, id: string): Promise<void> {
  const before = await lockResource(db, id);
  await db.deleteFrom('resources').where('id', '=', id).execute();
  await changed(db, 'resources', 'everybody');
  await audit(db, actor.id, { action: 'resource.delete', ...subject(id), before: factsOf(before) });
}

async function lockResource(db: Db, id: string) {
  const resource = await db.selectFrom('resources').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!resource) throw resourceGone();
  return resource;
}

type StoredFacts = Omit<ResourceInput, 'fileType' | 'program'> & { fileType: string; program: string };

/** RES-20: an empty field is null. */
function factsOf({ title, description, fileType, fileUrl, courseModule, program, programmeId }: StoredFacts) {
  return {
    ...{ title, description: description || null, fileType, fileUrl },
    ...{ courseModule: courseModule || null, program, programmeId },
  };
}

function subject(id: string) {
  return { subjectType: 'resource', subjectId: id };
}

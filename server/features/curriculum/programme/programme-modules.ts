import { sql } from 'kysely';
import type { ModuleFacts } from '#contract/programme-setup.ts';
import type { Db } from '#server/db/database.ts';
import { moveAmong } from '#server/features/curriculum/row-order.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { refuseOvertaken } from '#server/platform/overtaken.ts';
import { refuseTaken } from '#server/platform/taken-names.ts';
import { changed } from '#server/platform/telling.ts';

type Stored = Awaited<ReturnType<typeof lockModule>>;

export async function createModule(db: Db, actor: Actor, { isArchived: _, trackId, ...facts }: ModuleFacts) {
  const id = newId();
  const group = { ...facts, specializationTrackId: trackId };
  const { last } = await siblings(db, group)
    .select(({ fn }) => fn.max('orderIndex').as('last'))
    .executeTakeFirstOrThrow();
  await db
    .insertInto('courseModules')
    .values({ id, ...group, orderIndex: (last ?? 0) + 1 })
    .execute()
    .catch(refuseTaken(takenWords(facts.title), 'title'));
  await changed(db, 'training', []);
  await audit(db, actor.id, { action: 'module.create', ...subject(id), after: { ...facts, trackId } });
  return { id };
}

/** Activities carry the title of their module, so they take over a new one. */
export async function updateModule(db: Db, actor: Actor, id: string, given: ModuleFacts & { version: number }) {
  const before = await lockModule(db, id);
  const { title, moduleType, trackId, curriculumVersion, isArchived, version } = given;
  refuseOvertaken(before.version, version, 'module');
  const after = { title, moduleType, specializationTrackId: trackId, curriculumVersion };
  await refuseOtherCurriculum(db, before, after);
  await db
    .updateTable('courseModules')
    .set((row) => ({
      ...after,
      archivedAt: isArchived ? (before.archivedAt ?? now()) : null,
      version: row('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
    .catch(refuseTaken(takenWords(title), 'title'));
  const renamedActivities = title === before.title ? 0 : await renameInActivities(db, before, title);
  await changed(db, 'training', []);
  await audit(db, actor.id, {
    action: 'module.update',
    ...subject(id),
    before: factsOf(before),
    after: { title, moduleType, trackId, curriculumVersion, isArchived, renamedActivities },
  });
  return { id };
}

export async function deleteModule(db: Db, actor: Actor, id: string) {
  const before = await lockModule(db, id);
  const completions = await countCompletions(db, id);
  if (completions > 0) {
    throw new AppError(
      'conflict',
      `${completions.toLocaleString('en-US')} people have completed this module: archive it instead.`,
    );
  }
  await db.deleteFrom('courseModules').where('id', '=', id).execute();
  await changed(db, 'training', []);
  await audit(db, actor.id, { action: 'module.delete', ...subject(id), before: factsOf(before) });
  return { done: true as const };
}

export async function moveModule(db: Db, actor: Actor, id: string, direction: 'up' | 'down') {
  const module = await lockModule(db, id);
  const rows = await siblings(db, module)
    .select('id')
    .where('archivedAt', 'is', null)
    .orderBy('orderIndex')
    .orderBy('title')
    .orderBy('id')
    .forUpdate()
    .execute();
  const place = await moveAmong(db, 'course_modules', rows, { id, direction });
  await changed(db, 'training', []);
  await audit(db, actor.id, {
    action: 'module.move',
    ...subject(id),
    after: { direction, place },
  });
  return { done: true as const };
}

async function lockModule(db: Db, id: string) {
  const module = await db.selectFrom('courseModules').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!module) throw notFound('This module no longer exists. Somebody may have deleted it.');
  return module;
}

type Group = Pick<Stored, 'curriculumVersion' | 'specializationTrackId'>;

/** Selects the modules that share one order: those of one curriculum that are core or of one track. */
function siblings(db: Db, { curriculumVersion, specializationTrackId }: Group) {
  return db
    .selectFrom('courseModules')
    .where('curriculumVersion', '=', curriculumVersion)
    .where('specializationTrackId', 'is not distinct from', specializationTrackId);
}

function takenWords(title: string): string {
  return `There is a module named ${title} here already.`;
}

/** A completed module stays in its curriculum and track, because people completed it there. */
async function refuseOtherCurriculum(db: Db, before: Stored, after: Group): Promise<void> {
  const isMoved =
    after.curriculumVersion !== before.curriculumVersion ||
    after.specializationTrackId !== before.specializationTrackId;
  if (!isMoved) return;
  const completions = await countCompletions(db, before.id);
  if (completions === 0) return;
  throw new AppError(
    'conflict',
    `${completions.toLocaleString('en-US')} people have completed this module, so its curriculum and track cannot change.`,
  );
}

async function countCompletions(db: Db, moduleId: string): Promise<number> {
  const { n } = await db
    .selectFrom('participantModuleCompletions')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('moduleId', '=', moduleId)
    .executeTakeFirstOrThrow();
  return n;
}

/** Renames in the cohorts of this curriculum. If another track has a module of the same title, they keep it. */
async function renameInActivities(db: Db, { title, curriculumVersion }: Stored, newTitle: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update training_activities set module_name = ${newTitle}
    where module_name = ${title}
      and cohort_id in (select id from cohorts where curriculum_version = ${curriculumVersion})
      and not exists (select from course_modules
        where title = ${title} and curriculum_version = ${curriculumVersion})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

function factsOf({ title, moduleType, specializationTrackId, curriculumVersion, archivedAt }: Stored) {
  return { title, moduleType, trackId: specializationTrackId, curriculumVersion, isArchived: archivedAt !== null };
}

function subject(id: string) {
  return { subjectType: 'module', subjectId: id };
}

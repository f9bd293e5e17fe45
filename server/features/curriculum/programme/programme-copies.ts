import { sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { copyProgramme as copyEndpoint } from '#contract/programme-copies.ts';
import type { Db } from '#server/db/database.ts';
import { copyStaysBecause, copyUses } from '#server/features/cohorts/cohort-copy-queries.ts';
import { firstWeekdayOf, requireWeekday } from '#server/features/programmes/programme-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { changed } from '#server/platform/telling.ts';
import { copyRows } from './programme-copy-rows.ts';
import { contentPathsOf, releaseContentFiles } from './programme-files.ts';

type Given = ParsedInputOf<typeof copyEndpoint>['body'];

/** If two requests have one id, the second waits and returns the copy that the first has made. */
export async function copyProgramme(db: Db, actor: Actor, given: Given) {
  const claimed = await db
    .insertInto('programmeCopies')
    .values({ id: given.id, createdBy: actor.id, sourceCohortId: null, cohortId: null, undoneAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (claimed.numInsertedOrUpdatedRows === 0n) return readCopy(db, actor, given);
  const source = await lockSource(db, given.sourceCohortId);
  requireWeekday(source.firstWeekday, given.startDate);
  const cohortId = newId();
  const counts = await copyRows(db, source, { ...given, cohortId, copyId: given.id });
  await db
    .updateTable('programmeCopies')
    .set({ sourceCohortId: source.id, cohortId })
    .where('id', '=', given.id)
    .execute();
  const { name, startDate, capacity } = given;
  await changed(db, ['cohorts', 'training'], []);
  await audit(db, actor.id, {
    action: 'programme.copy',
    subjectType: 'cohort',
    subjectId: cohortId,
    after: { name, startDate, capacity, sourceCohortId: source.id, sourceName: source.name, ...counts },
  });
  return { cohortId, name, activities: counts.activities };
}

/**
 * Removes what the copy made and nobody used. Files that the source uses too stay. Throws `conflict` if anything was
 * used.
 */
export async function undoProgrammeCopy(db: Db, actor: Actor, id: string) {
  const cohort = await lockUnusedCopy(db, id);
  const paths = await contentPathsOf(db, 'cohortId', cohort.id);
  const { numAffectedRows } = await sql`
    with requirement as (
      delete from weekly_requirements where cohort_id = ${cohort.id}
    ), progress as (
      delete from participant_progress where cohort_id = ${cohort.id}
    ), copy as (
      update programme_copies set undone_at = now() where id = ${id}
    )
    delete from training_activities where cohort_id = ${cohort.id} and copy_id = ${id}`.execute(db);
  await releaseContentFiles(db, paths);
  await db.deleteFrom('cohorts').where('id', '=', cohort.id).execute();
  await changed(db, ['cohorts', 'training'], []);
  await audit(db, actor.id, {
    action: 'programme.undo_copy',
    subjectType: 'cohort',
    subjectId: cohort.id,
    before: { name: cohort.name, startDate: cohort.startDate, activities: Number(numAffectedRows ?? 0) },
  });
  return { done: true as const };
}

async function readCopy(db: Db, actor: Actor, { id, sourceCohortId }: Given) {
  const copy = await db
    .selectFrom('programmeCopies as copy')
    .innerJoin('cohorts', 'cohorts.id', 'copy.cohortId')
    .select(['cohorts.id as cohortId', 'cohorts.name'])
    .select((eb) =>
      eb
        .selectFrom('trainingActivities')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('trainingActivities.cohortId', '=', 'cohorts.id')
        .$asScalar()
        .$notNull()
        .as('activities'),
    )
    .where('copy.id', '=', id)
    .where('copy.createdBy', '=', actor.id)
    .where('copy.sourceCohortId', '=', sourceCohortId)
    .executeTakeFirst();
  if (!copy) throw new AppError('conflict', 'This copy was undone, or belongs to another request. Please start again.');
  return copy;
}

/** The source's programme stays as it is until the transaction ends. */
async function lockSource(db: Db, id: string) {
  const source = await db
    .selectFrom('cohorts')
    .select(['id', 'name', 'programType', 'startDate', 'endDate'])
    .select(firstWeekdayOf)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  if (!source) throw notFound('This cohort no longer exists.');
  return source;
}

/**
 * Locks the copy's cohort. Until the transaction ends, nobody is enrolled, works on its activities or moves others in.
 */
async function lockUnusedCopy(db: Db, copyId: string) {
  const cohort = await db
    .selectFrom('programmeCopies as copy')
    .innerJoin('cohorts', 'cohorts.id', 'copy.cohortId')
    .select(['cohorts.id', 'cohorts.name', 'cohorts.startDate'])
    .where('copy.id', '=', copyId)
    .forUpdate()
    .executeTakeFirst();
  if (!cohort) throw notFound('This copy no longer exists. Somebody may have undone it.');
  await sql`
    with activity as (
      select id from training_activities where cohort_id = ${cohort.id} order by id for update
    ), item as (
      select id from content_items where training_activity_id in (select id from activity) order by id for update
    ), assignment as (
      select id from content_assignments where content_item_id in (select id from item) order by id for update
    )
    select count(*) from assignment`.execute(db);
  // This is asked only now, because what was written while the locks were waited for counts too.
  const { uses } = await db
    .selectNoFrom(copyUses(sql`${cohort.id}::uuid`, sql`${copyId}::uuid`).as('uses'))
    .executeTakeFirstOrThrow();
  const refusal = copyStaysBecause(cohort.name, uses);
  if (refusal) throw new AppError('conflict', refusal);
  return cohort;
}

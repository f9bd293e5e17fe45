import { sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type {
  createRequirement as createEndpoint,
  listRequirements,
  updateRequirement as updateEndpoint,
} from '#contract/programme-items.ts';
import { weeksBeyond } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { moveAmong } from '#server/features/curriculum/row-order.ts';
import { weeksOfProgramme } from '#server/features/programmes/programme-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { refuseOvertaken } from '#server/platform/overtaken.ts';
import { byId, byInteger, pagesBy } from '#server/platform/pages.ts';

type New = ParsedInputOf<typeof createEndpoint>['body'];
type Edit = ParsedInputOf<typeof updateEndpoint>['body'];
type Stored = Awaited<ReturnType<typeof lockRequirement>>;

const afterAllWeeks = 99;
const week = sql<number>`coalesce(week_number, ${sql.lit(afterAllWeeks)})`;
const pages = pagesBy(100, [byInteger(week), byInteger(sql`order_index`), byId(sql`id`)]);

export async function findRequirements(db: Db, query: ParsedInputOf<typeof listRequirements>['query']) {
  const found = await db
    .selectFrom('weeklyRequirements')
    .select(['id', 'weekNumber', 'title', 'type', 'dueDate', 'orderIndex', 'calendarSequence as version'])
    .where('cohortId', '=', query.cohort)
    .$if(query.week !== undefined, (rows) => rows.where('weekNumber', '=', query.week ?? 0))
    .where(pages.comesAfter(query.cursor))
    .orderBy(pages.inOrder)
    .limit(pages.most)
    .execute();
  return pages.cut(found, ({ weekNumber, orderIndex, id }) => [weekNumber ?? afterAllWeeks, orderIndex, id]);
}

export async function createRequirement(db: Db, actor: Actor, facts: New) {
  refuseLateWeek(await lockCohort(db, facts.cohortId), facts.weekNumber);
  const id = newId();
  const orderIndex = await lastPlace(db, facts.cohortId, facts.weekNumber);
  await db
    .insertInto('weeklyRequirements')
    .values({ id, ...facts, orderIndex })
    .execute();
  await audit(db, actor.id, { action: 'requirement.create', ...subject(id), after: facts });
  return { id };
}

export async function updateRequirement(db: Db, actor: Actor, id: string, { version, ...after }: Edit) {
  const before = await lockRequirement(db, id);
  refuseOvertaken(before.calendarSequence, version, 'requirement');
  const isMoved = after.weekNumber !== before.weekNumber;
  if (isMoved) refuseLateWeek(await lockCohort(db, before.cohortId), after.weekNumber);
  const orderIndex = isMoved ? await lastPlace(db, before.cohortId, after.weekNumber) : before.orderIndex;
  await db
    .updateTable('weeklyRequirements')
    .set({ ...after, orderIndex })
    .where('id', '=', id)
    .execute();
  await audit(db, actor.id, { action: 'requirement.update', ...subject(id), before: factsOf(before), after });
  return { id };
}

export async function deleteRequirement(db: Db, actor: Actor, id: string) {
  const before = await lockRequirement(db, id);
  await db.deleteFrom('weeklyRequirements').where('id', '=', id).execute();
  await audit(db, actor.id, { action: 'requirement.delete', ...subject(id), before: factsOf(before) });
  return { done: true as const };
}

export async function moveRequirement(db: Db, actor: Actor, id: string, direction: 'up' | 'down') {
  const { cohortId, weekNumber } = await lockRequirement(db, id);
  const rows = await db
    .selectFrom('weeklyRequirements')
    .select('id')
    .where('cohortId', '=', cohortId)
    .where('weekNumber', 'is not distinct from', weekNumber)
    .orderBy('orderIndex')
    .orderBy('id')
    .forUpdate()
    .execute();
  const place = await moveAmong(db, 'weekly_requirements', rows, { id, direction });
  await audit(db, actor.id, {
    action: 'requirement.move',
    ...subject(id),
    after: { direction, place },
  });
  return { done: true as const };
}

async function lockCohort(db: Db, cohortId: string) {
  const cohort = await db
    .selectFrom('cohorts')
    .select(weeksOfProgramme)
    .where('id', '=', cohortId)
    .forUpdate()
    .executeTakeFirst();
  if (!cohort) throw notFound('This cohort no longer exists.');
  return cohort;
}

function refuseLateWeek({ weeks }: { weeks: number }, weekNumber: number): void {
  const last = weeks + weeksBeyond;
  if (weekNumber <= last) return;
  const message = `Choose week ${last} or earlier.`;
  throw new AppError('invalid_input', message, { errors: [{ path: 'weekNumber', message }] });
}

async function lockRequirement(db: Db, id: string) {
  const requirement = await db
    .selectFrom('weeklyRequirements')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!requirement) throw notFound('This requirement no longer exists. Somebody may have deleted it.');
  return requirement;
}

async function lastPlace(db: Db, cohortId: string, weekNumber: number): Promise<number> {
  const { last } = await db
    .selectFrom('weeklyRequirements')
    .select(({ fn }) => fn.max('orderIndex').as('last'))
    .where('cohortId', '=', cohortId)
    .where('weekNumber', '=', weekNumber)
    .executeTakeFirstOrThrow();
  return (last ?? 0) + 1;
}

function factsOf({ cohortId, weekNumber, title, type, dueDate }: Stored) {
  return { cohortId, weekNumber, title, type, dueDate };
}

function subject(id: string) {
  return { subjectType: 'requirement', subjectId: id };
}

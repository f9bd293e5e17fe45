import type { Insertable } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { CohortsTable } from '#server/db/schema.gen.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';

type NewCohort = Omit<Insertable<CohortsTable>, 'id' | 'createdAt'>;

/** Without an author it is the product itself that fills in a programme. */
export async function createCohort(
  db: Db,
  author: Pick<Actor, 'id' | 'role'> | null,
  cohort: NewCohort,
): Promise<string> {
  if (author && author.role !== 'admin') throw new AppError('forbidden', 'Only an admin sets up a cohort.');
  const id = newId();
  await db
    .insertInto('cohorts')
    .values({ ...cohort, id })
    .execute();
  const { name, startDate, endDate, programType } = cohort;
  const after = { name, startDate, endDate, programType };
  await audit(db, author?.id ?? null, { action: 'cohort.create', subjectType: 'cohort', subjectId: id, after });
  return id;
}

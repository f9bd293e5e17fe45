import type { Db } from '#server/db/database.ts';
import { AppError, notFound } from '#server/platform/errors.ts';

/** Cohorts that activities may be assigned to (TRAIN-24). */
export const targetStatuses = ['active', 'planning'];

export function activityGone() {
  return notFound('This training activity is not there any more. Somebody may have deleted it.');
}

/** TRAIN-24. Throws `conflict` for a cohort that is neither active nor planned. */
export async function requireTarget(db: Db, cohortId: string): Promise<{ name: string }> {
  const cohort = await db
    .selectFrom('cohorts')
    .select(['name', 'status'])
    .where('id', '=', cohortId)
    .forShare()
    .executeTakeFirst();
  if (!cohort) throw new AppError('invalid_input', 'This cohort is not there any more. Please choose another one.');
  if (!targetStatuses.includes(cohort.status)) {
    throw new AppError(
      'conflict',
      `${cohort.name} is ${cohort.status}: activities go to active and planned cohorts only.`,
    );
  }
  return cohort;
}

import type { ActivityFacts } from '#contract/activity-facts.ts';
import { moduleNames } from '#contract/learning.ts';
import { addDays } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { AppError, notFound } from '#server/platform/errors.ts';

/** Activities may be assigned to cohorts of these statuses (TRAIN-24). */
export const targetStatuses = ['active', 'planning'];

type PlacedFacts = Pick<ActivityFacts, 'moduleName' | 'cohortId' | 'weekNumber' | 'sessionDate'>;

/**
 * Checks what the contract cannot know of an activity's facts, for every screen that writes them: its module, its
 * cohort, and that its day lies in its week there. Each is refused at its field. A fact that the activity already has
 * may stay.
 */
export async function requireSoundFacts(db: Db, after: PlacedFacts, before: PlacedFacts | null): Promise<void> {
  const { moduleName, cohortId } = after;
  if (moduleName !== null && moduleName !== before?.moduleName) await requireKnownModule(db, moduleName);
  if (cohortId === null) return;
  const isElsewhere = cohortId !== before?.cohortId;
  const isOtherDay = after.weekNumber !== before?.weekNumber || after.sessionDate !== before?.sessionDate;
  if (!isElsewhere && !isOtherDay) return;
  const cohort = isElsewhere ? await requireTarget(db, cohortId) : await requireCohort(db, cohortId);
  refuseOtherWeek(cohort, after);
}

/** TRAIN-24. Throws `conflict` for a cohort that is neither active nor planned. */
export async function requireTarget(db: Db, cohortId: string): Promise<{ name: string; startDate: string }> {
  const cohort = await requireCohort(db, cohortId);
  if (!targetStatuses.includes(cohort.status)) {
    const words = `${cohort.name} is ${cohort.status}: activities go to active and planned cohorts only.`;
    throw refusedAt('cohortId', words, 'conflict');
  }
  return cohort;
}

export function activityGone() {
  return notFound('This training activity no longer exists. Somebody may have deleted it.');
}

async function requireCohort(db: Db, cohortId: string) {
  const cohort = await db
    .selectFrom('cohorts')
    .select(['name', 'status', 'startDate'])
    .where('id', '=', cohortId)
    .forShare()
    .executeTakeFirst();
  if (!cohort) throw refusedAt('cohortId', 'This cohort no longer exists. Please choose another one.');
  return cohort;
}

/** TRAIN-10: allows the fixed list, and the modules of Programme Setup. */
async function requireKnownModule(db: Db, name: string): Promise<void> {
  if (moduleNames.some((known) => known === name)) return;
  const module = await db
    .selectFrom('courseModules')
    .select('id')
    .where('title', '=', name)
    .where('archivedAt', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (!module) throw refusedAt('moduleName', 'Please choose a module from the list.');
}

/** Dates belong to the cohort and its week. A date elsewhere would be wrong in the calendar. */
function refuseOtherWeek(
  { name, startDate }: { name: string; startDate: string },
  { weekNumber, sessionDate }: Pick<PlacedFacts, 'weekNumber' | 'sessionDate'>,
): void {
  if (sessionDate === null) return;
  const firstDay = addDays(startDate, 7 * (weekNumber - 1));
  const lastDay = addDays(firstDay, 6);
  if (sessionDate >= firstDay && sessionDate <= lastDay) return;
  throw refusedAt('sessionDate', `Week ${weekNumber} of ${name} lasts from ${firstDay} to ${lastDay}.`);
}

function refusedAt(path: keyof PlacedFacts, message: string, code: 'invalid_input' | 'conflict' = 'invalid_input') {
  return new AppError(code, message, { errors: [{ path, message }] });
}

import { sql } from 'kysely';
import type { ActivityFacts } from '#contract/activity-facts.ts';
import { defaultProgrammeId } from '#contract/default-programme.ts';
import { addDays, weeksBeyond } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { AppError, notFound } from '#server/platform/errors.ts';

/** Activities may be assigned to cohorts of these statuses (TRAIN-24). */
export const targetStatuses = ['active', 'planning'];

type PlacedFacts = Pick<ActivityFacts, 'moduleName' | 'cohortId' | 'weekNumber' | 'sessionDate'> &
  Partial<Pick<ActivityFacts, 'audiences'>>;

/**
 * Checks what the contract cannot know of an activity's facts, for every screen that writes them: its module, its
 * cohort, its audiences, and that its day lies in its week there. Each is refused at its field. A fact that the activity already has
 * may stay.
 */
export async function requireSoundFacts(db: Db, after: PlacedFacts, before: PlacedFacts | null): Promise<void> {
  const { moduleName, cohortId, weekNumber } = after;
  const isElsewhere = cohortId !== (before?.cohortId ?? null) || before === null;
  const isOtherDay = weekNumber !== before?.weekNumber || after.sessionDate !== before?.sessionDate;
  const isOtherModule = moduleName !== null && moduleName !== before?.moduleName;
  const audiences = (after.audiences ?? []).filter((key) => !before?.audiences?.includes(key));
  if (!isElsewhere && !isOtherDay && !isOtherModule && audiences.length === 0) return;
  const cohort = cohortId === null ? null : await (isElsewhere ? requireTarget : requireCohort)(db, cohortId);
  const programmeId = cohort?.programmeId ?? defaultProgrammeId;
  const programme = await findProgramme(db, programmeId, { moduleName, audiences });
  refuseLateWeek(programme, weekNumber, before);
  if (isOtherModule && !programme.isModuleKnown) throw refusedAt('moduleName', 'Please choose a module from the list.');
  if (!programme.areAudiencesKnown) throw refusedAt('audiences', 'Please choose whom it is for, in this program.');
  if (cohort) refuseOtherWeek(cohort, after);
}

/** CAL-02 */
function refuseLateWeek({ weeks }: { weeks: number }, weekNumber: number, before: PlacedFacts | null): void {
  const last = weeks + weeksBeyond;
  if (weekNumber <= last || weekNumber === before?.weekNumber) return;
  throw refusedAt('weekNumber', `The week must be a whole number from 1 to ${last}`);
}

interface Placed {
  name: string;
  startDate: string;
  programmeId: string;
}

/** TRAIN-24. Throws `conflict` for a cohort that is neither active nor planned. */
export async function requireTarget(db: Db, cohortId: string): Promise<Placed> {
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
    .select(['name', 'status', 'startDate', 'programmeId'])
    .where('id', '=', cohortId)
    .forShare()
    .executeTakeFirst();
  if (!cohort) throw refusedAt('cohortId', 'This cohort no longer exists. Please choose another one.');
  return cohort;
}

/** TRAIN-10: the list of the programme is known, and so are the modules of Programme Setup. */
async function findProgramme(
  db: Db,
  id: string,
  { moduleName, audiences }: { moduleName: string | null; audiences: string[] },
) {
  return db
    .selectFrom('programmes')
    .select([
      'weeks',
      sql<boolean>`coalesce(${moduleName} = any(module_names) or exists (
        select from course_modules where title = ${moduleName} and archived_at is null), true)`.as('isModuleKnown'),
      sql<boolean>`not exists (select from unnest(${audiences}::text[]) wanted (key)
        where not exists (select from programme_audiences known
          where known.key = wanted.key and known.programme_id = programmes.id))`.as('areAudiencesKnown'),
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
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

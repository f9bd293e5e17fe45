import { sql } from 'kysely';
import { weekdays } from '#contract/programmes.ts';
import { weeksBeyond } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { AppError } from '#server/platform/errors.ts';

/** Refuses a new cohort that begins on another weekday than its programme's, or whose programme is archived. */
export async function requireOpenProgramme(
  db: Db,
  { programmeId, startDate, unlockedWeeks = 0 }: { programmeId: string; startDate: string; unlockedWeeks?: number },
): Promise<void> {
  const programme = await loadProgramme(db, programmeId);
  if (!programme) throw gone();
  if (programme.archivedAt) throw atField('programmeId', 'This program is archived. Choose another one.');
  requireWeekday(programme.firstWeekday, startDate);
  requireUnlockable(programme.weeks, unlockedWeeks);
}

/** Activities may lie in some more weeks than the programme has, and these can be unlocked too. */
export function requireUnlockable(weeks: number, unlockedWeeks: number): void {
  const last = weeks + weeksBeyond;
  if (unlockedWeeks > last) throw atField('unlockedWeeks', `Enter ${last} or less.`);
}

/** Refuses the id of no programme. What was made for one that is archived can still be for it. */
export async function requireProgramme(db: Db, programmeId: string | null): Promise<void> {
  if (programmeId && !(await loadProgramme(db, programmeId))) throw gone();
}

function loadProgramme(db: Db, id: string) {
  return db
    .selectFrom('programmes')
    .select(['firstWeekday', 'archivedAt', 'weeks'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Refuses a start on another weekday than that on which the programme's cohorts begin. */
export function requireWeekday(firstWeekday: number | null, startDate: string): void {
  if (firstWeekday === null || new Date(`${startDate}T12:00:00Z`).getUTCDay() === firstWeekday) return;
  throw atField('startDate', `Cohorts of this program begin on a ${weekdays[firstWeekday]}.`);
}

/** Columns of cohorts. */
export const firstWeekdayOf = sql<
  number | null
>`(select first_weekday from programmes where id = cohorts.programme_id)`.as('firstWeekday');

export const weeksOfProgramme = sql<number>`(select weeks from programmes where id = cohorts.programme_id)`.as('weeks');

function gone(): AppError {
  return atField('programmeId', 'This program no longer exists.');
}

function atField(path: string, message: string): AppError {
  return new AppError('invalid_input', message, { errors: [{ path, message }] });
}

import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';

export interface LastBackup {
  startedAt: Date;
  /** Null while it is under way. */
  endedAt: Date | null;
  /** `done` or `failed`. Null while it is under way. */
  outcome: string | null;
  place: string;
  sizeInBytes: number | null;
  /** Files that rows name and the storage had no more. */
  missingFiles: number | null;
  error: string | null;
  /** When the last whole one began, which is the moment that a restore leads back to. Null if there is none. */
  lastDoneAt: Date | null;
}

/** The backup that began last, by the schedule or by hand. Null if this instance never made one. */
export async function findLastBackup(db: Db): Promise<LastBackup | null> {
  const last = await db
    .selectFrom('backups')
    .select(['startedAt', 'endedAt', 'outcome', 'place', 'sizeBytes as sizeInBytes', 'missingFiles', 'error'])
    .select((row) =>
      row
        .selectFrom('backups as whole')
        .select('whole.startedAt')
        .where('whole.outcome', '=', 'done')
        .orderBy('whole.startedAt', 'desc')
        .limit(1)
        .as('lastDoneAt'),
    )
    .orderBy('startedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ?? null;
}

/** A backup that is missing twice in a row is one that somebody has to look at. */
export function isTooOld(lastDoneAt: Date, at: Date, { everyHours }: Pick<Config['backup'], 'everyHours'>): boolean {
  return at.getTime() - lastDoneAt.getTime() > 2 * everyHours * 3_600_000;
}

/** When the schedule last began one, and how that ended. */
export async function findLastScheduled(db: Db): Promise<{ startedAt: Date; outcome: string | null } | null> {
  const last = await db
    .selectFrom('backups')
    .select(['startedAt', 'outcome'])
    .where('isScheduled', '=', true)
    .orderBy('startedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ?? null;
}

/** Whole backups of the schedule at this place, beyond the newest `keep`. The oldest comes first. */
export async function findOutlived(db: Db, place: string, keep: number): Promise<string[]> {
  const found = await db
    .selectFrom('backups')
    .select('name')
    .where('isScheduled', '=', true)
    .where('outcome', '=', 'done')
    .where('removedAt', 'is', null)
    .where('place', '=', place)
    .orderBy('startedAt', 'desc')
    .offset(keep)
    .execute();
  return found.map(({ name }) => name).toReversed();
}

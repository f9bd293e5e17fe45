import { sql } from 'kysely';
import { houseZone } from '#contract/house-zone.ts';
import type { Db } from '#server/db/database.ts';
import { notify } from '#server/platform/notices.ts';

const moment = new Intl.DateTimeFormat('en-US', {
  timeZone: houseZone,
  dateStyle: 'medium',
  timeStyle: 'short',
});

/** Tells all admins, once until a backup is whole again. */
export async function tellThatBackupFailed(db: Db, reason: string, lastDoneAt: Date | null): Promise<void> {
  await tellAdmins(db, 'failed', lastDoneAt, {
    title: 'Backup failed',
    message: `The backup could not be made: ${reason} Switchyard tries again every hour. ${lastWhole(lastDoneAt)}`,
  });
}

/** Tells all admins, once until a backup is whole again. */
export async function tellThatBackupIsOld(db: Db, lastDoneAt: Date): Promise<void> {
  await tellAdmins(db, 'old', lastDoneAt, {
    title: 'Backup is too old',
    message: `No backup was made for a while. ${lastWhole(lastDoneAt)}`,
  });
}

async function tellAdmins(
  db: Db,
  event: string,
  lastDoneAt: Date | null,
  words: { title: string; message: string },
): Promise<void> {
  const { rows: admins } = await sql<{ id: string }>`
    select id from profiles where role = 'admin' and deleted_at is null`.execute(db);
  const since = lastDoneAt?.toISOString() ?? 'ever';
  await notify(
    db,
    admins.map(({ id }) => ({
      ...words,
      userId: id,
      kind: 'backup',
      link: null,
      preference: 'deadlineAlerts',
      eventKey: `backup:${event}:${since}:${id}`,
      matter: 'backup',
    })),
  );
}

function lastWhole(at: Date | null): string {
  return at ? `The last whole backup is of ${moment.format(at)} ET.` : 'There is no whole backup yet.';
}

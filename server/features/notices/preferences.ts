import { sql } from 'kysely';
import { defaultPreferences, type NoticeCategory, type NotificationPreferences } from '#contract/notices.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { changed } from '#server/platform/telling.ts';

/** PREF-04, PREF-08: finds only the person's own preferences. Without a row, the defaults hold. */
export async function findPreferences(db: Db, { id }: Pick<Actor, 'id'>): Promise<NotificationPreferences> {
  const stored = await db.selectFrom('notificationPreferences').selectAll().where('userId', '=', id).executeTakeFirst();
  return stored ?? defaultPreferences;
}

/** PREF-05: a person has one row. */
export async function savePreferences(
  db: Db,
  { id }: Pick<Actor, 'id'>,
  preferences: NotificationPreferences,
): Promise<NotificationPreferences> {
  const stored = await db
    .insertInto('notificationPreferences')
    .values({ ...preferences, userId: id })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(preferences))
    .returningAll()
    .executeTakeFirstOrThrow();
  await tellOwnBrowsers(db, id);
  return stored;
}

/** Text messages go to the confirmed number, in E.164. A number from an import is only offered to be confirmed. */
export async function findPhones(
  db: Db,
  { id }: Pick<Actor, 'id'>,
): Promise<{ phone: string | null; unconfirmedPhone: string | null }> {
  const { phone, phoneConfirmedAt } = await db
    .selectFrom('profiles')
    .select(['phone', 'phoneConfirmedAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return phoneConfirmedAt ? { phone, unconfirmedPhone: null } : { phone: null, unconfirmedPhone: phone };
}

/** The channels that this server can send by. */
export function channelsOf({ smtpUrl, sms }: Config): { email: boolean; sms: boolean; push: boolean } {
  return { email: smtpUrl !== null, sms: sms !== null, push: true };
}

/** Switches off one category and leaves the rest. Does nothing for a person who was removed. */
export async function switchOff(db: Db, userId: string, category: NoticeCategory): Promise<void> {
  const off = { [category]: false };
  await db
    .insertInto('notificationPreferences')
    .columns(['userId', category])
    .expression((eb) =>
      eb
        .selectFrom('profiles')
        .select(['id', sql<boolean>`false`.as('off')])
        .where('id', '=', userId)
        .where('deletedAt', 'is', null),
    )
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(off))
    .execute();
  await tellOwnBrowsers(db, userId);
}

/** Otherwise a form that stays open elsewhere would switch the category on again when it is saved. */
function tellOwnBrowsers(db: Db, userId: string): Promise<void> {
  return changed(db, 'preferences', [userId]);
}

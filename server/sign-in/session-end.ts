import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { sessionsEnded } from '#server/platform/live.ts';
import { changed } from '#server/platform/telling.ts';

/**
 * Ends a person's sessions and the pushes to their browsers, and returns how many sessions ended. `exceptSessionId`
 * stays. A browser with an unknown session gets no pushes any more either. If no session stays, the calendar address
 * stops too.
 */
export async function endSessions(db: Db, userId: string, exceptSessionId: string | null = null): Promise<number> {
  const [isEnded, isSilenced, unread] =
    exceptSessionId === null
      ? [sql`true`, sql`true`, sql`, unread as (delete from calendar_feeds where user_id = ${userId})`]
      : [sql`id <> ${exceptSessionId}`, sql`(session_id is null or session_id in (select id from ended))`, sql``];
  const done = await sql<{ ended: number }>`
    with ended as (
      delete from auth.session where user_id = ${userId} and ${isEnded} returning id
    ), silenced as (
      delete from push_subscriptions where user_id = ${userId} and ${isSilenced}
    )${unread}
    select (select count(*)::int from ended) as ended, ${sessionsEnded(userId)}`.execute(db);
  if (exceptSessionId === null) await changed(db, 'calendars', [userId]);
  return done.rows[0]?.ended ?? 0;
}

/** A person who got hold of the address reads nothing more. Its owner can make another one. */
export async function endCalendarAddress(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('calendarFeeds').where('userId', '=', userId).execute();
  await changed(db, 'calendars', [userId]);
}

import { sql } from 'kysely';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readPushedNotice } from '#contract/push.ts';
import type { Db } from '#server/db/database.ts';
import { isNeeded, isWanted } from '#server/features/notices/event-state-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { notFound } from '#server/platform/errors.ts';

export async function isSubscribed(db: Db, { id: userId }: Pick<Actor, 'id'>, endpoint: string): Promise<boolean> {
  const found = await db
    .selectFrom('pushSubscriptions')
    .select('id')
    .where('endpoint', '=', endpoint)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return found !== undefined;
}

/** A push service may hold a message back for hours. In that time its notice may be read, done or switched off. */
export async function findPushedNotice(
  db: Db,
  { id: userId }: Pick<Actor, 'id'>,
  eventId: string,
): Promise<ResponseOf<typeof readPushedNotice>> {
  const { rows } = await sql<ResponseOf<typeof readPushedNotice>>`
    select notices.read_at is null and ${isNeeded(now())} and ${isWanted}
      and coalesce(preferences.push_enabled, true) as is_news
    from notice_events event
    left join notices on notices.event_id = event.id
    left join notification_preferences preferences on preferences.user_id = event.user_id
    where event.id = ${eventId} and event.user_id = ${userId}`.execute(db);
  const [found] = rows;
  if (!found) throw notFound('We cannot find this notice.');
  return found;
}

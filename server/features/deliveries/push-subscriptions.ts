import { sql } from 'kysely';
import type { PushSubscriptionFacts } from '#contract/push.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/errors.ts';
import { isPushKey } from './push-message.ts';

const mostOfPerson = 10;

/**
 * A browser belongs to the person who subscribed last. A session has one browser, and a person has the ten that
 * subscribed last.
 */
export async function subscribe(
  db: Db,
  { id, sessionId }: Pick<Actor, 'id' | 'sessionId'>,
  { endpoint, keys }: PushSubscriptionFacts,
  { pushAllowPrivate }: Config,
  userAgent: string | null,
): Promise<void> {
  if (!endpoint.startsWith('https://') && !pushAllowPrivate) {
    throw new AppError('invalid_input', 'A push service has an address that starts with https://.');
  }
  if (!isPushKey(keys.p256dh)) {
    const message = "This is not a browser's key.";
    throw new AppError('invalid_input', message, { errors: [{ path: 'keys.p256dh', message }] });
  }
  const facts = {
    userId: id,
    sessionId,
    p256dh: keys.p256dh,
    authSecret: keys.auth,
    userAgent,
    formerKey: null,
  };
  // If a person subscribes several browsers at once, each waits for the one before.
  await db.selectFrom('profiles').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  await db
    .deleteFrom('pushSubscriptions')
    .where('sessionId', '=', sessionId)
    .where('endpoint', '<>', endpoint)
    .execute();
  await db
    .insertInto('pushSubscriptions')
    .values({ endpoint, ...facts })
    .onConflict((conflict) => conflict.column('endpoint').doUpdateSet({ ...facts, createdAt: sql<Date>`now()` }))
    .execute();
  await forgetOldest(db, id);
}

async function forgetOldest(db: Db, userId: string): Promise<void> {
  await db
    .deleteFrom('pushSubscriptions')
    .where('id', 'in', (query) =>
      query
        .selectFrom('pushSubscriptions as kept')
        .select('kept.id')
        .where('kept.userId', '=', userId)
        .orderBy('kept.createdAt', 'desc')
        .orderBy('kept.id', 'desc')
        .offset(mostOfPerson),
    )
    .execute();
}

export async function unsubscribe(db: Db, { id }: Pick<Actor, 'id'>, endpoint: string): Promise<void> {
  await db.deleteFrom('pushSubscriptions').where('userId', '=', id).where('endpoint', '=', endpoint).execute();
}

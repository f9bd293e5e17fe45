import type { PushSubscriptionFacts } from '#contract/push.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/errors.ts';

/** A browser belongs to whoever subscribed last. */
export async function subscribe(
  db: Db,
  { id, sessionId }: Pick<Actor, 'id' | 'sessionId'>,
  { endpoint, keys }: PushSubscriptionFacts,
  { pushAllowPrivate }: Config,
  userAgent: string | undefined,
): Promise<void> {
  if (!endpoint.startsWith('https://') && !pushAllowPrivate) {
    throw new AppError('invalid_input', 'A push service has an address that starts with https://.');
  }
  const facts = {
    userId: id,
    sessionId,
    p256dh: keys.p256dh,
    authSecret: keys.auth,
    userAgent: userAgent?.slice(0, 300) ?? null,
  };
  await db
    .insertInto('pushSubscriptions')
    .values({ endpoint, ...facts })
    .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(facts))
    .execute();
}

export async function unsubscribe(db: Db, { id }: Pick<Actor, 'id'>, endpoint: string): Promise<void> {
  await db.deleteFrom('pushSubscriptions').where('userId', '=', id).where('endpoint', '=', endpoint).execute();
}

import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { App } from '#server/platform/app-parts.ts';
import { now } from '#server/platform/clock.ts';
import { openText, type Secrets, sealText } from '#server/platform/secret-box.ts';
import { makePushKeys, type PushKeys } from './push-message.ts';
import { pushKeyPurpose } from './sealed-push-key-queries.ts';

/** Makes the keys once for each instance, at the first request. Two requests at once both get the same keys. */
export async function loadPushKeys(db: Db, { secrets }: Pick<App, 'secrets'>): Promise<PushKeys> {
  const stored = await findKeys(db);
  if (stored) return opened(secrets, stored);
  const made = makePushKeys();
  await db
    .insertInto('pushKeys')
    .values({ publicKey: made.publicKey, encryptedPrivateKey: sealText(secrets, pushKeyPurpose, made.privateKey) })
    .onConflict((conflict) => conflict.column('isOnlyRow').doNothing())
    .execute();
  const kept = await findKeys(db);
  if (!kept) throw new Error('The keys for push messages were stored and are not there.');
  return opened(secrets, kept);
}

/** Finds the keys that a browser subscribed to. Null stands for the present ones. */
export async function loadKeysOf(app: Pick<App, 'db' | 'secrets'>, formerKey: string | null): Promise<PushKeys> {
  if (formerKey === null) return loadPushKeys(app.db, app);
  const former = await app.db
    .selectFrom('formerPushKeys')
    .select(['publicKey', 'encryptedPrivateKey'])
    .where('publicKey', '=', formerKey)
    .executeTakeFirstOrThrow();
  return opened(app.secrets, former);
}

/**
 * Makes new keys. Browsers that subscribe from now on get them. Those that subscribed before keep what they know, because
 * they would take no message of other keys. Former keys that no browser knows any more go. Returns how many browsers keep
 * former keys.
 */
export async function renewPushKeys(db: Db, secrets: Secrets): Promise<number> {
  const made = makePushKeys();
  const replaced = await sql<{ publicKey: string }>`
    insert into former_push_keys (public_key, encrypted_private_key)
    select public_key, encrypted_private_key from push_keys for update returning public_key`.execute(db);
  const [former] = replaced.rows;
  if (former) {
    const fresh = {
      publicKey: made.publicKey,
      encryptedPrivateKey: sealText(secrets, pushKeyPurpose, made.privateKey),
    };
    await db
      .updateTable('pushKeys')
      .set({ ...fresh, createdAt: now() })
      .execute();
    await db
      .updateTable('pushSubscriptions')
      .set({ formerKey: former.publicKey })
      .where('formerKey', 'is', null)
      .execute();
  }
  await sql`
    delete from former_push_keys former
    where not exists (select from push_subscriptions where former_key = former.public_key)`.execute(db);
  const kept = await sql<{ browsers: number }>`
    select count(*)::int as browsers from push_subscriptions where former_key is not null`.execute(db);
  return kept.rows[0]?.browsers ?? 0;
}

function findKeys(db: Db) {
  return db.selectFrom('pushKeys').select(['publicKey', 'encryptedPrivateKey']).executeTakeFirst();
}

function opened(secrets: Secrets, stored: { publicKey: string; encryptedPrivateKey: string }): PushKeys {
  return { publicKey: stored.publicKey, privateKey: openText(secrets, pushKeyPurpose, stored.encryptedPrivateKey) };
}

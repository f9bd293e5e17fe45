import type { Db } from '#server/db/database.ts';
import type { App } from '#server/platform/app-parts.ts';
import { openText, sealText } from '#server/platform/secret-box.ts';
import { makePushKeys, type PushKeys } from './push-message.ts';

const purpose = 'push-key';

/** Makes the keys once for each instance, at the first request. Two requests at once both get the same keys. */
export async function loadPushKeys(db: Db, { secret }: Pick<App, 'secret'>): Promise<PushKeys> {
  const stored = await findKeys(db);
  if (stored) return opened(secret, stored);
  const made = makePushKeys();
  await db
    .insertInto('pushKeys')
    .values({ publicKey: made.publicKey, encryptedPrivateKey: sealText(secret, purpose, made.privateKey) })
    .onConflict((conflict) => conflict.column('isOnlyRow').doNothing())
    .execute();
  const kept = await findKeys(db);
  if (!kept) throw new Error('The keys for push messages were stored and are not there.');
  return opened(secret, kept);
}

function findKeys(db: Db) {
  return db.selectFrom('pushKeys').select(['publicKey', 'encryptedPrivateKey']).executeTakeFirst();
}

function opened(secret: string, stored: { publicKey: string; encryptedPrivateKey: string }): PushKeys {
  return { publicKey: stored.publicKey, privateKey: openText(secret, purpose, stored.encryptedPrivateKey) };
}

import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { sql } from 'kysely';
import { z } from 'zod';
import { type KeySet, serviceTokenSeconds } from '#contract/service-tokens.ts';
import type { Db } from '#server/db/database.ts';
import { signingKeyPurposeOf } from '#server/features/accounts/sessions/sealed-signing-key-queries.ts';
import { newId } from '#server/platform/ids.ts';
import { defineJob } from '#server/platform/jobs.ts';
import { openText, type Secrets, sealText } from '#server/platform/secret-box.ts';
import { inTransaction } from '#server/platform/transactions.ts';

export const signingAlgorithm = 'ES256';

const keySeconds = 30 * 24 * 3600;
/** A new key is published this long before the old one ends. By then, everybody who keeps the set has read it. */
const overlapSeconds = 7 * 24 * 3600;
/** An ended key stays in the set until every token that it signed has ended, even by clocks that are late. */
const graceSeconds = serviceTokenSeconds + 45 * 60;

export const renewSigningKeysJob = defineJob({
  name: 'renew-signing-keys',
  schema: z.object({}),
  cron: '40 3 * * *',
  run: (app) => renewSigningKeys(app.db, app.secrets),
});

/** AUTH-68: makes the next key pair when the newest ends within a week, and removes those that nobody needs anymore. */
export async function renewSigningKeys(base: Db, secrets: Secrets): Promise<void> {
  await inTransaction(base, async (db) => {
    await sql`select pg_advisory_xact_lock(hashtext('auth.jwks'))`.execute(db);
    await sql`delete from auth.jwks where expires_at < now() - make_interval(secs => ${graceSeconds})`.execute(db);
    const lasting = await sql`
      select from auth.jwks where expires_at > now() + make_interval(secs => ${overlapSeconds})`.execute(db);
    if (lasting.rows.length === 0) await makeKey(db, secrets);
  });
}

/** The key that a process opened last, for as long as it is stored as it was. To open it costs two thirds of a signature. */
const lastOpened = new WeakMap<Secrets, { id: string; sealed: string; key: Awaited<ReturnType<typeof importJWK>> }>();

/** Returns the key that signs now. It is the oldest that has not ended, because everybody knows it. */
export async function readSigningKey(db: Db, secrets: Secrets) {
  const kept = (await selectSigningKey(db)) ?? (await renewed(db, secrets, selectSigningKey));
  if (!kept) throw new Error('There is no signing key although one was just made.');
  const { id, privateKey: sealed } = kept;
  const last = lastOpened.get(secrets);
  if (last?.id === id && last.sealed === sealed) return last;
  const privateKey: JWK = JSON.parse(openText(secrets, signingKeyPurposeOf(id), sealed));
  const opened = { id, sealed, key: await importJWK(privateKey, signingAlgorithm) };
  lastOpened.set(secrets, opened);
  return opened;
}

export async function readPublicKeys(db: Db, secrets: Secrets): Promise<KeySet> {
  const kept = await selectPublicKeys(db);
  const rows = kept.length > 0 ? kept : await renewed(db, secrets, selectPublicKeys);
  return {
    keys: rows.map(({ id, publicKey }) => ({ ...JSON.parse(publicKey), kid: id, alg: signingAlgorithm, use: 'sig' })),
  };
}

async function renewed<Row>(db: Db, secrets: Secrets, select: (db: Db) => Promise<Row>): Promise<Row> {
  await renewSigningKeys(db, secrets);
  return select(db);
}

async function selectSigningKey(db: Db) {
  const found = await sql<{ id: string; privateKey: string }>`
    select id, private_key from auth.jwks where expires_at > now() order by expires_at, id limit 1`.execute(db);
  return found.rows[0];
}

async function selectPublicKeys(db: Db) {
  const found = await sql<{ id: string; publicKey: string }>`
    select id, public_key from auth.jwks where expires_at > now() - make_interval(secs => ${graceSeconds})
    order by expires_at desc, id`.execute(db);
  return found.rows;
}

async function makeKey(db: Db, secrets: Secrets): Promise<void> {
  const id = newId();
  const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  const [publicPart, privatePart] = [await exportJWK(publicKey), await exportJWK(privateKey)];
  await sql`
    insert into auth.jwks (id, public_key, private_key, alg, crv, expires_at)
    values (${id}, ${JSON.stringify(publicPart)}, ${sealText(secrets, signingKeyPurposeOf(id), JSON.stringify(privatePart))},
      ${signingAlgorithm}, ${publicPart.crv ?? null}, now() + make_interval(secs => ${keySeconds}))`.execute(db);
}

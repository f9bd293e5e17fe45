import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { mailAboutWay } from '#server/features/accounts/ways-in/identities.ts';
import { requirePasskeys } from '#server/features/accounts/ways-in/sign-in-ways.ts';
import type { Actor } from '#server/platform/actor.ts';
import type { App } from '#server/platform/app-parts.ts';
import { audit } from '#server/platform/audit.ts';
import { countedAddress } from '#server/platform/client-address.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { limitTries } from '#server/platform/rate-limit.ts';
import { changed } from '#server/platform/telling.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { keepOneTimeValue, takeOneTimeValue } from '#server/sign-in/one-time-values.ts';
import { startSession } from '#server/sign-in/session-start.ts';
import { judgeTry } from '#server/sign-in/tries.ts';

/** Loads when somebody uses a passkey. */
const loadWebAuthn = () => import('@simplewebauthn/server');

type WebAuthnJson = Record<string, unknown>;

interface Passkey {
  id: string;
  userId: string;
  credentialId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string[];
}

/** Authenticators have EdDSA, ES256 and RS256. */
const supportedAlgorithmIDs = [-8, -7, -257];
const triesByAddress = { max: 120, windowSeconds: 600 };
const signInKind = 'passkey-sign-in';
const notKnown = 'This passkey was not accepted. Sign in another way, or try again.';

export async function optionsForSignIn(app: App, request: FastifyRequest) {
  requirePasskeys(app.config);
  await limitTries(app.db, `passkey:${countedAddress(request)}`, triesByAddress, app.config.rateLimitFactor);
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({ rpID: siteOf(app.config), userVerification: 'required' });
  await keepOneTimeValue(app.db, signInKind, options.challenge);
  return { options: { ...options } };
}

export async function signInByPasskey(app: App, request: FastifyRequest, reply: FastifyReply, answer: WebAuthnJson) {
  requirePasskeys(app.config);
  await limitTries(app.db, `passkey:${countedAddress(request)}`, triesByAddress, app.config.rateLimitFactor);
  const response = answer as unknown as AuthenticationResponseJSON;
  await judgeTry(app, request, { of: 'sign_in', way: 'passkey' }, async (tried) => {
    const passkey = await findPasskey(app.db, String(response.id));
    if (!passkey) throw new AppError('not_authenticated', notKnown);
    tried.isOf({ userId: passkey.userId });
    const newCounter = await verifySignIn(app, request, passkey, response);
    // If one passkey answers twice at once, only one answer finds the counter that it was checked against.
    const counted = await sql`
      update auth.passkey set counter = ${newCounter}, last_used_at = now()
      where id = ${passkey.id} and counter = ${passkey.counter} returning id`.execute(app.db);
    if (counted.rows.length === 0) throw new AppError('not_authenticated', notKnown);
    await startSession(app, request, reply, passkey.userId, tried);
  });
}

export async function optionsForNewPasskey(app: App, actor: Actor) {
  requirePasskeys(app.config);
  const kept = await sql<{ id: string; transports: string[] }>`
    select credential_id as id, transports from auth.passkey where user_id = ${actor.id}`.execute(app.db);
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: 'Switchyard',
    rpID: siteOf(app.config),
    userName: actor.email,
    userDisplayName: `${actor.firstName} ${actor.lastName}`.trim(),
    userID: new TextEncoder().encode(actor.id),
    attestationType: 'none',
    supportedAlgorithmIDs,
    excludeCredentials: kept.rows,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await keepOneTimeValue(app.db, addKind(actor), options.challenge);
  return { options: { ...options } };
}

export async function addPasskey(app: App, actor: Actor, name: string, answer: WebAuthnJson): Promise<{ id: string }> {
  requirePasskeys(app.config);
  const { credential } = await verifyNewPasskey(app, actor, answer as unknown as RegistrationResponseJSON);
  return inTransaction(app.db, async (db) => {
    const made = await sql<{ id: string }>`
      insert into auth.passkey (user_id, credential_id, public_key, counter, transports, name)
      values (${actor.id}, ${credential.id}, ${Buffer.from(credential.publicKey)}, ${credential.counter},
        ${credential.transports ?? []}, ${name})
      on conflict (credential_id) do nothing
      returning id`.execute(db);
    const [passkey] = made.rows;
    if (!passkey) throw new AppError('conflict', 'This passkey is in use already.');
    await changed(db, 'ways-in', [actor.id]);
    await audit(db, actor.id, { action: 'passkey.add', subjectType: 'user', subjectId: actor.id, after: { name } });
    await mailAboutWay(
      db,
      actor.id,
      `You can now sign in to your account with the passkey "${name}".`,
      app.config.publicUrl,
    );
    return passkey;
  });
}

export async function renamePasskey(db: Db, actor: Actor, id: string, name: string): Promise<void> {
  const renamed = await sql<{ formerName: string }>`
    with former as (select id, name from auth.passkey where id = ${id} and user_id = ${actor.id} for update)
    update auth.passkey set name = ${name} from former where passkey.id = former.id
    returning former.name as former_name`.execute(db);
  const [row] = renamed.rows;
  if (!row) throw notFound('This passkey is not one of yours.');
  await changed(db, 'ways-in', [actor.id]);
  await audit(db, actor.id, {
    action: 'passkey.rename',
    subjectType: 'user',
    subjectId: actor.id,
    before: { name: row.formerName },
    after: { name },
  });
}

async function findPasskey(db: Db, credentialId: string): Promise<Passkey | undefined> {
  const found = await sql<Passkey>`
    select id, user_id, credential_id, public_key, counter, transports from auth.passkey
    where credential_id = ${credentialId}`.execute(db);
  return found.rows[0];
}

/**
 * Returns the new counter. Throws if the answer is for another site, person or question, or if its counter went back.
 */
async function verifySignIn(
  app: App,
  request: FastifyRequest,
  { credentialId: id, publicKey, counter, userId }: Passkey,
  response: AuthenticationResponseJSON,
): Promise<number> {
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const verified = await verifyAuthenticationResponse({
    response,
    ...expectationsOf(app, signInKind),
    credential: { id, publicKey: new Uint8Array(publicKey), counter },
  }).catch((reason: unknown) => {
    request.log.warn({ err: reason }, 'a passkey was refused');
    return null;
  });
  const handle = response.response?.userHandle;
  const isTheirs = typeof handle === 'string' && Buffer.from(handle, 'base64url').toString() === userId;
  if (!verified?.verified || !isTheirs) throw new AppError('not_authenticated', notKnown);
  return verified.authenticationInfo.newCounter;
}

async function verifyNewPasskey(app: App, actor: Actor, response: RegistrationResponseJSON) {
  const expected = expectationsOf(app, addKind(actor));
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const refusal = 'We could not save this passkey. Please try again.';
  const verified = await verifyRegistrationResponse({ response, ...expected, supportedAlgorithmIDs }).catch(
    (reason: unknown) => {
      throw new AppError('invalid_input', refusal, { cause: reason });
    },
  );
  if (!verified.verified) throw new AppError('invalid_input', refusal);
  return verified.registrationInfo;
}

/** The first answer uses up the question, outside of any transaction that a refusal would roll back. */
function expectationsOf(app: App, kind: string) {
  return {
    expectedChallenge: async (challenge: string) => (await takeOneTimeValue(app.db, kind, challenge)) !== null,
    expectedOrigin: new URL(app.config.publicUrl).origin,
    expectedRPID: siteOf(app.config),
    requireUserVerification: true,
  };
}

function siteOf(config: Config): string {
  return new URL(config.publicUrl).hostname;
}

function addKind(actor: Actor): string {
  return `passkey-add-${actor.id}`;
}

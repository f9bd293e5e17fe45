import { base64url, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { sql } from 'kysely';
import * as openid from 'openid-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestSignInNonce, signInByIdentityToken } from '#contract/sign-in-ways.ts';
import { buildPerson } from '#test/factories/people.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { type OidcServer, signInAtProvider, startOidcServer } from '#test/support/oidc-server.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { sessionOf } from '#test/support/sign-in.ts';
import { confirmSecondFactor, post } from '#test/support/sign-in-ways.ts';

/** The callback of another program of the person's. That program gets the identity token and hands it to us. */
const programCallback = 'http://127.0.0.1:9/program';
let provider: OidcServer;
let server: TestApp;

beforeAll(async () => {
  provider = await startOidcServer([programCallback]);
  server = await startTestApp(provider.env);
});
afterAll(async () => {
  await server.close();
  await provider.close();
});

async function newNonce(): Promise<string> {
  return (await (await server.as(null)).call(requestSignInNonce)).nonce;
}

function hand(idToken: string, on: TestApp = server) {
  return post(on, signInByIdentityToken, { provider: 'oidc', idToken });
}

function claims(nonce: string, overrides: JWTPayload = {}): JWTPayload {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: provider.issuer,
    aud: provider.clientId,
    sub: 'token-person',
    iat: now,
    exp: now + 300,
    nonce,
    email: 'token-person@provider.example',
    email_verified: true,
    ...overrides,
  };
}

async function expectRefused(idToken: string): Promise<void> {
  const answer = await hand(idToken);
  expect([answer.status, (await problemOf(answer)).code, answer.cookie]).toEqual([401, 'not_authenticated', '']);
}

test('AUTH-53 an identity token that the provider gave to another program signs in, once', async () => {
  const email = 'prog@provider.example';
  provider.people.set('prog', { sub: 'prog', email, email_verified: true, given_name: 'Pro', family_name: 'Gram' });
  const nonce = await newNonce();
  const client = await openid.discovery(new URL(provider.issuer), provider.clientId, provider.clientSecret, undefined, {
    execute: [openid.allowInsecureRequests],
  });
  const verifier = openid.randomPKCECodeVerifier();
  const address = openid.buildAuthorizationUrl(client, {
    redirect_uri: programCallback,
    scope: 'openid email profile',
    claims: JSON.stringify({ id_token: { email: null, email_verified: null } }),
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const place = await signInAtProvider(address.href, 'prog');
  const tokens = await openid.authorizationCodeGrant(client, place, {
    pkceCodeVerifier: verifier,
    expectedNonce: nonce,
  });
  const idToken = tokens.id_token ?? '';

  const answer = await hand(idToken);
  expect(await answer.json()).toEqual({ done: true });
  expect((await sessionOf(server, { cookie: answer.cookie })).user).toMatchObject({ email, role: 'participant' });
  await expectRefused(idToken);
});

test('AUTH-53 a token with all claims right signs in, whichever role it claims', async () => {
  const answer = await hand(await provider.sign(claims(await newNonce(), { role: 'admin' })));
  expect(answer.status).toBe(200);
  expect((await sessionOf(server, { cookie: answer.cookie })).user).toMatchObject({ role: 'participant' });
});

test.each<[string, JWTPayload]>([
  ['issuer', { iss: 'https://other.example' }],
  ['audience', { aud: 'another-client' }],
  ['authorized party', { aud: ['switchyard', 'another-client'], azp: 'another-client' }],
  ['expiry', { iat: Math.floor(Date.now() / 1000) - 900, exp: Math.floor(Date.now() / 1000) - 300 }],
  ['missing expiry', { exp: undefined }],
  ['nonce that is not ours', { nonce: 'made-up-by-somebody' }],
  ['missing nonce', { nonce: undefined }],
])('AUTH-53 a token is refused for its %s', async (_, wrong) => {
  await expectRefused(await provider.sign(claims(await newNonce(), wrong)));
});

test('AUTH-53 a token with a wrong signature, another key, no signature or a signature by a shared secret is refused', async () => {
  const right = claims(await newNonce());
  const signed = await provider.sign(right);
  const [header, , signature] = signed.split('.');
  const other = base64url.encode(JSON.stringify({ ...right, sub: 'victim' }));
  await expectRefused(`${header}.${other}.${signature}`);

  const { privateKey } = await generateKeyPair('RS256');
  await expectRefused(await new SignJWT(right).setProtectedHeader({ alg: 'RS256', kid: 'test' }).sign(privateKey));
  await expectRefused(`${base64url.encode('{"alg":"none"}')}.${base64url.encode(JSON.stringify(right))}.`);
  const secret = new TextEncoder().encode(provider.clientSecret);
  await expectRefused(await new SignJWT(right).setProtectedHeader({ alg: 'HS256' }).sign(secret));
  await expectRefused('not a token');
  // None of them used the nonce up.
  expect((await hand(signed)).status).toBe(200);
});

test('AUTH-53 a program gets a bearer token for its session, a browser none', async () => {
  const program = await hand(await provider.sign(claims(await newNonce())));
  const bearer = program.headers.get('set-auth-token') ?? '';
  expect((await sessionOf(server, { authorization: `Bearer ${bearer}` })).user).not.toBeNull();
  const body = { provider: 'oidc', idToken: await provider.sign(claims(await newNonce())) };
  const browser = await post(server, signInByIdentityToken, body, { 'sec-fetch-site': 'same-origin' });
  expect([browser.status, browser.headers.get('set-auth-token')]).toEqual([200, null]);
  const foreign = { provider: 'oidc', idToken: await provider.sign(claims(await newNonce())) };
  const refused = await post(server, signInByIdentityToken, foreign, { 'sec-fetch-site': 'cross-site' });
  expect([refused.status, (await problemOf(refused)).code, refused.cookie]).toEqual([403, 'csrf_refused', '']);
});

test('AUTH-53 a nonce ends after 10 minutes', async () => {
  const nonce = await newNonce();
  await sql`update auth.verification set expires_at = now()`.execute(server.db);
  await expectRefused(await provider.sign(claims(nonce)));
});

test('a token for an address that is not vouched for does not open its account', async () => {
  const victim = await buildPerson(server.db);
  const facts = { sub: 'not-vouched', email: victim.email, email_verified: false };
  const answer = await hand(await provider.sign(claims(await newNonce(), facts)));
  expect([answer.status, (await problemOf(answer)).code, answer.cookie]).toEqual([409, 'conflict', '']);
});

test('a token gives no access to somebody with a second factor', async () => {
  const person = await buildPerson(server.db);
  await confirmSecondFactor(server.db, person.id);
  const facts = { sub: 'two-factors', email: person.email };
  const answer = await hand(await provider.sign(claims(await newNonce(), facts)));
  expect(answer.status).toBe(200);
  expect((await sessionOf(server, { cookie: answer.cookie })).user).toBeNull();
  expect(
    (
      await fetch(`${server.url}/api/account/password`, {
        method: 'POST',
        headers: { cookie: answer.cookie, 'content-type': 'application/json' },
        body: '{}',
      })
    ).status,
  ).toBe(401);
});

test('without a provider the answer says that none is set up', async () => {
  const off = await openTestApp(server.connectionString, {});
  const answer = await hand('a.b.c', off);
  expect([answer.status, (await problemOf(answer)).code]).toEqual([503, 'not_configured']);
  await off.close();
});

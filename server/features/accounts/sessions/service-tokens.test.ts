import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, SignJWT, UnsecuredJWT } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { signOut } from '#contract/accounts.ts';
import { issueServiceToken, readKeySet, readWellKnownKeySet } from '#contract/service-tokens.ts';
import { readSigningKey, renewSigningKeys } from '#server/features/accounts/sessions/signing-keys.ts';
import { signedSessionToken } from '#server/sign-in/auth-cookie.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { signInWith } from '#test/support/sign-in.ts';

let server: TestApp;
let place: string;
beforeAll(async () => {
  server = await startTestApp();
  place = server.app.config.publicUrl;
});
beforeEach(() => sql`delete from auth.jwks`.execute(server.db));
afterAll(() => server.close());

async function readKeys() {
  return (await server.as(null)).call(readKeySet);
}

/** Checks a token as another service does. */
async function verify(token: string, options: { audience?: string; issuer?: string; currentDate?: Date } = {}) {
  const expected = { issuer: place, audience: place, algorithms: ['ES256'], ...options };
  return jwtVerify(token, createLocalJWKSet(await readKeys()), expected);
}

async function issue(client: { cookie: string }) {
  return tokenIn(await fetch(`${server.url}${issueServiceToken.path}`, { headers: { cookie: client.cookie } }));
}

async function tokenIn(answer: Response) {
  return issueServiceToken.response.parse(await answer.json());
}

/** Makes the keys so many days older. */
function ageKeys(days: number) {
  return sql`update auth.jwks set expires_at = expires_at - make_interval(days => ${days}),
    created_at = created_at - make_interval(days => ${days})`.execute(server.db);
}

function renew() {
  return renewSigningKeys(server.db, server.app.secrets);
}

test('AUTH-68 another service verifies the token of a signed-in person by the served key set', async () => {
  const robin = await buildParticipant(server.db);
  const client = await server.as(robin);
  const { token, expiresAt } = await issue(client);
  const { payload, protectedHeader } = await verify(token);
  expect(protectedHeader.alg).toBe('ES256');
  const { id: sessionId } = await server.db
    .selectFrom('auth.session')
    .select('id')
    .where('userId', '=', robin.id)
    .executeTakeFirstOrThrow();
  const { iat = 0, exp = 0, ...claims } = payload;
  expect(claims).toEqual({ sub: robin.id, role: 'participant', sid: sessionId, aal: 'aal1', iss: place, aud: place });
  expect(exp - iat).toBeLessThanOrEqual(15 * 60);
  expect(Date.parse(expiresAt)).toBe(exp * 1000);
});

test('AUTH-50 AUTH-51 AUTH-62 a client trades its bearer for fresh tokens until the session ends; the role is the stored one', async () => {
  const [email, password] = ['client@people.example', 'Power-Up-1'];
  const names = { firstName: 'Sam', lastName: 'Sol', role: 'participant', trackType: null } as const;
  const id = await createSignInWithPassword(server.db, { email, password, ...names });
  const { bearer, body } = await signInWith(server, email, password);
  expect(body).toMatchObject({ token: bearer, user: { id, email } });
  expect(Date.parse(String((body as { expiresAt?: string }).expiresAt))).toBeGreaterThan(Date.now() + 6 * 86_400_000);
  const ask = (token: string | null) =>
    fetch(`${server.url}${issueServiceToken.path}`, { headers: { authorization: `Bearer ${token}` } });

  const first = await tokenIn(await ask(bearer));
  expect((await verify(first.token)).payload).toMatchObject({ sub: id, role: 'participant' });
  await server.db.updateTable('profiles').set({ role: 'coach' }).where('id', '=', id).execute();
  const second = await tokenIn(await ask(bearer));
  expect((await verify(second.token)).payload).toMatchObject({ sub: id, role: 'coach' });

  expect((await ask(`${bearer?.slice(0, -6)}AAAAA=`)).status).toBe(401);
  expect((await ask(first.token)).status).toBe(401);
  await sql`update auth.session set expires_at = now() where user_id = ${id}`.execute(server.db);
  expect((await ask(bearer)).status).toBe(401);

  const again = await signInWith(server, email, password);
  expect((await ask(again.bearer)).status).toBe(200);
  const { sid } = (await verify((await tokenIn(await ask(again.bearer))).token)).payload;
  await sql`update auth.session set token = 'another-token' where id = ${String(sid)}`.execute(server.db);
  const replacing = signedSessionToken('another-token', server.app.sessionKeys);
  expect((await ask(again.bearer)).status).toBe(401);
  expect((await ask(replacing)).status).toBe(200);
  const headers = { authorization: `Bearer ${replacing}` };
  expect((await fetch(`${server.url}${signOut.path}`, { method: 'POST', headers })).status).toBe(200);
  const refused = await ask(replacing);
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ code: 'not_authenticated' });
});

test('a script in a browser gets no token with the cookie of the person', async () => {
  const { cookie } = await server.as(await buildParticipant(server.db));
  for (const [name, value] of [
    ['sec-fetch-site', 'same-origin'],
    ['origin', place],
  ] as const) {
    const answer = await fetch(`${server.url}${issueServiceToken.path}`, { headers: { cookie, [name]: value } });
    expect(answer.status).toBe(403);
    expect(await answer.json()).not.toHaveProperty('token');
  }
});

test('a token for another audience or issuer, ended, altered, unsigned or signed by another key is refused', async () => {
  const client = await server.as(await buildParticipant(server.db));
  const { token } = await issue(client);
  await expect(verify(token, { audience: 'https://elsewhere.example' })).rejects.toThrow(/"aud"/);
  await expect(verify(token, { issuer: 'https://elsewhere.example' })).rejects.toThrow(/"iss"/);
  await expect(verify(token, { currentDate: new Date(Date.now() + 16 * 60_000) })).rejects.toThrow(/"exp"/);

  const [header = '', body = '', signature = ''] = token.split('.');
  const payload = JSON.parse(Buffer.from(body, 'base64url').toString());
  const promoted = Buffer.from(JSON.stringify({ ...payload, role: 'admin' })).toString('base64url');
  await expect(verify([header, promoted, signature].join('.'))).rejects.toThrow(/signature/);
  await expect(verify(new UnsecuredJWT(payload).encode())).rejects.toThrow();
  const kid = decodeProtectedHeader(token).kid;
  const publicKey = JSON.stringify((await readKeys()).keys[0]);
  const withPublicKeyAsSecret = await new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256', kid })
    .sign(new TextEncoder().encode(publicKey));
  await expect(verify(withPublicKeyAsSecret)).rejects.toThrow(/alg/);
});

test('AUTH-68 the key set is public, the same at both addresses, and holds nothing private', async () => {
  const visitor = await server.as(null);
  const text = await (await visitor.fetch(readKeySet.path)).text();
  expect(await (await visitor.fetch(readWellKnownKeySet.path)).text()).toBe(text);
  const { keys } = JSON.parse(text);
  expect(keys).toHaveLength(1);
  expect(Object.keys(keys[0]).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);

  const kept = await server.db.selectFrom('auth.jwks').selectAll().executeTakeFirstOrThrow();
  expect(kept.publicKey).not.toContain('"d"');
  expect(kept.privateKey).not.toMatch(/[{"]/);
  expect(Buffer.from(kept.privateKey, 'base64url').toString('latin1')).not.toContain('"d"');
});

test('AUTH-68 keys rotate: the next is published before the old one ends, which stays while its tokens live', async () => {
  const client = await server.as(await buildParticipant(server.db));
  const byFirst = (await issue(client)).token;
  const firstKey = decodeProtectedHeader(byFirst).kid;
  await ageKeys(20);
  await renew();
  expect((await readKeys()).keys).toHaveLength(1);

  await ageKeys(4);
  await renew();
  await renew();
  expect((await readKeys()).keys).toHaveLength(2);
  const meanwhile = (await issue(client)).token;
  expect(decodeProtectedHeader(meanwhile).kid).toBe(firstKey);
  await verify(meanwhile);

  await sql`update auth.jwks set expires_at = now() - interval '1 minute' where id = ${firstKey}`.execute(server.db);
  await renew();
  const bySecond = (await issue(client)).token;
  expect(decodeProtectedHeader(bySecond).kid).not.toBe(firstKey);
  await verify(bySecond);
  await verify(byFirst);

  await sql`update auth.jwks set expires_at = now() - interval '61 minutes' where id = ${firstKey}`.execute(server.db);
  expect((await readKeys()).keys.map(({ kid }) => kid)).not.toContain(firstKey);
  await expect(verify(byFirst)).rejects.toThrow(/no applicable key/);
  await renew();
  expect(await server.db.selectFrom('auth.jwks').select('id').execute()).toHaveLength(1);
  await verify(bySecond);
});

test('the signing key is opened once, and anew when something else is stored', async () => {
  const read = () => readSigningKey(server.db, server.app.secrets);
  const opened = await read();
  expect(await read()).toBe(opened);
  const { sealed } = opened;
  const store = (privateKey: string) =>
    server.db.updateTable('auth.jwks').set({ privateKey }).where('id', '=', opened.id).execute();
  await store(`${sealed.slice(0, -8)}changed_`);
  await expect(read()).rejects.toThrow('No accepted secret opens this text.');
  await store(sealed);
  expect((await read()).id).toBe(opened.id);
});

test('two server processes that begin at the same moment make one key, and both sign with it', async () => {
  const second = await openTestApp(server.connectionString, {});
  const robin = await buildParticipant(server.db);
  const clients = [await server.as(robin), await second.as(robin), await server.as(robin), await second.as(robin)];
  const issued = await Promise.all(clients.map((client) => client.call(issueServiceToken)));
  await second.close();
  expect(new Set(issued.map(({ token }) => decodeProtectedHeader(token).kid)).size).toBe(1);
});

test('nobody signed out, waiting for a second factor or owing one gets a token', async () => {
  expect((await (await server.as(null)).refused(issueServiceToken)).status).toBe(401);

  const robin = await buildParticipant(server.db);
  const half = await server.as(robin);
  await sql`insert into auth.second_factor (user_id, encrypted_secret, confirmed_at)
    values (${robin.id}, 'x', now())`.execute(server.db);
  expect((await half.refused(issueServiceToken)).status).toBe(401);
  await sql`update auth.session set assurance_level = 'aal2' where user_id = ${robin.id}`.execute(server.db);
  expect((await verify((await half.call(issueServiceToken)).token)).payload.aal).toBe('aal2');

  const coach = await server.as(await buildCoach(server.db));
  await sql`update auth.sign_in_policy set second_factor_roles = '{coach}'`.execute(server.db);
  const { problem } = await coach.refused(issueServiceToken);
  await sql`update auth.sign_in_policy set second_factor_roles = '{}'`.execute(server.db);
  expect(problem).toMatchObject({ status: 403, code: 'second_factor_required' });
});

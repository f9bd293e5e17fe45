import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addPasskey,
  linkWallet,
  listWaysIn,
  removePasskey,
  requestPasskey,
  requestWalletLink,
  startProviderLink,
  unlinkIdentity,
} from '#contract/identities.ts';
import { startProviderSignIn } from '#contract/sign-in-ways.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { buildPerson } from '#test/factories/people.ts';
import { type Client, openTestApp, type Person, startTestApp, type TestApp } from '#test/support/app.ts';
import { type OidcServer, signInAtProvider, startOidcServer } from '#test/support/oidc-server.ts';
import { mailsTo } from '#test/support/sign-in.ts';
import { sessionCookieOf } from '#test/support/sign-in-ways.ts';

const publicUrl = 'http://127.0.0.1:9';
const callback = '/api/sign-in/providers/oidc/callback';
let provider: OidcServer;
let server: TestApp;
let count = 0;

beforeAll(async () => {
  provider = await startOidcServer([`${publicUrl}${callback}`]);
  server = await startTestApp({ PUBLIC_URL: publicUrl, WALLET_SIGN_IN: '1', PASSKEYS: '1', ...provider.env });
});
afterAll(async () => {
  await server.close();
  await provider.close();
});

async function link(person: Person, providerName: string, accountId = `${providerName} of ${person.id}`) {
  const made = await sql<{ id: string }>`
    insert into auth.account (user_id, provider_id, account_id) values (${person.id}, ${providerName}, ${accountId})
    returning id`.execute(server.db);
  return made.rows[0]?.id ?? '';
}

async function linkPasskey(person: Person) {
  const made = await sql<{ id: string }>`
    insert into auth.passkey (user_id, credential_id, public_key, name)
    values (${person.id}, ${`credential of ${person.id}`}, 'key', 'Phone') returning id`.execute(server.db);
  return made.rows[0]?.id ?? '';
}

/** Goes to the provider from the account page, and comes back in a browser that holds the given session. */
async function linkAtProvider(client: Client, sub: string, session = client.cookie) {
  if (!provider.people.has(sub)) {
    provider.people.set(sub, { sub, email: `${sub}@elsewhere.example`, email_verified: false });
  }
  const begun = await client.fetch(startProviderLink.path.replace(':provider', 'oidc'), { method: 'POST' });
  const [verifier = ''] = begun.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const { url } = startProviderLink.response.parse(await begun.json());
  const place = await signInAtProvider(url, sub);
  const cookie = [verifier, session].filter(Boolean).join('; ');
  const answer = await fetch(`${server.url}${place.pathname}${place.search}`, {
    headers: { cookie },
    redirect: 'manual',
  });
  return { location: answer.headers.get('location'), session: sessionCookieOf(answer) };
}

test('AUTH-64 a provider is linked from the own account, listed and unlinked; each is told and recorded', async () => {
  const password = 'Power-Up-1';
  const email = 'links@people.example';
  const id = await createSignInWithPassword(server.db, {
    email,
    password,
    firstName: 'Li',
    lastName: 'Nks',
    role: 'coach',
    trackType: null,
  });
  const client = await server.as({ id });
  expect(await linkAtProvider(client, 'links')).toEqual({ location: '/account/security?linked=1', session: '' });
  const [identity] = (await client.call(listWaysIn)).identities;
  expect(identity).toMatchObject({ label: 'your organisation', account: null, canUnlink: true });
  await client.call(unlinkIdentity, { params: { id: identity?.id ?? '' } });
  expect(await client.call(listWaysIn)).toMatchObject({ hasPassword: true, identities: [] });

  const audited = await server.db
    .selectFrom('auditLog')
    .select(['action', 'actorId'])
    .where('subjectId', '=', id)
    .orderBy('id')
    .execute();
  expect(audited).toEqual([
    { action: 'identity.link', actorId: id },
    { action: 'identity.unlink', actorId: id },
  ]);
  const mails = (await mailsTo(server.db, email)).map(({ textBody }) => textBody);
  expect(mails[0]).toContain('You can no longer sign in to your account with your organisation');
  expect(mails[1]).toContain('You can now sign in to your account with your organisation');
});

test('AUTH-64 what was unlinked signs nobody in by its confirmed address, until its person links it again', async () => {
  const person = await buildPerson(server.db);
  const client = await server.as(person);
  provider.people.set('shared', { sub: 'shared', email: person.email, email_verified: true });
  const signInThere = async () => {
    const begun = await fetch(`${server.url}${startProviderSignIn.path.replace(':provider', 'oidc')}`, {
      redirect: 'manual',
    });
    const [cookie = ''] = begun.headers.getSetCookie().map((one) => one.split(';')[0]);
    const { pathname, search } = await signInAtProvider(begun.headers.get('location') ?? '', 'shared');
    const answer = await fetch(`${server.url}${pathname}${search}`, { headers: { cookie }, redirect: 'manual' });
    return { location: answer.headers.get('location'), isSignedIn: sessionCookieOf(answer) !== '' };
  };
  await link(person, 'wallet');
  expect(await signInThere()).toEqual({ location: '/dashboard', isSignedIn: true });
  const linked = (await client.call(listWaysIn)).identities.find(({ label }) => label !== 'Wallet');
  await client.call(unlinkIdentity, { params: { id: linked?.id ?? '' } });
  expect(await signInThere()).toEqual({ location: '/login?sign_in_error=unlinked', isSignedIn: false });
  expect((await client.call(listWaysIn)).identities).toHaveLength(1);

  expect((await linkAtProvider(client, 'shared')).location).toBe('/account/security?linked=1');
  expect(await signInThere()).toEqual({ location: '/dashboard', isSignedIn: true });
});

test('an identity of somebody else is not linked, and a link that another person ends is refused', async () => {
  const owner = await server.as(await buildPerson(server.db));
  await linkAtProvider(owner, 'taken');
  const other = await server.as(await buildPerson(server.db));
  expect((await linkAtProvider(other, 'taken')).location).toBe('/account/security?sign_in_error=taken');
  for (const session of [owner.cookie, '']) {
    const back = await linkAtProvider(other, `free-${session.length}`, session);
    expect(back).toEqual({ location: '/account/security?sign_in_error=other_person', session: '' });
  }
  expect((await other.call(listWaysIn)).identities).toEqual([]);
});

test('AUTH-64 the last way in is never removed, whichever it is', async () => {
  for (const [kind, endpoint] of [
    ['oidc', unlinkIdentity],
    ['wallet', unlinkIdentity],
    ['passkey', removePasskey],
  ] as const) {
    const person = await buildPerson(server.db);
    const client = await server.as(person);
    const id = kind === 'passkey' ? await linkPasskey(person) : await link(person, kind);
    const { problem } = await client.refused(endpoint, { params: { id } });
    expect(problem).toMatchObject({ code: 'conflict', detail: expect.stringContaining('your last way to sign in') });
    const list = await client.call(listWaysIn);
    expect([
      ...list.identities.map(({ canUnlink }) => canUnlink),
      ...list.passkeys.map((one) => one.canRemove),
    ]).toEqual([false]);
    const second = await link(person, kind === 'wallet' ? 'oidc' : 'wallet');
    await client.call(endpoint, { params: { id } });
    expect((await client.refused(unlinkIdentity, { params: { id: second } })).problem.code).toBe('conflict');
  }
});

test('AUTH-64 a way that this instance does not offer any more is no way in', async () => {
  const person = await buildPerson(server.db);
  const wallet = await link(person, 'wallet');
  await link(person, 'google');
  const client = await server.as(person);
  expect((await client.refused(unlinkIdentity, { params: { id: wallet } })).problem.code).toBe('conflict');
});

test('AUTH-64 of two ways that are removed at once one stays', async () => {
  const person = await buildPerson(server.db);
  const ids = [await link(person, 'wallet'), await link(person, 'oidc')];
  const client = await server.as(person);
  const answers = await Promise.all(
    ids.map((id) => client.fetch(unlinkIdentity.path.replace(':id', id), { method: 'DELETE' })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect((await client.call(listWaysIn)).identities).toHaveLength(1);
});

test('AUTH-64 only own identities and passkeys are unlinked, and none by the row of a password', async () => {
  const owner = await buildPerson(server.db);
  const identity = await link(owner, 'wallet');
  await link(owner, 'oidc');
  const passkey = await linkPasskey(owner);
  count += 1;
  const email = `thief-${count}@people.example`;
  const facts = {
    email,
    password: 'Power-Up-1',
    firstName: 'T',
    lastName: 'F',
    role: 'participant' as const,
    trackType: null,
  };
  const thief = { id: await createSignInWithPassword(server.db, facts) };
  const client = await server.as(thief);
  expect((await client.refused(unlinkIdentity, { params: { id: identity } })).status).toBe(404);
  expect((await client.refused(removePasskey, { params: { id: passkey } })).status).toBe(404);
  await link(thief, 'wallet');
  const credential = await server.db
    .selectFrom('auth.account')
    .select('id')
    .where('userId', '=', thief.id)
    .where('providerId', '=', 'credential')
    .executeTakeFirstOrThrow();
  expect((await client.refused(unlinkIdentity, { params: { id: credential.id } })).status).toBe(404);
  expect((await (await server.as(owner)).call(listWaysIn)).identities).toHaveLength(2);
});

test('linking and unlinking ask for a fresh proof', async () => {
  const person = await buildPerson(server.db);
  const id = await link(person, 'wallet');
  const passkey = await linkPasskey(person);
  const client = await server.as(person);
  await sql`update auth.session set proved_at = now() - interval '16 minutes' where user_id = ${person.id}`.execute(
    server.db,
  );
  const address = `0x${'a'.repeat(40)}`;
  const signed = { message: 'any', signature: `0x${'00'.repeat(65)}` };
  const refusals = await Promise.all([
    client.refused(startProviderLink, { params: { provider: 'oidc' } }),
    client.refused(requestWalletLink, { body: { address } }),
    client.refused(linkWallet, { body: signed }),
    client.refused(unlinkIdentity, { params: { id } }),
    client.refused(requestPasskey),
    client.refused(addPasskey, { body: { name: 'Phone', response: {} } }),
    client.refused(removePasskey, { params: { id: passkey } }),
  ]);
  expect(refusals.map(({ problem }) => problem.code)).toEqual(Array(7).fill('proof_required'));
});

test('AUTH-63 linking a provider that is not set up is answered clearly', async () => {
  const off = await openTestApp(server.connectionString, {});
  const client = await off.as(await buildPerson(server.db));
  const { problem } = await client.refused(startProviderLink, { params: { provider: 'google' } });
  expect(problem).toMatchObject({ code: 'not_configured', status: 503 });
  const { linkable } = await client.call(listWaysIn);
  expect(linkable).toEqual({ providers: [], wallet: false, passkeys: false });
  await off.close();
});

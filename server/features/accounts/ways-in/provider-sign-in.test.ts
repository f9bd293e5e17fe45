import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changePassword, checkPasswordLink, readSession } from '#contract/accounts.ts';
import { completeProviderSignIn, startProviderSignIn } from '#contract/sign-in-ways.ts';
import { newId } from '#server/platform/ids.ts';
import { invitePeople } from '#server/sign-in/invitations.ts';
import { hashToken } from '#server/sign-in/password-links.ts';
import { createSignIns } from '#server/sign-in/sign-ins.ts';
import { buildAdmin, buildPerson } from '#test/factories/people.ts';
import { buildRegistration } from '#test/factories/registrations.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { type OidcServer, type ProviderPerson, signInAtProvider, startOidcServer } from '#test/support/oidc-server.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { linkInMail, mailsTo, sessionOf, signInWith } from '#test/support/sign-in.ts';
import { confirmSecondFactor, post, sessionCookieOf } from '#test/support/sign-in-ways.ts';

/** Browsers reach the instance here. In tests it listens elsewhere. */
const publicUrl = 'http://127.0.0.1:9';
const callback = '/api/sign-in/providers/oidc/callback';
let provider: OidcServer;
let server: TestApp;
let count = 0;

beforeAll(async () => {
  provider = await startOidcServer([`${publicUrl}${callback}`]);
  server = await startTestApp({ PUBLIC_URL: publicUrl, ...provider.env });
});
afterAll(async () => {
  await server.close();
  await provider.close();
});

function somebody(facts: Partial<ProviderPerson> = {}): ProviderPerson {
  count += 1;
  const sub = `sub-${count}`;
  const email = `${sub}@provider.example`;
  const person = { sub, email, email_verified: true, given_name: 'Pat', family_name: 'Poe', ...facts };
  provider.people.set(sub, person);
  return person;
}

interface Begun {
  address: URL;
  /** The browser keeps this. */
  cookie: string;
}

async function begin(next?: string, on: TestApp = server): Promise<Begun> {
  const search = next === undefined ? '' : `?${new URLSearchParams({ next })}`;
  const answer = await fetch(`${on.url}/api/sign-in/providers/oidc${search}`, { redirect: 'manual' });
  expect(answer.status).toBe(302);
  const [cookie = ''] = answer.headers.getSetCookie();
  return { address: new URL(answer.headers.get('location') ?? ''), cookie: cookie.split(';')[0] ?? '' };
}

/** The browser comes back from the provider. */
async function comeBack(place: URL, cookie: string) {
  expect(place.origin).toBe(publicUrl);
  const answer = await fetch(`${server.url}${place.pathname}${place.search}`, {
    headers: { cookie },
    redirect: 'manual',
  });
  return { status: answer.status, location: answer.headers.get('location'), session: sessionCookieOf(answer) };
}

async function signInAs({ sub }: ProviderPerson, next?: string) {
  const { address, cookie } = await begin(next);
  return comeBack(await signInAtProvider(address.href, sub), cookie);
}

async function userOf(session: string) {
  return session ? (await sessionOf(server, { cookie: session })).user : null;
}

test('AUTH-52 AUTH-63 somebody new signs in at the provider with PKCE, state and nonce, and becomes a participant', async () => {
  const person = somebody({ role: 'admin' });
  const { address, cookie } = await begin('/submissions?x=1');
  expect(address.origin).toBe(provider.issuer);
  const asked = Object.fromEntries(address.searchParams);
  expect(asked).toMatchObject({ response_type: 'code', code_challenge_method: 'S256', scope: 'openid email profile' });
  for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name]?.length).toBeGreaterThanOrEqual(43);
  expect(asked.redirect_uri).toBe(`${publicUrl}${callback}`);
  const kept = JSON.stringify(await server.db.selectFrom('auth.verification').selectAll().execute());
  expect(kept).not.toContain(cookie.split('=')[1]);
  expect(kept).not.toContain(asked.state);

  const back = await comeBack(await signInAtProvider(address.href, person.sub), cookie);
  expect(back).toMatchObject({ status: 302, location: '/submissions?x=1' });
  const user = await userOf(back.session);
  expect(user).toMatchObject({ email: person.email, firstName: 'Pat', lastName: 'Poe', role: 'participant' });
  expect(user?.requestedRole).toBeNull();

  const again = await signInAs(person);
  expect(again.location).toBe('/dashboard');
  expect((await userOf(again.session))?.id).toBe(user?.id);
});

test('AUTH-52 a code works once, and a state once', async () => {
  const person = somebody();
  const { address, cookie } = await begin();
  const place = await signInAtProvider(address.href, person.sub);
  expect((await comeBack(place, cookie)).location).toBe('/dashboard');
  expect(await comeBack(place, cookie)).toMatchObject({ location: '/login?sign_in_error=expired', session: '' });

  // With its own state, the used code reaches the provider, which refuses it.
  const other = await begin();
  place.searchParams.set('state', other.address.searchParams.get('state') ?? '');
  expect(await comeBack(place, other.cookie)).toMatchObject({ location: '/login?sign_in_error=failed', session: '' });
});

test('AUTH-52 a wrong code verifier is refused by the provider', async () => {
  const person = somebody();
  const { address, cookie } = await begin();
  const place = await signInAtProvider(address.href, person.sub);
  const forged = 'another-verifier-that-is-as-long-as-a-real-one';
  await sql`
    update auth.verification set value = jsonb_set(value::jsonb, '{verifierHash}', to_jsonb(${hashToken(forged)}::text))::text
    where identifier = ${`provider-sign-in-oidc:${hashToken(address.searchParams.get('state') ?? '')}`}`.execute(
    server.db,
  );
  const forgedCookie = `${cookie.split('=')[0]}=${forged}`;
  expect(await comeBack(place, forgedCookie)).toMatchObject({ location: '/login?sign_in_error=failed', session: '' });
});

test('a callback with a foreign, an unknown or no state signs nobody in', async () => {
  const person = somebody();
  const mine = await begin();
  const theirs = await begin();
  const place = await signInAtProvider(theirs.address.href, person.sub);
  // This is login CSRF: the attacker's answer in the victim's browser, with and without the victim's own sign-in.
  const refused = { location: '/login?sign_in_error=expired', session: '' };
  expect(await comeBack(place, mine.cookie)).toMatchObject(refused);
  const other = await begin();
  const renamed = `${other.cookie.split('=')[0]}=${mine.cookie.split('=')[1]}`;
  expect(await comeBack(await signInAtProvider(other.address.href, person.sub), renamed)).toMatchObject(refused);
  expect(await comeBack(await signInAtProvider((await begin()).address.href, person.sub), '')).toMatchObject(refused);
  for (const change of [
    (p: URL) => p.searchParams.set('state', 'made-up'),
    (p: URL) => p.searchParams.delete('state'),
  ]) {
    const { address, cookie } = await begin();
    const altered = await signInAtProvider(address.href, person.sub);
    change(altered);
    expect(await comeBack(altered, cookie)).toMatchObject(refused);
  }
});

test('a sign-in that took longer than 10 minutes has ended', async () => {
  const { address, cookie } = await begin();
  const place = await signInAtProvider(address.href, somebody().sub);
  await sql`update auth.verification set expires_at = now()`.execute(server.db);
  expect(await comeBack(place, cookie)).toMatchObject({ location: '/login?sign_in_error=expired', session: '' });
});

test('AUTH-63 only pages of our own are returned to', async () => {
  for (const next of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '\\/evil',
    ' //evil',
  ]) {
    const search = new URLSearchParams({ next });
    const answer = await fetch(`${server.url}/api/sign-in/providers/oidc?${search}`, { redirect: 'manual' });
    expect([answer.status, (await problemOf(answer)).code], next).toEqual([422, 'invalid_input']);
  }
});

test('AUTH-63 a person who ends the sign-in at the provider reads why, and comes back to the place asked for', async () => {
  const { address, cookie } = await begin('/submissions');
  const place = await signInAtProvider(address.href, '', { abort: true });
  expect(place.searchParams.get('error')).toBe('access_denied');
  const back = await comeBack(place, cookie);
  expect(back).toMatchObject({ location: '/login?sign_in_error=cancelled&next=%2Fsubmissions', session: '' });
});

test('AUTH-63 a provider that is not set up answers with a clear error and has no button', async () => {
  const off = await openTestApp(server.connectionString, {});
  for (const { path } of [startProviderSignIn, completeProviderSignIn]) {
    for (const [on, id] of [
      [off, 'oidc'],
      [off, 'google'],
      [server, 'microsoft'],
    ] as const) {
      const answer = await fetch(`${on.url}${path.replace(':provider', id)}`, { redirect: 'manual' });
      const problem = await problemOf(answer);
      expect([answer.status, problem.code]).toEqual([503, 'not_configured']);
      expect(problem.detail).toMatch(/^Signing in with .+ is not set up here\.$/);
    }
  }
  expect((await fetch(`${off.url}${startProviderSignIn.path.replace(':provider', 'facebook')}`)).status).toBe(422);
  expect((await (await off.as(null)).call(readSession)).instance.signInProviders).toEqual([]);
  await off.close();
  const { instance } = await (await server.as(null)).call(readSession);
  expect(instance.signInProviders).toEqual([{ id: 'oidc', label: 'your organisation' }]);
});

test('a provider that cannot be reached leads back with a message', async () => {
  const env = { ...provider.env, OIDC_ISSUER: 'http://127.0.0.1:1', PUBLIC_URL: publicUrl };
  const unreachable = await openTestApp(server.connectionString, env);
  const answer = await fetch(`${unreachable.url}/api/sign-in/providers/oidc`, { redirect: 'manual' });
  expect(answer.headers.get('location')).toBe('/login?sign_in_error=unreachable');
  await unreachable.close();
});

test('an account with the same address is linked when both sides confirmed it, and its person is told', async () => {
  const admin = await buildAdmin(server.db, { email: 'ada@provider.example' });
  const { session } = await signInAs(somebody({ email: 'Ada@Provider.example' }));
  expect(await userOf(session)).toMatchObject({ id: admin.id, role: 'admin' });
  expect((await mailsTo(server.db, admin.email))[0]).toMatchObject({ kind: 'ways_in_changed' });
  const audited = await server.db
    .selectFrom('auditLog')
    .select(['action', 'actorId'])
    .where('subjectId', '=', admin.id)
    .execute();
  expect(audited).toEqual([{ action: 'identity.link', actorId: admin.id }]);
});

test('an address that the provider does not vouch for opens no account and makes none', async () => {
  const victim = await buildPerson(server.db);
  for (const facts of [
    { email: victim.email, email_verified: false },
    { email: victim.email, email_verified: undefined },
  ]) {
    const back = await signInAs(somebody(facts));
    expect(back).toMatchObject({ location: '/login?sign_in_error=not_vouched', session: '' });
  }
  const nobody = await signInAs(somebody({ email: undefined, email_verified: true }));
  expect(nobody).toMatchObject({ location: '/login?sign_in_error=not_vouched', session: '' });
  const linked = await sql`select 1 from auth.account where user_id = ${victim.id}`.execute(server.db);
  expect(linked.rows).toEqual([]);
});

test('AUTH-17 an account whose address nobody confirmed loses the password and sessions from before to the person of the provider', async () => {
  const person = somebody();
  const email = person.email ?? '';
  const strangers = await buildRegistration(server, { email, requestedRole: 'coach', trackType: null });
  const before = await server.as({ id: strangers.id });
  const { session, location } = await signInAs(person);
  expect(location).toBe('/dashboard');
  const user = await userOf(session);
  expect(user).toMatchObject({ id: strangers.id, email, role: 'participant', requestedRole: 'coach' });
  expect(await userOf(before.cookie)).toBeNull();
  expect(await signInWith(server, email, strangers.password)).toMatchObject({ status: 401, cookie: '' });
  expect((await mailsTo(server.db, email))[0]?.textBody).toContain('Your old password no longer works');
  const audited = server.db.selectFrom('auditLog').select(['action', 'after']).where('subjectId', '=', strangers.id);
  expect(await audited.execute()).toEqual(
    expect.arrayContaining([
      { action: 'email.confirm', after: { by: 'oidc', isPasswordRemoved: true } },
      { action: 'identity.link', after: { provider: 'oidc', account: `${provider.issuer}|${person.sub}` } },
    ]),
  );
});

test('somebody invited accepts the invitation by signing in at the provider', async () => {
  const person = somebody();
  const email = person.email ?? '';
  const invited = { id: newId(), email, firstName: 'In', lastName: 'Vited', role: 'coach' as const, trackType: null };
  await createSignIns(server.db, [invited]);
  await invitePeople(server.db, [{ ...invited, userId: invited.id }], null, server.app);
  const link = await linkInMail(server.db, email);
  expect(await userOf((await signInAs(person)).session)).toMatchObject({ id: invited.id, role: 'coach' });
  const token = new URLSearchParams(link.hash.slice(1)).get('access_token');
  expect((await post(server, checkPasswordLink, { token })).status).toBe(404);
  const open = server.db.selectFrom('invitations').select('id').where('userId', '=', invited.id);
  expect(await open.where('acceptedAt', 'is', null).execute()).toEqual([]);
});

test('a provider gives no access to somebody with a second factor', async () => {
  const person = somebody();
  const first = await userOf((await signInAs(person)).session);
  await confirmSecondFactor(server.db, first?.id ?? '');
  const { session } = await signInAs(person);
  expect(session).not.toBe('');
  expect(await userOf(session)).toBeNull();
  const own = await fetch(`${server.url}${changePassword.path}`, {
    method: 'POST',
    headers: { cookie: session, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(own.status).toBe(401);
});

test('AUTH-63 two sign-ins that one browser began in two tabs both come to their end', async () => {
  const [first, second] = [somebody(), somebody()];
  const [one, two] = [await begin('/submissions'), await begin()];
  const place = await signInAtProvider(one.address.href, first.sub);
  expect(one.cookie.split('=')[0]).not.toBe(two.cookie.split('=')[0]);
  const answer = await fetch(`${server.url}${place.pathname}${place.search}`, {
    headers: { cookie: `${one.cookie}; ${two.cookie}` },
    redirect: 'manual',
  });
  expect(answer.headers.get('location')).toBe('/submissions');
  const gone = answer.headers.getSetCookie().filter((cookie) => cookie.includes('Max-Age=0'));
  expect(gone.map((cookie) => cookie.split('=')[0])).toEqual([one.cookie.split('=')[0]]);
  const back = await comeBack(await signInAtProvider(two.address.href, second.sub), two.cookie);
  expect([(await userOf(back.session))?.email, back.location]).toEqual([second.email, '/dashboard']);
});

test('two first sign-ins at once make one account', async () => {
  const person = somebody();
  const begun = await Promise.all([begin(), begin()]);
  const places = await Promise.all(begun.map(({ address }) => signInAtProvider(address.href, person.sub)));
  const backs = await Promise.all(places.map((place, index) => comeBack(place, begun[index]?.cookie ?? '')));
  const users = await Promise.all(backs.map(({ session }) => userOf(session)));
  expect(users[0]?.id).toBeDefined();
  expect(users[1]?.id).toBe(users[0]?.id);
});

test.for<[string, Partial<ProviderPerson>, { firstName: string; lastName: string }]>([
  [
    'an address in the first name',
    { given_name: 'Click http://evil.example', family_name: 'Poe' },
    { firstName: 'named', lastName: 'Poe' },
  ],
  ['an address in the last name', { family_name: 'WWW.evil.example' }, { firstName: 'Pat', lastName: '' }],
  ['a line break', { given_name: 'Pat\nYour account is locked' }, { firstName: 'named', lastName: 'Poe' }],
  [
    'a mark that turns the text',
    { given_name: 'Pat', family_name: 'Poe\u202Egnp' },
    { firstName: 'Pat', lastName: '' },
  ],
  [
    'one that is too long, and would be cut in a character of two halves',
    { given_name: `${'P'.repeat(99)}😀at` },
    { firstName: 'P'.repeat(99), lastName: 'Poe' },
  ],
  ['half a character', { given_name: 'Pat\uD83D' }, { firstName: 'Pat', lastName: 'Poe' }],
  [
    'a whole name alone',
    { given_name: undefined, family_name: undefined, name: 'Pat Ann Poe' },
    { firstName: 'Pat', lastName: 'Ann Poe' },
  ],
  [
    'an address in the whole name',
    { given_name: undefined, family_name: undefined, name: 'Pat http://evil.example' },
    { firstName: 'named', lastName: '' },
  ],
])('a provider gives a name as everybody does, or none: %s', async ([, claims, names]) => {
  const person = somebody(claims);
  person.email = `named@${person.sub}.example`;
  const { session } = await signInAs(person);
  expect(await userOf(session)).toMatchObject({ email: person.email, ...names });
});

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSession, signOut } from '#contract/accounts.ts';
import { readParticipantDashboard } from '#contract/home.ts';
import { listenLive } from '#contract/live.ts';
import { listSessions } from '#contract/sessions.ts';
import { signedSessionToken, verifierCookie } from '#server/sign-in/auth-cookie.ts';
import { createSignInWithPassword, removeSignIn } from '#server/sign-in/sign-ins.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach } from '#test/factories/people.ts';
import { buildRegistration } from '#test/factories/registrations.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { sessionOf, signInWith } from '#test/support/sign-in.ts';

let server: TestApp;
let count = 0;

beforeAll(async () => {
  server = await startTestApp();
  await server.runJobs();
});
afterAll(() => server.close());

async function createPerson(role: 'participant' | 'coach' | 'admin' = 'participant') {
  count += 1;
  const email = `person-${count}@people.example`;
  const password = 'Power-Up-1';
  const person = { email, password, firstName: 'Sam', lastName: 'Sol', role, trackType: null };
  return { email, password, id: await createSignInWithPassword(server.db, person) };
}

async function buildEnabledRegistration(facts: Parameters<typeof buildRegistration>[1]) {
  const person = await buildRegistration(server, facts);
  await server.db.updateTable('auth.user').set({ emailVerified: true }).where('id', '=', person.id).execute();
  return person;
}

test('AUTH-50 a wrong password and an unknown address get the same refusal', async () => {
  const person = await createPerson();
  const wrong = await signInWith(server, person.email, 'not-it');
  const unknown = await signInWith(server, 'nobody@people.example', 'not-it');
  expect(wrong).toMatchObject({ status: 401, cookie: '', body: { detail: 'Invalid email or password.' } });
  expect({ ...unknown.body, instance: null }).toEqual({ ...wrong.body, instance: null });
});

test('the session cookie is kept from scripts, and is Secure on an https address', async () => {
  const person = await createPerson();
  const plain = await signInWith(server, person.email, person.password);
  expect(plain.setCookie).toMatch(/HttpOnly/);
  expect(plain.setCookie).toMatch(/SameSite=Lax/);
  const secured = await openTestApp(server.connectionString, { PUBLIC_URL: 'https://switchyard.example' });
  const { setCookie, cookie, deviceCookie } = await signInWith(secured, person.email, person.password);
  expect(setCookie).toMatch(/^__Host-switchyard\.session_token=.*; Path=\/;.*; Secure/);
  expect(setCookie).not.toContain('Domain');
  expect(deviceCookie).toMatch(/^__Host-switchyard\.device=/);
  expect(verifierCookie('state', 'verifier', 'https://switchyard.example')).toMatch(
    /^__Host-switchyard\.verifier-\w+=verifier; .*Path=\/;.*; Secure/,
  );
  expect((await sessionOf(secured, { cookie })).user?.id).toBe(person.id);
  const left = await fetch(`${secured.url}${signOut.path}`, { method: 'POST', headers: { cookie } });
  expect(left.headers.getSetCookie().join()).toMatch(/__Host-switchyard\.session_token=;.*Path=\/;.*Secure/);
  expect((await sessionOf(secured, { cookie })).user).toBeNull();
  await secured.close();
});

test('AUTH-59 a client that is no browser gets a signed bearer token; a browser never sees any token', async () => {
  const person = await createPerson();
  const program = await signInWith(server, person.email, person.password);
  expect((await sessionOf(server, { authorization: `Bearer ${program.bearer}` })).user?.id).toBe(person.id);
  const guarded = (headers: Record<string, string>) => fetch(`${server.url}${listSessions.path}`, { headers });
  expect((await guarded({ authorization: `Bearer ${program.bearer}` })).status).toBe(200);
  expect((await guarded({})).status).toBe(401);
  expect((await sessionOf(server, {})).user).toBeNull();
  const unsigned = program.bearer?.split('.')[0];
  for (const wrong of [unsigned, `${unsigned}.forged`, 'anything', '%zz', '']) {
    const answer = await fetch(`${server.url}${readSession.path}`, { headers: { authorization: `Bearer ${wrong}` } });
    expect([answer.status, (await problemOf(answer)).code], wrong).toEqual([401, 'not_authenticated']);
  }
  await sql`update auth.session set expires_at = now() where user_id = ${person.id}`.execute(server.db);
  const late = { authorization: `Bearer ${program.bearer}` };
  expect((await fetch(`${server.url}${readSession.path}`, { headers: late })).status).toBe(401);

  const browser = await signInWith(server, person.email, person.password, { 'sec-fetch-site': 'same-origin' });
  expect(browser).toMatchObject({ status: 200, bearer: null, body: { token: null } });
});

test.each([
  ['GET', 'get-session'],
  ['GET', 'list-sessions'],
  ['POST', 'update-user'],
  ['POST', 'get-access-token'],
])('under the addresses of sign-in nothing answers beside the contract: %s %s', async (method, path) => {
  const person = await createPerson();
  const { cookie } = await signInWith(server, person.email, person.password);
  const body = method === 'POST' ? '{}' : undefined;
  const headers = { cookie, ...(body ? { 'content-type': 'application/json' } : {}) };
  const answer = await fetch(`${server.url}/api/auth/${path}`, { method, headers, body });
  expect(answer.status).toBe(404);
});

test('a sign-in that comes from another site is refused', async () => {
  const person = await createPerson();
  const foreign = await signInWith(server, person.email, person.password, { origin: 'https://elsewhere.example' });
  expect(foreign).toMatchObject({ status: 403, cookie: '', body: { code: 'csrf_refused' } });
});

test('SEC-02 without a session, or with one whose signature is altered, the server names nobody', async () => {
  const person = await createPerson();
  const { cookie } = await signInWith(server, person.email, person.password);
  const altered = `${cookie.slice(0, -8)}AAAA%3D`;
  expect(await sessionOf(server, {})).toMatchObject({ user: null, expiresAt: null, unreadMessages: 0 });
  expect((await sessionOf(server, { cookie: altered })).user).toBeNull();
});

test('a session is signed with a key of its own: with the secret itself nobody is signed in', async () => {
  const person = await createPerson();
  const { bearer } = await signInWith(server, person.email, person.password);
  const token = bearer?.split('.')[0] ?? '';
  const signedWith = (key: string) =>
    sessionOf(server, { authorization: `Bearer ${signedSessionToken(token, [key])}` });
  expect((await signedWith(server.app.sessionKeys[0])).user?.id).toBe(person.id);
  await expect(signedWith(server.app.secrets[0])).rejects.toThrow();
});

test('AUTH-62 signing out ends the session for good, and the browser forgets the pages that it has kept', async () => {
  const person = await createPerson();
  const { cookie } = await signInWith(server, person.email, person.password);
  const answer = await fetch(`${server.url}${signOut.path}`, { method: 'POST', headers: { cookie } });
  expect(answer.headers.get('clear-site-data')).toBe('"cache"');
  expect((await sessionOf(server, { cookie })).user).toBeNull();
});

test('signing out says so where the session could not be ended, and ends one that still waits for its second factor', async () => {
  const person = await createPerson();
  const { cookie } = await signInWith(server, person.email, person.password);
  const leave = () => fetch(`${server.url}${signOut.path}`, { method: 'POST', headers: { cookie } });
  const sessions = () => server.db.selectFrom('auth.session').select('id').where('userId', '=', person.id).execute();
  const nextDay = sql`update auth.session set expires_at = now() + interval '5 days' where user_id = ${person.id}`;
  await nextDay.execute(server.db);
  await sql`
    create function keep_sessions() returns trigger language plpgsql as
      $$ begin raise exception 'sessions stay'; end $$`.execute(server.db);
  await sql`
    create trigger keep_sessions before delete on auth.session
    for each row execute function keep_sessions()`.execute(server.db);
  const failed = await leave();
  await sql`drop function keep_sessions cascade`.execute(server.db);
  expect([failed.status, failed.headers.getSetCookie()]).toEqual([500, []]);
  expect(await sessions()).toHaveLength(1);

  await sql`
    insert into auth.second_factor (user_id, encrypted_secret, confirmed_at) values (${person.id}, 'sealed', now())`.execute(
    server.db,
  );
  expect((await sessionOf(server, { cookie })).user).toBeNull();
  const left = await leave();
  expect([left.status, await left.json()]).toEqual([200, { success: true }]);
  expect(left.headers.getSetCookie()).toEqual(['switchyard.session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']);
  expect(await sessions()).toEqual([]);
  expect((await leave()).status).toBe(200);
});

test('AUTH-42 a session in use is prolonged without the person noticing, and its cookie outlasts it', async () => {
  const person = await createPerson();
  const { cookie, setCookie } = await signInWith(server, person.email, person.password);
  expect(Number(/Max-Age=(\d+)/.exec(setCookie)?.[1])).toBeGreaterThan(300 * 24 * 3600);
  const early = await fetch(`${server.url}${readSession.path}`, { headers: { cookie } });
  expect(early.headers.getSetCookie()).toEqual([]);
  await sql`update auth.session set expires_at = now() + interval '5 days' where user_id = ${person.id}`.execute(
    server.db,
  );
  const late = await fetch(`${server.url}${readSession.path}`, { headers: { cookie } });
  expect(late.headers.getSetCookie()[0]?.split(';')[0]).toBe(cookie);
  const { expiresAt } = await sessionOf(server, { cookie });
  expect(Date.parse(expiresAt ?? '')).toBeGreaterThan(Date.now() + 6 * 24 * 3_600_000);
});

test('a stream does not prolong the session: it could not send the cookie along', async () => {
  const person = await createPerson();
  const { cookie } = await signInWith(server, person.email, person.password);
  await sql`update auth.session set expires_at = now() + interval '5 days' where user_id = ${person.id}`.execute(
    server.db,
  );
  const ended = new AbortController();
  const stream = await fetch(`${server.url}${listenLive.path}`, { headers: { cookie }, signal: ended.signal });
  expect(stream.status).toBe(200);
  ended.abort();
  const later = await fetch(`${server.url}${readSession.path}`, { headers: { cookie } });
  expect(later.headers.getSetCookie()[0]?.split(';')[0]).toBe(cookie);
});

test('an ended session names nobody', async () => {
  const person = await createPerson();
  const { cookie } = await signInWith(server, person.email, person.password);
  await sql`update auth.session set expires_at = now() where user_id = ${person.id}`.execute(server.db);
  expect((await sessionOf(server, { cookie })).user).toBeNull();
});

test('SEC-03 a change of role, a deletion and the removal of the sign-in take effect on the next request', async () => {
  const person = await createPerson();
  const { cookie } = await signInWith(server, person.email, person.password);
  const profile = () => server.db.updateTable('profiles').where('id', '=', person.id);
  await profile().set({ role: 'coach' }).execute();
  expect((await sessionOf(server, { cookie })).user?.role).toBe('coach');
  await profile().set({ deletedAt: new Date() }).execute();
  expect((await sessionOf(server, { cookie })).user).toBeNull();
  await profile().set({ deletedAt: null }).execute();
  await removeSignIn(server.db, person.id);
  expect((await sessionOf(server, { cookie })).user).toBeNull();
  expect((await signInWith(server, person.email, person.password)).status).toBe(401);
});

test('AUTH-45 AUTH-47 SEC-22 a missing profile is made again at the next request, as a participant', async () => {
  for (const facts of [
    { requestedRole: 'admin', trackType: null },
    { requestedRole: 'participant', trackType: 'adult_mobilization' },
  ] as const) {
    const { id, email, password, firstName, lastName } = await buildEnabledRegistration(facts);
    await server.db.deleteFrom('deliveries').where('address', '=', email).execute();
    await server.db.deleteFrom('profiles').where('email', '=', email).execute();
    const { cookie } = await signInWith(server, email, password);
    const kept = { id, email, firstName, lastName, role: 'participant', trackType: facts.trackType };
    expect((await sessionOf(server, { cookie })).user).toMatchObject(kept);
    const made = server.db.selectFrom('profiles').selectAll().where('id', '=', id);
    const requestedRole = facts.requestedRole === 'admin' ? 'admin' : null;
    expect(await made.executeTakeFirst()).toMatchObject({ ...kept, requestedRole });
  }
});

test('failed sign-ins in a row are limited by account, and a success forgets them', async () => {
  const limited = await openTestApp(server.connectionString, { RATE_LIMIT_FACTOR: '0.3' });
  // The other tests' sign-ins came from the same address.
  await server.db.deleteFrom('auth.rateLimit').execute();
  const person = await createPerson();
  const wrong = () => signInWith(limited, person.email, 'not-it');
  expect([(await wrong()).status, (await wrong()).status]).toEqual([401, 401]);
  expect((await signInWith(limited, person.email, person.password)).status).toBe(200);
  expect([(await wrong()).status, (await wrong()).status, (await wrong()).status]).toEqual([401, 401, 401]);
  const refused = await signInWith(limited, person.email, person.password);
  await limited.close();
  expect(refused).toMatchObject({ status: 429, cookie: '', body: { code: 'too_many_requests' } });
});

test('a demo instance offers the demo accounts that exist; another offers none', async () => {
  const demo = await openTestApp(server.connectionString, { DEMO: '1' });
  const admin = await buildAdmin(server.db, { email: 'admin@demo.example' });
  const offered = await sessionOf(demo, {});
  const signedIn = await (await demo.as(admin)).call(readSession);
  await demo.close();
  expect(offered.instance.demoAccounts).toEqual([{ email: 'admin@demo.example', label: 'Admin' }]);
  expect(offered.instance.demoPassword).not.toBeNull();
  expect(signedIn.instance.demoAccounts).toEqual([]);
  expect((await sessionOf(server, {})).instance).toMatchObject({ isDemo: false, demoPassword: null, demoAccounts: [] });
});

test('the session counts unread messages of contacts, and notices', async () => {
  const { db } = server;
  const person = await createPerson();
  const [coach, formerCoach] = [await buildCoach(db), await buildCoach(db)];
  await assignCoach(db, { participantId: person.id, coachId: coach.id });
  const received = { recipientId: person.id, recipientType: 'fellow', message: 'See you on Friday.' };
  await db
    .insertInto('coachMessages')
    .values([
      { ...received, senderId: coach.id },
      { ...received, senderId: coach.id, isRead: true, readAt: new Date() },
      { ...received, senderId: formerCoach.id },
      { ...received, senderId: person.id, recipientId: coach.id, recipientType: 'coach' },
    ])
    .execute();
  await db.insertInto('notices').values({ userId: person.id, kind: 'test', title: 'News' }).execute();
  const { cookie } = await signInWith(server, person.email, person.password);
  expect(await sessionOf(server, { cookie })).toMatchObject({ unreadMessages: 1, unreadNotices: 1 });
});

test('AUTH-46 AUTH-47 a session without a profile is that of a participant, with the names and track of the registration', async () => {
  const body = await buildEnabledRegistration({ firstName: 'Gwen', lastName: 'Aspinall', trackType: 'self_learner' });
  const { cookie } = await signInWith(server, body.email, body.password);
  await server.db.deleteFrom('deliveries').where('address', '=', body.email).execute();
  await sql`delete from notices where user_id in (select id from profiles where email = ${body.email})`.execute(
    server.db,
  );
  await server.db.deleteFrom('profiles').where('email', '=', body.email).execute();
  expect((await sessionOf(server, { cookie })).user).toMatchObject({
    email: body.email,
    firstName: 'Gwen',
    lastName: 'Aspinall',
    role: 'participant',
    trackType: 'self_learner',
  });
  const dashboard = await fetch(`${server.url}${readParticipantDashboard.path}`, { headers: { cookie } });
  expect(dashboard.status).toBe(200);
});

test('AUTH-48 what the login screen needs at start-up is answered when no profile can be read, and counts none', async () => {
  const visitor = await server.as(null);
  const asUsual = await visitor.call(readSession);
  await sql`alter table profiles rename to profiles_away`.execute(server.db);
  const without = await visitor.call(readSession);
  await sql`alter table profiles_away rename to profiles`.execute(server.db);
  expect(without).toEqual({ ...asUsual, serverTime: without.serverTime });
  expect(without).toMatchObject({ user: null, unreadMessages: 0, unreadNotices: 0 });
});

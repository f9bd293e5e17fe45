import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSession, register, resendConfirmation, signOut } from '#contract/accounts.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { readParticipantDashboard } from '#contract/home.ts';
import { listenLive } from '#contract/live.ts';
import { listSessions } from '#contract/sessions.ts';
import { createSignInWithPassword, removeSignIn } from '#server/platform/sign-ins.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { jobsAreDone, linkInMail, mailsTo, sessionOf, signInWith } from '#test/support/sign-in.ts';

let server: TestApp;
let count = 0;

beforeAll(async () => {
  server = await startTestApp();
  await server.runJobs();
});
afterAll(() => server.close());

type Registration = InputOf<typeof register>['body'];

function registration(overrides: Partial<Registration> = {}): Registration {
  count += 1;
  return {
    firstName: 'Robin',
    lastName: 'Reyes',
    email: `new-${count}@people.example`,
    password: 'turbin',
    requestedRole: 'participant',
    trackType: 'fellowship',
    ...overrides,
  };
}

async function createPerson(role: 'participant' | 'coach' | 'admin' = 'participant') {
  count += 1;
  const email = `person-${count}@people.example`;
  const password = 'Power-Up-1';
  const person = { email, password, firstName: 'Sam', lastName: 'Sol', role, trackType: null };
  return { email, password, id: await createSignInWithPassword(server.db, person) };
}

function profileOf(email: string) {
  return server.db.selectFrom('profiles').selectAll().where('email', '=', email).executeTakeFirst();
}

async function registerBy(testApp: TestApp, body: object) {
  const answer = await fetch(`${testApp.url}${register.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

/** The link names the public address, which in tests is not where the server listens. */
async function openLink(link: URL): Promise<Response> {
  return fetch(`${server.url}${link.pathname}${link.search}`, { redirect: 'manual' });
}

test('AUTH-07 AUTH-16 AUTH-49 a new account has its profile at once, and signs in only after its e-mail is confirmed', async () => {
  const body = registration({ trackType: 'self_learner' });
  const visitor = await server.as(null);
  const { user } = await visitor.call(register, { body });
  expect(await profileOf(body.email)).toMatchObject({
    id: user.id,
    email: body.email,
    firstName: 'Robin',
    lastName: 'Reyes',
    role: 'participant',
    trackType: 'self_learner',
  });
  const metadata = await server.db.selectFrom('auth.user').selectAll().where('id', '=', user.id).executeTakeFirst();
  expect(metadata).toMatchObject({ firstName: 'Robin', lastName: 'Reyes', trackType: 'self_learner' });

  const early = await signInWith(server, body.email, body.password);
  expect(early).toMatchObject({ status: 403, cookie: '', body: { code: 'email_not_confirmed' } });

  const opened = await openLink(await linkInMail(server.db, body.email));
  expect(opened.status).toBe(302);
  expect(opened.headers.get('location')).toBe('/login?confirmed=1');

  const { status, cookie } = await signInWith(server, body.email, body.password);
  expect(status).toBe(200);
  expect((await sessionOf(server, { cookie })).user).toMatchObject({ id: user.id, role: 'participant' });
});

test('AUTH-07 a confirmation link that was altered confirms nothing', async () => {
  const body = registration();
  await (await server.as(null)).call(register, { body });
  const link = await linkInMail(server.db, body.email);
  link.searchParams.set('token', `${link.searchParams.get('token')?.slice(0, -4)}AAAA`);
  expect((await openLink(link)).headers.get('location')).toContain('error=INVALID_TOKEN');
  expect((await signInWith(server, body.email, body.password)).status).toBe(403);
});

test('AUTH-13 the server refuses a sign-up password of 5 characters and takes one of 6', async () => {
  const visitor = await server.as(null);
  const short = await visitor.refused(register, { body: registration({ password: '12345' }) });
  expect(short.problem).toMatchObject({
    status: 422,
    errors: [{ path: 'password', message: 'Password must be at least 6 characters long' }],
  });
  await visitor.call(register, { body: registration({ password: 'turbin' }) });
});

test('AUTH-11 a participant without a track type is refused', async () => {
  const { problem } = await (await server.as(null)).refused(register, { body: registration({ trackType: null }) });
  expect(problem.errors).toMatchObject([{ path: 'trackType' }]);
});

test('AUTH-10 AUTH-17 choosing coach or admin makes a participant with a request, and no track', async () => {
  const visitor = await server.as(null);
  for (const requestedRole of ['coach', 'admin'] as const) {
    const body = registration({ requestedRole, trackType: 'fellowship' });
    await visitor.call(register, { body });
    expect(await profileOf(body.email)).toMatchObject({ role: 'participant', requestedRole, trackType: null });
  }
});

test('AUTH-17 an operator who switched self-chosen roles on gets them granted at once', async () => {
  const open = await openTestApp(server.connectionString, { SELF_ASSIGNED_ROLES: '1' });
  const body = registration({ requestedRole: 'coach', trackType: null });
  await registerBy(open, body);
  await open.close();
  expect(await profileOf(body.email)).toMatchObject({ role: 'coach', requestedRole: null });
});

test('AUTH-17 SEC-03 fields that a sign-up smuggles in change nothing', async () => {
  const body = registration();
  const smuggled = { role: 'admin', id: '00000000-0000-7000-8000-000000000001', emailVerified: true, banned: false };
  const answer = await registerBy(server, { ...body, ...smuggled });
  expect(answer.status).toBe(200);
  const profile = await profileOf(body.email);
  expect(profile).toMatchObject({ role: 'participant', requestedRole: null });
  expect(profile?.id).not.toBe(smuggled.id);
  expect((await signInWith(server, body.email, body.password)).body.code).toBe('email_not_confirmed');
});

test('AUTH-16 an account whose confirmation mail could not be written does not exist', async () => {
  await sql`alter table deliveries add constraint no_mail check (kind <> 'confirm_email') not valid`.execute(server.db);
  const body = registration();
  const { status } = await registerBy(server, body);
  await sql`alter table deliveries drop constraint no_mail`.execute(server.db);
  expect(status).toBe(500);
  expect(await profileOf(body.email)).toBeUndefined();
  expect((await registerBy(server, body)).status).toBe(200);
  expect(await profileOf(body.email)).toBeDefined();
});

test('a second registration of an address gets the same answer, changes nothing and tells its owner by mail', async () => {
  const person = await createPerson('coach');
  const fresh = await registerBy(server, registration());
  const again = await registerBy(server, registration({ email: person.email.toUpperCase(), password: 'other-secret' }));
  expect(again.status).toBe(fresh.status);
  expect(Object.keys(again.body.user)).toEqual(Object.keys(fresh.body.user));
  expect(again.body.user.email).toBe(person.email);
  expect(await profileOf(person.email)).toMatchObject({ id: person.id, role: 'coach', firstName: 'Sam' });
  expect((await signInWith(server, person.email, person.password)).status).toBe(200);
  expect(await mailsTo(server.db, person.email)).toMatchObject([{ kind: 'already_registered' }]);
});

test('AUTH-58 the confirmation is sent again, with the same answer for an address nobody has', async () => {
  const body = registration();
  const visitor = await server.as(null);
  await visitor.call(register, { body });
  const known = await visitor.call(resendConfirmation, { body: { email: body.email } });
  const unknown = await visitor.call(resendConfirmation, { body: { email: 'nobody@people.example' } });
  expect(known).toEqual(unknown);
  await jobsAreDone(server.db, 'account-mail');
  expect(await mailsTo(server.db, body.email)).toHaveLength(2);
  expect(await mailsTo(server.db, 'nobody@people.example')).toHaveLength(0);
  await openLink(await linkInMail(server.db, body.email));
  expect((await signInWith(server, body.email, body.password)).status).toBe(200);
});

test('AUTH-06 AUTH-50 a wrong password and an unknown address get the same refusal', async () => {
  const person = await createPerson();
  const wrong = await signInWith(server, person.email, 'not-it');
  const unknown = await signInWith(server, 'nobody@people.example', 'not-it');
  expect(wrong).toMatchObject({ status: 401, cookie: '', body: { detail: 'Invalid e-mail or password.' } });
  expect({ ...unknown.body, instance: null }).toEqual({ ...wrong.body, instance: null });
});

test('the session cookie is kept from scripts, and is Secure on an https address', async () => {
  const person = await createPerson();
  const plain = await signInWith(server, person.email, person.password);
  expect(plain.setCookie).toMatch(/HttpOnly/);
  expect(plain.setCookie).toMatch(/SameSite=Lax/);
  const secured = await openTestApp(server.connectionString, { PUBLIC_URL: 'https://switchyard.example' });
  const { setCookie } = await signInWith(secured, person.email, person.password);
  await secured.close();
  expect(setCookie).toMatch(/^__Secure-switchyard\.session_token=.*; Secure/);
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
  expect((await sessionOf(server, { authorization: `Bearer ${unsigned}` })).user).toBeNull();

  const browser = await signInWith(server, person.email, person.password, { 'sec-fetch-site': 'same-origin' });
  expect(browser).toMatchObject({ status: 200, bearer: null, body: { token: null } });
});

test.each([
  ['GET', 'get-session'],
  ['GET', 'list-sessions'],
  ['POST', 'update-user'],
  ['POST', 'get-access-token'],
])('the sign-in library answers nothing beside the contract: %s %s', async (method, path) => {
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

test('AUTH-62 signing out ends the session for good', async () => {
  const person = await createPerson();
  const { cookie } = await signInWith(server, person.email, person.password);
  await fetch(`${server.url}${signOut.path}`, { method: 'POST', headers: { cookie } });
  expect((await sessionOf(server, { cookie })).user).toBeNull();
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
  const body = registration({ requestedRole: 'admin', trackType: null });
  await (await server.as(null)).call(register, { body });
  await openLink(await linkInMail(server.db, body.email));
  await server.db.deleteFrom('deliveries').where('address', '=', body.email).execute();
  await server.db.deleteFrom('profiles').where('email', '=', body.email).execute();
  const { cookie } = await signInWith(server, body.email, body.password);
  expect((await sessionOf(server, { cookie })).user).toMatchObject({ firstName: 'Robin', role: 'participant' });
  expect(await profileOf(body.email)).toMatchObject({ role: 'participant', requestedRole: 'admin' });
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

test('the session counts unread messages and notices', async () => {
  const admin = await buildAdmin(server.db);
  const person = await createPerson();
  const { db } = server;
  await db
    .insertInto('coachMessages')
    .values([
      { senderId: admin.id, recipientId: person.id, recipientType: 'fellow', message: 'One' },
      {
        senderId: admin.id,
        recipientId: person.id,
        recipientType: 'fellow',
        message: 'Two',
        isRead: true,
        readAt: new Date(),
      },
      { senderId: person.id, recipientId: admin.id, recipientType: 'coach', message: 'Three' },
    ])
    .execute();
  await db.insertInto('notices').values({ userId: person.id, kind: 'test', title: 'News' }).execute();
  const { cookie } = await signInWith(server, person.email, person.password);
  expect(await sessionOf(server, { cookie })).toMatchObject({ unreadMessages: 1, unreadNotices: 1 });
});

test('AUTH-46 AUTH-47 a session without a profile is that of a participant, with the names and track of the registration', async () => {
  const body = registration({ firstName: 'Gwen', lastName: 'Aspinall', trackType: 'self_learner' });
  await (await server.as(null)).call(register, { body });
  await openLink(await linkInMail(server.db, body.email));
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

import { request as httpRequest } from 'node:http';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  changePassword,
  checkPasswordLink,
  readSession,
  requestPasswordReset,
  setPassword,
  signIn,
  signOut,
} from '#contract/accounts.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { readCoachDashboard, readParticipantDashboard } from '#contract/home.ts';
import { listenLive } from '#contract/live.ts';
import { confirmRegistration, register } from '#contract/registration.ts';
import type { Role } from '#contract/roles.ts';
import { listSessions } from '#contract/sessions.ts';
import { OwnPath } from '#contract/sign-in-ways.ts';
import { deleteUser, readUser, updateUser } from '#contract/user-management.ts';
import { issuePasswordLinks } from '#server/sign-in/password-links.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { readContract } from '#test/support/contract.ts';
import { linkInMail, mailsTo, sessionOf, signInWith, waitForMails } from '#test/support/sign-in.ts';

const contract = await readContract();
const password = 'Old-Power-1';
const newPassword = 'New-Power-2';
const elsewhere = 'https://elsewhere.example';
/** Each target looks like a path of ours, or leads away from it by another trick. */
const foreignTargets = [
  elsewhere,
  '//elsewhere.example',
  '/\\elsewhere.example',
  '\\\\elsewhere.example',
  '/\t/elsewhere.example',
  'javascript:alert(1)',
  '/login?confirmed=1@elsewhere.example',
  'https://elsewhere.example/login?confirmed=1',
];

let server: TestApp;
let count = 0;

beforeAll(async () => {
  server = await startTestApp();
  await server.runJobs();
});
afterAll(() => server.close());

async function createPerson(role: Role = 'participant') {
  count += 1;
  const email = `hijacked-${count}@people.example`;
  const facts = { email, password, firstName: 'Sam', lastName: 'Sol', role, trackType: null };
  return { email, id: await createSignInWithPassword(server.db, facts) };
}

type Headers = Record<string, string>;

/** Returns a browser's cookie and a program's token, of two sessions. */
async function signInTwice(email: string): Promise<Headers[]> {
  const [browser, program] = [await signInWith(server, email, password), await signInWith(server, email, password)];
  expect([browser.status, program.status]).toEqual([200, 200]);
  return [{ cookie: browser.cookie }, { authorization: `Bearer ${program.bearer}` }];
}

function send(endpoint: Pick<Endpoint, 'method' | 'path'>, headers: Headers, body?: object): Promise<Response> {
  return fetch(`${server.url}${endpoint.path}`, {
    method: endpoint.method,
    headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
    body: body ? JSON.stringify(body) : undefined,
    redirect: 'manual',
  });
}

async function expectOpen(headers: Headers, personId: string): Promise<void> {
  expect((await sessionOf(server, headers)).user?.id).toBe(personId);
}

/** Reads, writes and the stream of news stay closed. The session itself names nobody, and refuses a bearer. */
async function expectClosed(headers: Headers): Promise<void> {
  if (headers.authorization) expect((await send(readSession, headers)).status).toBe(401);
  else expect((await sessionOf(server, headers)).user).toBeNull();
  const bodies = { currentPassword: password, newPassword: 'Taken-Over-3' };
  for (const endpoint of [readParticipantDashboard, listSessions, listenLive]) {
    expect((await send(endpoint, headers)).status, endpoint.name).toBe(401);
  }
  expect((await send(changePassword, headers, bodies)).status).toBe(401);
}

async function resetToken(email: string): Promise<string> {
  const before = (await mailsTo(server.db, email)).length;
  await send(requestPasswordReset, {}, { email });
  await waitForMails(server.db, email, before + 1);
  return new URLSearchParams((await linkInMail(server.db, email)).hash.slice(1)).get('access_token') ?? '';
}

function roleOf(id: string) {
  return server.db.selectFrom('profiles').select('role').where('id', '=', id).executeTakeFirstOrThrow();
}

test('AUTH-62 a session is of no use after its sign-out, and the others stay', async () => {
  const { id, email } = await createPerson();
  for (const headers of await signInTwice(email)) {
    await expectOpen(headers, id);
    const { cookie } = await signInWith(server, email, password);
    expect((await send(signOut, headers, {})).status).toBe(200);
    await expectClosed(headers);
    await expectOpen({ cookie }, id);
  }
});

test('every other session ends when the password changes', async () => {
  const { id, email } = await createPerson();
  const others = await signInTwice(email);
  const { cookie } = await signInWith(server, email, password);
  expect((await send(changePassword, { cookie }, { currentPassword: password, newPassword })).status).toBe(200);
  for (const headers of others) await expectClosed(headers);
  await expectOpen({ cookie }, id);
});

test('AUTH-23 every session ends when the password is set by a link, which then is used up', async () => {
  const { email } = await createPerson();
  const sessions = await signInTwice(email);
  const token = await resetToken(email);
  expect((await send(setPassword, {}, { token, newPassword })).status).toBe(200);
  for (const headers of sessions) await expectClosed(headers);
  for (const endpoint of [checkPasswordLink, setPassword]) {
    expect((await send(endpoint, {}, { token, newPassword: 'Taken-Over-3' })).status).toBe(404);
  }
  expect((await signInWith(server, email, 'Taken-Over-3')).status).toBe(401);
});

test('a reset link is of no use after the password was changed by another way', async () => {
  const { email } = await createPerson();
  const token = await resetToken(email);
  const { cookie } = await signInWith(server, email, password);
  await send(changePassword, { cookie }, { currentPassword: password, newPassword });
  expect((await send(setPassword, {}, { token, newPassword: 'Taken-Over-3' })).status).toBe(404);
  expect((await signInWith(server, email, newPassword)).status).toBe(200);
});

test('SEC1-21 an old session has lost the old powers on its next request after a change of role', async () => {
  const { id, email } = await createPerson('coach');
  const admin = await server.as(await buildAdmin(server.db));
  const change = async (role: Role) => {
    const { version } = await admin.call(readUser, { params: { id } });
    await admin.call(updateUser, { params: { id }, body: { role, version } });
  };
  const sessions = await signInTwice(email);
  for (const headers of sessions) expect((await send(readCoachDashboard, headers)).status).toBe(200);
  await change('participant');
  for (const headers of sessions) {
    expect((await send(readCoachDashboard, headers)).status).toBe(403);
    expect((await sessionOf(server, headers)).user?.role).toBe('participant');
  }
  // New powers need a new sign-in.
  await change('coach');
  for (const headers of sessions) await expectClosed(headers);
});

test('SEC1-21 no session of a deleted person opens anything, nor does their password', async () => {
  const { id, email } = await createPerson();
  const sessions = await signInTwice(email);
  for (const headers of sessions) await expectOpen(headers, id);
  await (await server.as(await buildAdmin(server.db))).call(deleteUser, { params: { id } });
  for (const headers of sessions) await expectClosed(headers);
  expect((await signInWith(server, email, password)).status).toBe(401);
});

test('AUTH-56 a confirmation link begins one session, and confirms nobody else', async () => {
  count += 1;
  const email = `confirming-${count}@people.example`;
  const person = { firstName: 'Sam', lastName: 'Sol', requestedRole: 'participant', trackType: 'fellowship' };
  await send(register, {}, { ...person, email, password });
  const other = await createPerson();
  await server.db.updateTable('auth.user').set({ emailVerified: false }).where('id', '=', other.id).execute();
  const token = new URLSearchParams((await linkInMail(server.db, email)).hash.slice(1)).get('token');
  const named = { token, password, email: other.email, id: other.id, userId: other.id };
  const [first, second] = [await send(confirmRegistration, {}, named), await send(confirmRegistration, {}, named)];
  expect([first.status, second.status]).toEqual([200, 404]);
  expect(await first.json()).toMatchObject({ user: { email } });
  expect(second.headers.getSetCookie()).toEqual([]);
  expect((await signInWith(server, other.email, password)).status).toBe(401);
});

test('a session token planted before the sign-in is not the token after it', async () => {
  const [victim, attacker] = [await createPerson(), await createPerson()];
  const own = await signInWith(server, attacker.email, password);
  const [name] = own.cookie.split('=');
  for (const planted of [own.cookie, `${name}=planted`, `${name}=planted.c2lnbmVk`]) {
    const begun = await signInWith(server, victim.email, password, { cookie: planted });
    expect(begun.cookie).not.toBe(planted);
    await expectOpen({ cookie: begun.cookie }, victim.id);
    expect((await sessionOf(server, { cookie: planted })).user?.id).not.toBe(victim.id);
  }
  // A session that is due to be prolonged is not sent again behind the new one.
  await sql`
    update auth.session set expires_at = now() + interval '3 days' where user_id = ${attacker.id}`.execute(server.db);
  const answer = await send(signIn, { cookie: own.cookie }, { email: victim.email, password });
  const set = answer.headers.getSetCookie().filter((cookie) => cookie.startsWith(`${name}=`));
  expect(set).toHaveLength(1);
  await expectOpen({ cookie: set[0]?.split(';')[0] ?? '' }, victim.id);
  await expectOpen({ cookie: own.cookie }, attacker.id);
  const again = [await signInWith(server, victim.email, password), await signInWith(server, victim.email, password)];
  expect(again[0]?.cookie).not.toBe(again[1]?.cookie);
});

test('a token in the address or in another header is no session', async () => {
  const { email } = await createPerson();
  const { bearer } = await signInWith(server, email, password);
  const token = encodeURIComponent(bearer ?? '');
  for (const name of ['token', 'access_token', 'session_token', 'authorization']) {
    const answer = await fetch(`${server.url}${readSession.path}?${name}=${token}`);
    expect(readSession.response.parse(await answer.json()).user, name).toBeNull();
  }
  expect((await sessionOf(server, { 'set-auth-token': bearer ?? '' })).user).toBeNull();
  expect((await sessionOf(server, { authorization: `Basic ${bearer}` })).user).toBeNull();
});

const claims = {
  role: 'admin',
  requestedRole: 'admin',
  requested_role: 'admin',
  metadata: { role: 'admin' },
  user_metadata: { role: 'admin' },
  app_metadata: { role: 'admin' },
  options: { data: { role: 'admin' } },
  user: { role: 'admin' },
  profile: { role: 'admin' },
};

test('AUTH-17 AUTH-60 a role in the metadata of a registration or of the sign-in gives no power', async () => {
  count += 1;
  const email = `claiming-${count}@people.example`;
  const person = { firstName: 'Sam', lastName: 'Sol', trackType: 'fellowship' };
  await send(register, {}, { ...claims, ...person, requestedRole: 'participant', email, password });
  const made = await server.db.selectFrom('profiles').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
  expect(made).toMatchObject({ role: 'participant', requestedRole: null });

  const { id, email: own } = await createPerson();
  const { cookie } = await signInWith(server, own, password);
  await server.db
    .updateTable('auth.user')
    .set({ requestedRole: 'admin', name: 'admin' })
    .where('id', '=', id)
    .execute();
  expect((await sessionOf(server, { cookie })).user?.role).toBe('participant');
  expect((await send(readCoachDashboard, { cookie })).status).toBe(403);
});

test('AUTH-60 SEC1-16 a role sent to any call of the own account changes nothing, no matter who sends it', async () => {
  const own = contract.filter(
    ({ method, access }) => method !== 'GET' && (access === 'account.own' || access === 'public'),
  );
  expect(own.length).toBeGreaterThan(10);
  const everyWay = [
    ...own,
    ...['/api/auth/update-user', '/api/auth/user', '/api/account', '/api/account/profile', '/api/session'].flatMap(
      (path) => (['PUT', 'PATCH', 'POST'] as const).map((method) => ({ method, path, name: `${method} ${path}` })),
    ),
  ];
  for (const role of ['participant', 'coach'] as const) {
    const { id } = await createPerson(role);
    for (const { method, path } of everyWay) {
      const { cookie } = await server.as({ id });
      await send(
        { method, path: path.replace(/:\w+/g, id) },
        { cookie },
        { ...claims, firstName: 'Sam', lastName: 'Sol' },
      );
      expect((await roleOf(id)).role, `${method} ${path}`).toBe(role);
    }
  }
});

test('AUTH-60 the own password changes with the own session only, never by naming another person', async () => {
  const [victim, attacker] = [await createPerson(), await createPerson()];
  const { cookie } = await signInWith(server, attacker.email, password);
  const body = { currentPassword: password, newPassword, id: victim.id, userId: victim.id, email: victim.email };
  expect((await send(changePassword, { cookie }, body)).status).toBe(200);
  expect((await signInWith(server, attacker.email, newPassword)).status).toBe(200);
  expect((await signInWith(server, victim.email, newPassword)).status).toBe(401);
  expect((await signInWith(server, victim.email, password)).status).toBe(200);
});

test.each(foreignTargets)('no answer leads to another site: %s', async (target) => {
  expect(OwnPath.safeParse(target).success && !target.startsWith('/login')).toBe(false);

  const { email } = await createPerson();
  const everywhere = { callbackURL: target, redirectTo: target, redirect_to: target, next: target };
  for (const [endpoint, body] of [
    [signIn, { email, password }],
    [requestPasswordReset, { email }],
  ] as const) {
    const answer = await send(endpoint, {}, { ...body, ...everywhere });
    expect(answer.headers.get('location')).toBeNull();
    expect(await answer.text()).not.toContain('elsewhere');
  }
  await waitForMails(server.db, email, 1);
  const [mail] = await mailsTo(server.db, email);
  expect(mail?.textBody).not.toContain('elsewhere');
});

test('the links in mails name our own public address, whatever host a request names', async () => {
  const { email } = await createPerson();
  const status = await new Promise((resolve, reject) => {
    const sent = httpRequest(`${server.url}${requestPasswordReset.path}`, {
      method: 'POST',
      headers: {
        host: 'elsewhere.example',
        'x-forwarded-host': 'elsewhere.example',
        'content-type': 'application/json',
      },
    });
    sent.on('error', reject);
    sent.on('response', (answer) => resolve(answer.resume().statusCode));
    sent.end(JSON.stringify({ email }));
  });
  expect(status).toBe(200);
  await waitForMails(server.db, email, 1);
  expect((await linkInMail(server.db, email)).origin).toBe(new URL(server.app.config.publicUrl).origin);
});

test('a link for one person sets the password of nobody else', async () => {
  const [victim, attacker] = [await createPerson(), await createPerson()];
  const [link = ''] = await issuePasswordLinks(server.db, elsewhere, [{ userId: attacker.id, invitationId: null }]);
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('access_token');
  const body = { token, newPassword, email: victim.email, userId: victim.id, id: victim.id };
  expect((await send(setPassword, {}, body)).status).toBe(200);
  expect((await signInWith(server, victim.email, newPassword)).status).toBe(401);
  expect((await signInWith(server, attacker.email, newPassword)).status).toBe(200);
});

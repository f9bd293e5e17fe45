import { SignJWT } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { setPassword } from '#contract/accounts.ts';
import { confirmRegistration, register, resendConfirmation } from '#contract/registration.ts';
import { keyFor } from '#server/platform/secret-box.ts';
import { issuePasswordLinks } from '#server/sign-in/password-links.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { buildRegistration, registrationOf } from '#test/factories/registrations.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { jobsAreDone, linkInMail, mailsTo, sessionOf, signInWith } from '#test/support/sign-in.ts';
import { post } from '#test/support/sign-in-ways.ts';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp();
  await server.runJobs();
});
afterAll(() => server.close());

/** Keeps the other fields of the answer. */
const Registered = z.object({ user: register.response.shape.user.loose() });

function profileOf(email: string) {
  return server.db.selectFrom('profiles').selectAll().where('email', '=', email).executeTakeFirst();
}

async function registerBy(testApp: TestApp, body: object) {
  const answer = await post(testApp, register, body);
  return { status: answer.status, body: await answer.json() };
}

async function tokenInMail(email: string): Promise<string> {
  const link = await linkInMail(server.db, email);
  expect(link.pathname).toBe('/confirm-account');
  return new URLSearchParams(link.hash.slice(1)).get('token') ?? '';
}

async function confirm(token: string, password: string) {
  const answer = await post(server, confirmRegistration, { token, password });
  return { status: answer.status, cookie: answer.cookie, body: await answer.json() };
}

const unusable = { status: 404, cookie: '', body: { code: 'not_found' } };

test('AUTH-07 AUTH-16 AUTH-49 AUTH-56 DATA-01 a new account has its profile at once under the same id, and is enabled by the mailed link', async () => {
  const body = registrationOf({ trackType: 'self_learner' });
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

  expect(await signInWith(server, body.email, body.password)).toMatchObject({ status: 401, cookie: '' });

  const token = await tokenInMail(body.email);
  const confirmed = await confirm(token, body.password);
  expect(confirmed).toMatchObject({ status: 200, body: { user: { id: user.id, email: body.email } } });
  const { cookie } = confirmed;
  expect((await sessionOf(server, { cookie })).user).toMatchObject({ id: user.id, role: 'participant' });
  expect((await signInWith(server, body.email, body.password)).status).toBe(200);

  expect(await confirm(token, body.password)).toMatchObject(unusable);
  const audited = await server.db.selectFrom('auditLog').select(['action', 'after']).where('subjectId', '=', user.id);
  expect(await audited.execute()).toContainEqual({ action: 'email.confirm', after: { by: 'confirmation_mail' } });
});

test('AUTH-07 opening a link confirms nothing, as mail scanners do', async () => {
  const person = await buildRegistration(server);
  const token = await tokenInMail(person.email);
  for (const method of ['HEAD', 'GET', 'GET']) {
    expect((await fetch(`${server.url}/confirm-account`, { method })).headers.getSetCookie()).toEqual([]);
  }
  expect((await signInWith(server, person.email, person.password)).status).toBe(401);
  expect((await confirm(token, person.password)).status).toBe(200);
});

test('AUTH-56 the password of the person who registered is asked for: the mailbox of somebody else does not enable it', async () => {
  const person = await buildRegistration(server);
  const token = await tokenInMail(person.email);
  const wrong = await confirm(token, 'not-it');
  expect(wrong).toMatchObject({ status: 422, cookie: '', body: { errors: [{ path: 'password' }] } });
  expect((await signInWith(server, person.email, person.password)).status).toBe(401);

  // The person who reads the mailbox sets a password of their own. That enables the account without the stranger's
  // password.
  const [link = ''] = await issuePasswordLinks(server.db, server.url, [{ userId: person.id, invitationId: null }]);
  const reset = new URLSearchParams(new URL(link).hash.slice(1)).get('access_token') ?? '';
  expect((await post(server, setPassword, { token: reset, newPassword: 'Owner-Power-1' })).status).toBe(200);
  expect(await confirm(token, person.password)).toMatchObject(unusable);
  expect((await signInWith(server, person.email, person.password)).status).toBe(401);
  expect((await signInWith(server, person.email, 'Owner-Power-1')).status).toBe(200);
});

test('AUTH-07 AUTH-56 a link that was altered, forged or is older than 24 hours confirms nothing', async () => {
  const person = await buildRegistration(server);
  const token = await tokenInMail(person.email);
  const forge = (key: string | Buffer, expires: string, audience = 'confirmation') =>
    new SignJWT({ email: person.email })
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience(audience)
      .setExpirationTime(expires)
      .sign(typeof key === 'string' ? new TextEncoder().encode(key) : key);
  const { secrets, sessionKeys } = server.app;
  const key = keyFor(secrets, 'confirmation');
  for (const unusableToken of [
    `${token.slice(0, -4)}AAAA`,
    await forge('another secret of more than thirty-two characters', '1 hour'),
    await forge(key, '1 second ago'),
    await forge(key, '1 hour', 'unsubscribe'),
    // Neither the instance's secret itself nor the key of another purpose works.
    await forge(secrets[0], '1 hour'),
    await forge(sessionKeys[0], '1 hour'),
    await forge(keyFor(secrets, 'unsubscribe'), '1 hour'),
    'no-token',
  ]) {
    expect(await confirm(unusableToken, person.password)).toMatchObject(unusable);
  }
  expect((await signInWith(server, person.email, person.password)).status).toBe(401);
  const { exp, iat } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  expect(exp - iat).toBe(24 * 3600);
  expect((await confirm(await forge(key, '1 hour'), person.password)).status).toBe(200);
});

test('AUTH-56 of two confirmations at once one enables the account', async () => {
  const person = await buildRegistration(server);
  const token = await tokenInMail(person.email);
  const both = await Promise.all([confirm(token, person.password), confirm(token, person.password)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404]);
});

test('AUTH-07 a sign-in with the right password of an unconfirmed account is refused like a wrong one, and sends a fresh link', async () => {
  const person = await buildRegistration(server);
  const stranger = await signInWith(server, person.email, 'not-it');
  await jobsAreDone(server.db, 'refused-sign-in');
  await jobsAreDone(server.db, 'account-mail');
  expect(await mailsTo(server.db, person.email)).toHaveLength(1);

  for (let time = 0; time < 5; time += 1) {
    const early = await signInWith(server, person.email, person.password);
    expect(early).toMatchObject({ status: 401, cookie: '', body: { detail: 'Invalid email or password.' } });
    expect({ ...early.body, instance: '' }).toEqual({ ...stranger.body, instance: '' });
  }
  await jobsAreDone(server.db, 'refused-sign-in');
  await jobsAreDone(server.db, 'account-mail');
  const mails = await mailsTo(server.db, person.email);
  expect(mails.map(({ kind }) => kind)).toEqual(Array(4).fill('confirm_email'));
  expect((await confirm(await tokenInMail(person.email), person.password)).status).toBe(200);
});

test('AUTH-13 the server refuses a sign-up password of 5 characters and takes one of 6', async () => {
  const visitor = await server.as(null);
  const short = await visitor.refused(register, { body: registrationOf({ password: '12345' }) });
  expect(short.problem).toMatchObject({
    status: 422,
    errors: [{ path: 'password', message: 'Password must be at least 6 characters long' }],
  });
  await visitor.call(register, { body: registrationOf({ password: 'turbin' }) });
});

test('AUTH-11 the server refuses a registration that leaves a field empty', async () => {
  const visitor = await server.as(null);
  for (const empty of [{ firstName: ' ' }, { lastName: '' }, { email: '' }, { password: '' }, { trackType: null }]) {
    const { status, problem } = await visitor.refused(register, { body: registrationOf(empty) });
    expect([status, ...(problem.errors ?? []).map(({ path }) => path)]).toEqual([422, ...Object.keys(empty)]);
  }
});

test('AUTH-16 AUTH-17 choosing coach or admin makes a participant with a request, and no track', async () => {
  const visitor = await server.as(null);
  for (const requestedRole of ['coach', 'admin'] as const) {
    const body = registrationOf({ requestedRole, trackType: 'fellowship' });
    await visitor.call(register, { body });
    expect(await profileOf(body.email)).toMatchObject({ role: 'participant', requestedRole, trackType: null });
    const metadata = server.db.selectFrom('auth.user').select(['requestedRole', 'trackType']);
    const kept = await metadata.where('email', '=', body.email).execute();
    expect(kept).toEqual([{ requestedRole, trackType: null }]);
  }
});

test('AUTH-17 an operator who switched self-chosen roles on gets them granted at once', async () => {
  const open = await openTestApp(server.connectionString, { SELF_ASSIGNED_ROLES: '1' });
  const body = registrationOf({ requestedRole: 'coach', trackType: null });
  await registerBy(open, body);
  const higher = registrationOf({ requestedRole: 'admin', trackType: null });
  await registerBy(open, higher);
  await open.close();
  expect(await profileOf(body.email)).toMatchObject({ role: 'coach', requestedRole: null });
  // Nobody makes themself an admin.
  expect(await profileOf(higher.email)).toMatchObject({ role: 'participant', requestedRole: 'admin' });
  // The name that they typed could carry a message to the owner of the address. So the mail leaves it out.
  for (const { email, firstName } of [body, higher]) {
    const [mail] = await mailsTo(server.db, email);
    expect(mail?.kind).toBe('confirm_email');
    expect(mail?.textBody).not.toContain(firstName);
  }
});

test('AUTH-17 SEC-03 fields that a sign-up smuggles in change nothing', async () => {
  const body = registrationOf();
  const smuggled = { role: 'admin', id: '00000000-0000-7000-8000-000000000001', emailVerified: true, banned: false };
  const answer = await registerBy(server, { ...body, ...smuggled });
  expect(answer.status).toBe(200);
  const profile = await profileOf(body.email);
  expect(profile).toMatchObject({ role: 'participant', requestedRole: null });
  expect(profile?.id).not.toBe(smuggled.id);
  expect((await signInWith(server, body.email, body.password)).body.code).toBe('not_authenticated');
});

test('an account whose confirmation mail could not be written does not exist', async () => {
  await sql`alter table deliveries add constraint no_mail check (kind <> 'confirm_email') not valid`.execute(server.db);
  const body = registrationOf();
  const { status } = await registerBy(server, body);
  await sql`alter table deliveries drop constraint no_mail`.execute(server.db);
  expect(status).toBe(500);
  expect(await profileOf(body.email)).toBeUndefined();
  expect((await registerBy(server, body)).status).toBe(200);
  expect(await profileOf(body.email)).toBeDefined();
});

test('a second registration of an address gets the same answer, changes nothing and tells its owner by mail', async () => {
  const person = { email: 'owner@people.example', password: 'Power-Up-1', role: 'coach' as const, trackType: null };
  const id = await createSignInWithPassword(server.db, { ...person, firstName: 'Sam', lastName: 'Sol' });
  const fresh = await registerBy(server, registrationOf());
  const again = await registerBy(
    server,
    registrationOf({ email: person.email.toUpperCase(), password: 'other-secret' }),
  );
  expect(again.status).toBe(fresh.status);
  const [first, second] = [fresh, again].map(({ body }) => Registered.parse(body).user);
  expect(Object.keys(second ?? {})).toEqual(Object.keys(first ?? {}));
  expect(second?.email).toBe(person.email);
  expect(await profileOf(person.email)).toMatchObject({ id, role: 'coach', firstName: 'Sam' });
  expect((await signInWith(server, person.email, person.password)).status).toBe(200);
  expect(await mailsTo(server.db, person.email)).toMatchObject([{ kind: 'already_registered' }]);
});

test('a person who registers a known address again and again sends its owner three mails an hour, and five a day', async () => {
  const person = { email: 'mailed@people.example', password: 'Power-Up-1', role: 'coach' as const, trackType: null };
  await createSignInWithPassword(server.db, { ...person, firstName: 'Sam', lastName: 'Sol' });
  const passAnHour = () =>
    sql`update auth.rate_limit set window_ends_at = now() where key = ${`already-registered:${person.email}`}`.execute(
      server.db,
    );
  const counts: number[] = [];
  for (let hour = 0; hour < 3; hour += 1) {
    for (let index = 0; index < 4; index += 1) await registerBy(server, registrationOf({ email: person.email }));
    counts.push((await mailsTo(server.db, person.email)).length);
    await passAnHour();
  }
  expect(counts).toEqual([3, 5, 5]);
});

test('AUTH-58 the confirmation is sent again, with the same answer for an address nobody has', async () => {
  const person = await buildRegistration(server);
  const visitor = await server.as(null);
  const known = await visitor.call(resendConfirmation, { body: { email: person.email } });
  const unknown = await visitor.call(resendConfirmation, { body: { email: 'nobody@people.example' } });
  expect(known).toEqual(unknown);
  await jobsAreDone(server.db, 'account-mail');
  expect(await mailsTo(server.db, person.email)).toHaveLength(2);
  expect(await mailsTo(server.db, 'nobody@people.example')).toHaveLength(0);
  expect((await confirm(await tokenInMail(person.email), person.password)).status).toBe(200);
});

test('a second registration of an unconfirmed address changes nothing and sends the link again', async () => {
  const person = await buildRegistration(server, { requestedRole: 'coach', trackType: null });
  await buildRegistration(server, { email: person.email, firstName: 'Other', password: 'another-turbine' });
  expect(await profileOf(person.email)).toMatchObject({ id: person.id, firstName: 'Robin', requestedRole: 'coach' });
  expect(await mailsTo(server.db, person.email)).toMatchObject([{ kind: 'confirm_email' }, { kind: 'confirm_email' }]);
  expect((await confirm(await tokenInMail(person.email), 'another-turbine')).status).toBe(422);
  expect((await confirm(await tokenInMail(person.email), person.password)).status).toBe(200);
});

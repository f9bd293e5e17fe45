import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { changePassword, readSession } from '#contract/accounts.ts';
import { register } from '#contract/registration.ts';
import { checkMailSignIn, requestMailSignIn, signInByMailCode, signInByMailLink } from '#contract/sign-in-ways.ts';
import { createSignInWithPassword, removeSignIn } from '#server/sign-in/sign-ins.ts';
import { buildPerson } from '#test/factories/people.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { linkInMail, mailsTo, sessionOf, signInWith } from '#test/support/sign-in.ts';
import { confirmSecondFactor, post } from '#test/support/sign-in-ways.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ SIGN_IN_BY_MAIL: '1' });
  await server.runJobs();
});
afterAll(() => server.close());

/** Asks for the mail and returns what it holds. */
async function askForMail(email: string, ask = () => post(server, requestMailSignIn, { email })) {
  const before = (await mailsTo(server.db, email)).length;
  expect((await ask()).status).toBe(200);
  await vi.waitFor(async () => expect(await mailsTo(server.db, email)).toHaveLength(before + 1));
  const [mail] = await mailsTo(server.db, email);
  const link = await linkInMail(server.db, email);
  const code = /\b\d{6}\b/.exec(mail?.textBody ?? '')?.[0] ?? '';
  return { link, code, token: new URLSearchParams(link.hash.slice(1)).get('token') ?? '' };
}

async function refusal(answer: Response) {
  return { ...(await problemOf(answer)), status: answer.status };
}

test('AUTH-55 AUTH-56 a mailed link signs in once, after a press of a button, and is kept as a hash only', async () => {
  const person = await buildPerson(server.db);
  const { link, token, code } = await askForMail(person.email);
  expect(link.origin + link.pathname).toBe(`${server.app.config.publicUrl}/login/mail`);

  const kept = await server.db.selectFrom('auth.verification').selectAll().execute();
  expect(JSON.stringify(kept)).not.toContain(token.split('.')[1]);
  expect(JSON.stringify(kept)).not.toContain(code);

  // A mail scanner does this: it opens the page, and may even ask whose link it is.
  expect((await fetch(`${server.url}${link.pathname}`)).headers.getSetCookie()).toEqual([]);
  const check = await post(server, checkMailSignIn, { token });
  expect(await check.json()).toEqual({ email: person.email });

  const answer = await post(server, signInByMailLink, { token });
  expect(answer.status).toBe(200);
  expect((await sessionOf(server, { cookie: answer.cookie })).user?.id).toBe(person.id);

  expect(await refusal(await post(server, signInByMailLink, { token }))).toMatchObject({ status: 404 });
  expect(await refusal(await post(server, checkMailSignIn, { token }))).toMatchObject({ status: 404 });
  const codeAfterLink = await post(server, signInByMailCode, { email: person.email, code });
  expect(await refusal(codeAfterLink)).toMatchObject({ status: 404, code: 'not_found' });
});

test('a mailed link leads back to the page of ours that was asked for, and to no other site', async () => {
  const { email } = await buildPerson(server.db);
  const next = '/calendar?week=5&view=month';
  const { link } = await askForMail(email, () => post(server, requestMailSignIn, { email, next }));
  expect([link.origin, link.pathname]).toEqual([server.app.config.publicUrl, '/login/mail']);
  expect([...link.searchParams]).toEqual([['next', next]]);
  for (const foreign of ['https://elsewhere.example/', '//elsewhere.example', '/\\elsewhere.example', 'calendar']) {
    expect(await refusal(await post(server, requestMailSignIn, { email, next: foreign }))).toMatchObject({
      status: 422,
    });
  }
});

test('AUTH-55 AUTH-56 a mailed code signs in once, only with its own address', async () => {
  const person = await buildPerson(server.db);
  const other = await buildPerson(server.db);
  const { code } = await askForMail(person.email);
  expect((await post(server, signInByMailCode, { email: other.email, code })).status).toBe(404);
  const wrong = code === '000000' ? '000001' : '000000';
  expect((await post(server, signInByMailCode, { email: person.email, code: wrong })).status).toBe(404);

  const answers = await Promise.all([1, 2].map(() => post(server, signInByMailCode, { email: person.email, code })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  const cookie = answers.find(({ status }) => status === 200)?.cookie ?? '';
  expect((await sessionOf(server, { cookie })).user?.id).toBe(person.id);
});

test('AUTH-56 link and code end after 10 minutes, and with the next mail', async () => {
  const person = await buildPerson(server.db);
  const first = await askForMail(person.email);
  const second = await askForMail(person.email);
  expect((await post(server, signInByMailLink, { token: first.token })).status).toBe(404);

  const left = await sql<{ seconds: number }>`
    select extract(epoch from expires_at - now())::float as seconds from auth.verification
    where identifier = ${`mail-sign-in:${person.id}`}`.execute(server.db);
  expect(left.rows).toHaveLength(1);
  expect(left.rows[0]?.seconds).toBeGreaterThan(560);
  expect(left.rows[0]?.seconds).toBeLessThanOrEqual(600);
  await sql`update auth.verification set expires_at = now() where identifier = ${`mail-sign-in:${person.id}`}`.execute(
    server.db,
  );
  expect((await post(server, signInByMailLink, { token: second.token })).status).toBe(404);
  expect((await post(server, signInByMailCode, { email: person.email, code: second.code })).status).toBe(404);
});

test('an unknown address gets the same answer, no mail and no account', async () => {
  const person = await buildPerson(server.db);
  const known = await post(server, requestMailSignIn, { email: person.email });
  const unknown = await post(server, requestMailSignIn, { email: 'nobody@people.example' });
  expect([unknown.status, await unknown.json()]).toEqual([known.status, await known.json()]);
  // Jobs run in their order. When a later one is done, this one is done too.
  await askForMail((await buildPerson(server.db)).email);
  expect(await mailsTo(server.db, 'nobody@people.example')).toEqual([]);
  const made = await server.db
    .selectFrom('auth.user')
    .select('id')
    .where('email', '=', 'nobody@people.example')
    .execute();
  expect(made).toEqual([]);
  const guess = await post(server, signInByMailCode, { email: 'nobody@people.example', code: '123456' });
  const wrong = await post(server, signInByMailCode, { email: person.email, code: '123456' });
  expect({ ...(await refusal(guess)), instance: '' }).toEqual({ ...(await refusal(wrong)), instance: '' });
});

test('AUTH-55 mails are limited by account and address, tries of codes too; the owner elsewhere still comes in', async () => {
  const strict = await openTestApp(server.connectionString, { SIGN_IN_BY_MAIL: '1', RATE_LIMIT_FACTOR: '1' });
  const { email } = await buildPerson(server.db);
  for (let mail = 0; mail < 5; mail += 1) {
    expect((await post(strict, requestMailSignIn, { email })).status).toBe(200);
    await vi.waitFor(async () => expect(await mailsTo(server.db, email)).toHaveLength(mail + 1));
  }
  const sixth = await post(strict, requestMailSignIn, { email });
  expect(await refusal(sixth)).toMatchObject({ status: 429, code: 'too_many_requests' });
  expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(500);

  for (let code = 0; code < 5; code += 1) {
    expect((await post(strict, signInByMailCode, { email, code: `00000${code}` })).status).toBe(404);
  }
  const late = await post(strict, signInByMailCode, { email, code: '000009' });
  expect(late.status).toBe(429);
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(500);

  const owner = { 'x-forwarded-for': '198.51.100.4' };
  const { code } = await askForMail(email, () => post(strict, requestMailSignIn, { email }, owner));
  expect((await post(strict, signInByMailCode, { email, code })).status).toBe(429);
  expect((await post(strict, signInByMailCode, { email, code }, owner)).status).toBe(200);
  await strict.close();
});

test('AUTH-56 AUTH-17 opening the mail confirms the mailbox; a password from before goes, a role stays a request', async () => {
  const email = 'unconfirmed@people.example';
  await (await server.as(null)).call(register, {
    body: {
      firstName: 'Uma',
      lastName: 'Un',
      email,
      password: 'strangers-secret-9',
      requestedRole: 'coach',
      trackType: null,
    },
  });
  const { token } = await askForMail(email);
  const answer = await post(server, signInByMailLink, { token });
  expect(await answer.json()).toEqual({ done: true, isPasswordRemoved: true });
  const { user } = await sessionOf(server, { cookie: answer.cookie });
  expect(user).toMatchObject({ email, role: 'participant', requestedRole: 'coach' });
  expect((await signInWith(server, email, 'strangers-secret-9')).status).toBe(401);
});

test('a confirmed account keeps its password', async () => {
  const email = 'confirmed@people.example';
  const password = 'Power-Up-1';
  const person = { email, password, firstName: 'Con', lastName: 'Firmed', role: 'coach' as const, trackType: null };
  await createSignInWithPassword(server.db, person);
  const { code } = await askForMail(email);
  const answer = await post(server, signInByMailCode, { email, code });
  expect(await answer.json()).toEqual({ done: true, isPasswordRemoved: false });
  expect((await signInWith(server, email, password)).status).toBe(200);
});

test('link and code give no access to somebody with a second factor', async () => {
  const person = await buildPerson(server.db);
  await confirmSecondFactor(server.db, person.id);
  const { token } = await askForMail(person.email);
  const byLink = await post(server, signInByMailLink, { token });
  const { code } = await askForMail(person.email);
  const byCode = await post(server, signInByMailCode, { email: person.email, code });
  for (const { status, cookie } of [byLink, byCode]) {
    expect(status).toBe(200);
    expect((await sessionOf(server, { cookie })).user).toBeNull();
    const own = { method: 'POST', headers: { cookie, 'content-type': 'application/json' }, body: '{}' };
    expect((await fetch(`${server.url}${changePassword.path}`, own)).status).toBe(401);
  }
});

test('a mailed link starts a new session, also where one was planted before', async () => {
  const person = await buildPerson(server.db);
  const { token } = await askForMail(person.email);
  const stranger = await server.as(await buildPerson(server.db));
  const answer = await post(server, signInByMailLink, { token }, { cookie: stranger.cookie });
  expect(answer.cookie).not.toBe(stranger.cookie);
  expect((await sessionOf(server, { cookie: stranger.cookie })).user?.id).not.toBe(person.id);
});

test('AUTH-55 mails are limited by the address that asks too', async () => {
  const strict = await openTestApp(server.connectionString, { SIGN_IN_BY_MAIL: '1', RATE_LIMIT_FACTOR: '1' });
  const ask = (count: number, from: string) =>
    post(strict, requestMailSignIn, { email: `many-${count}@people.example` }, { 'x-forwarded-for': from });
  for (let count = 0; count < 60; count += 1) expect((await ask(count, '203.0.113.7')).status).toBe(200);
  const refused = await ask(60, '203.0.113.7');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500);
  expect((await ask(60, '203.0.113.8')).status).toBe(200);
  await strict.close();
});

test('a mailed sign-in dies when the password changes', async () => {
  const email = 'changes@people.example';
  const password = 'Power-Up-1';
  const facts = { email, password, firstName: 'Cha', lastName: 'Nges', role: 'coach' as const, trackType: null };
  const id = await createSignInWithPassword(server.db, facts);
  const { token, code } = await askForMail(email);
  const client = await server.as({ id });
  await client.call(changePassword, { body: { currentPassword: password, newPassword: 'Grid-Tower-77!' } });
  expect((await post(server, signInByMailLink, { token })).status).toBe(404);
  expect((await post(server, signInByMailCode, { email, code })).status).toBe(404);
});

test('a mailed link and a mailed code open nothing once their person is deleted', async () => {
  const { id, email } = await buildPerson(server.db);
  const { token, code } = await askForMail(email);
  await removeSignIn(server.db, id);
  expect((await post(server, checkMailSignIn, { token })).status).toBe(404);
  for (const answer of [
    await post(server, signInByMailCode, { email, code }),
    await post(server, signInByMailLink, { token }),
  ]) {
    expect([answer.status, answer.cookie]).toEqual([404, '']);
  }
});

test('an instance that did not switch it on says so, and offers no button', async () => {
  const off = await openTestApp(server.connectionString, {});
  for (const [endpoint, body] of [
    [requestMailSignIn, { email: 'a@people.example' }],
    [checkMailSignIn, { token: 'a' }],
    [signInByMailLink, { token: 'a' }],
    [signInByMailCode, { email: 'a@people.example', code: '123456' }],
  ] as const) {
    const answer = await refusal(await post(off, endpoint, body));
    expect(answer).toMatchObject({ status: 503, code: 'not_configured' });
    expect(answer.detail).toBe('Signing in by email is not set up here.');
  }
  expect((await (await off.as(null)).call(readSession)).instance.signInProviders).toEqual([]);
  await off.close();
  const { instance } = await (await server.as(null)).call(readSession);
  expect(instance.signInProviders).toEqual([{ id: 'mail', label: 'Email' }]);
});

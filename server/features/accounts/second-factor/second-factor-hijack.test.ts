import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { changePassword, readSession, setPassword } from '#contract/accounts.ts';
import { syncAuthProfiles } from '#contract/documented-functions.ts';
import { continueUpload, createUpload } from '#contract/files.ts';
import { listenLive } from '#contract/live.ts';
import {
  confirmSecondFactor,
  enrolSecondFactor,
  readSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
  verifySecondFactor,
} from '#contract/second-factor.ts';
import { invitePeople } from '#server/sign-in/invitations.ts';
import { issuePasswordLinks } from '#server/sign-in/password-links.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { type StoppedClock, stopClock } from '#test/support/clock.ts';
import { readContract } from '#test/support/contract.ts';
import {
  type CookieBrowser,
  codeFor,
  createProtected,
  openBrowser,
  signInAs,
  wrongCodeFor,
} from '#test/support/second-factor.ts';
import { linkInMail, signInWith } from '#test/support/sign-in.ts';
import { tusHeaders } from '#test/support/uploads.ts';

const contract = await readContract();

let server: TestApp;
let clock: StoppedClock;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());
beforeEach(() => {
  clock = stopClock();
});
afterEach(() => clock.restore());

/** Makes a session as every way of signing in does: only the row counts. */
async function openSessionRow(personId: string): Promise<Record<string, string>> {
  const { cookie } = await server.as({ id: personId });
  return { cookie };
}

async function resetTokenOf(userId: string): Promise<string> {
  const [link = ''] = await issuePasswordLinks(server.db, 'http://host', [{ userId, invitationId: null }]);
  return tokenIn(new URL(link));
}

async function invitationTokenOf({ id, email }: { id: string; email: string }): Promise<string> {
  await invitePeople(server.db, [{ userId: id, email, firstName: 'Sam' }], null, server.app);
  return tokenIn(await linkInMail(server.db, email));
}

function tokenIn({ hash }: URL): string {
  return new URLSearchParams(hash.slice(1)).get('access_token') ?? '';
}

function headersOf({ cookies }: CookieBrowser): Record<string, string> {
  return { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
}

function request(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}${path.replace(/:\w+/g, '00000000-0000-7000-8000-000000000000')}`, init);
}

test('before the second factor, every endpoint that needs somebody refuses, whichever way the session began', async () => {
  const { person } = await createProtected(server, 'admin');
  const bearer = (await signInWith(server, person.email, person.password)).bearer;
  const ways = {
    password: headersOf(await signInAs(server, person)),
    'session row': await openSessionRow(person.id),
    bearer: { authorization: `Bearer ${bearer}` },
  };
  const guarded = contract.filter(({ access }) => !['public', 'signed', 'pending'].includes(access));
  expect(guarded.length).toBeGreaterThan(40);
  for (const [way, headers] of Object.entries(ways)) {
    for (const { name, method, path, body } of guarded) {
      const answer = await request(path, {
        method,
        headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
        body: body ? '{}' : undefined,
      });
      expect(answer.status, `${name} by ${way}`).toBe(401);
    }
    const session = await (await request(readSession.path, { headers })).json();
    expect(session, way).toMatchObject({ user: null, awaitsSecondFactor: true, unreadMessages: 0, unreadNotices: 0 });
  }
});

test('before the second factor, no upload begins or goes on, no live news come, no function answers', async () => {
  const { person } = await createProtected(server, 'admin');
  const headers = headersOf(await signInAs(server, person));
  const upload = { ...headers, ...tusHeaders };
  const metadata = `filename ${btoa('a.pdf')},area ${btoa('resources')}`;
  const created = await request(createUpload.path, {
    method: 'POST',
    headers: { ...upload, 'upload-length': '3', 'upload-metadata': metadata },
  });
  expect(created.status).toBe(401);
  expect((await request(continueUpload.path, { method: 'HEAD', headers: upload })).status).toBe(401);
  const patched = await request(continueUpload.path, {
    method: 'PATCH',
    headers: { ...upload, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: 'abc',
  });
  expect(patched.status).toBe(401);
  expect((await request(listenLive.path, { headers })).status).toBe(401);

  const { bearer } = await signInWith(server, person.email, person.password);
  const called = await request(syncAuthProfiles.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(called.status).toBe(401);
});

test('a bearer client completes its sign-in by a code and goes on with the token that it is given', async () => {
  const { person, secret } = await createProtected(server, 'admin');
  const { bearer } = await signInWith(server, person.email, person.password);
  const post = (path: string, token: string | null, body: object) =>
    request(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const given = { kind: 'code', code: codeFor(secret) };
  const verified = await post(verifySecondFactor.path, bearer, { given });
  expect(verified.status).toBe(200);
  const raised = verified.headers.get('set-auth-token');
  expect((await post(syncAuthProfiles.path, raised, {})).status).toBe(200);
  expect((await post(syncAuthProfiles.path, bearer, {})).status).toBe(401);
});

test('a person who has not given the second factor can neither replace nor remove it, nor change the password', async () => {
  const { person, browser: owner, secret, recoveryCodes } = await createProtected(server, 'admin');
  const thief = await signInAs(server, person);
  const given = { kind: 'code' as const, code: codeFor(secret) };
  const newPassword = 'Stolen-Away-1';
  const refusals = [
    await thief.refused(readSecondFactor),
    await thief.refused(enrolSecondFactor, {}),
    await thief.refused(confirmSecondFactor, { body: { code: given.code } }),
    await thief.refused(renewRecoveryCodes, {}),
    await thief.refused(turnOffSecondFactor, { body: { given } }),
    await thief.refused(changePassword, { body: { currentPassword: person.password, newPassword } }),
  ];
  expect(refusals.map(({ code }) => code)).toEqual(Array.from({ length: 6 }, () => 'not_authenticated'));
  expect(await owner.call(readSecondFactor)).toMatchObject({ recoveryCodesLeft: recoveryCodes.length });
  await signInAs(server, person);
});

test.each(['reset', 'invitation'] as const)(
  'a mailed link (%s) begins no session and leaves the second factor, also where the device was remembered',
  async (kind) => {
    const { person, secret } = await createProtected(server, 'admin');
    const device = await signInAs(server, person);
    const given = { kind: 'code' as const, code: codeFor(secret) };
    await device.call(verifySecondFactor, { body: { given, isDeviceRemembered: true } });
    const token = kind === 'reset' ? await resetTokenOf(person.id) : await invitationTokenOf(person);
    const thief = openBrowser(server);
    await thief.call(setPassword, { body: { token, newPassword: 'Stolen-Away-1' } });
    expect(await thief.call(readSession)).toMatchObject({ user: null, awaitsSecondFactor: false });
    for (const browser of [thief, device]) {
      await signInAs(server, { ...person, password: 'Stolen-Away-1' }, browser);
      expect(await browser.call(readSession)).toMatchObject({ user: null, awaitsSecondFactor: true });
      expect((await browser.refused(readSecondFactor)).code).toBe('not_authenticated');
    }
  },
);

test("another person's code, recovery code and remembered device open nothing", async () => {
  const mine = await createProtected(server, 'admin');
  const theirs = await createProtected(server, 'admin');
  const thief = await signInAs(server, mine.person);
  const code = await thief.refused(verifySecondFactor, {
    body: { given: { kind: 'code', code: codeFor(theirs.secret) } },
  });
  expect(code.code).toBe('invalid_input');
  const recovery = await thief.refused(verifySecondFactor, {
    body: { given: { kind: 'recovery_code', code: theirs.recoveryCodes[0] ?? '' } },
  });
  expect(recovery.code).toBe('invalid_input');

  const device = await signInAs(server, theirs.person);
  const given = { kind: 'code' as const, code: codeFor(theirs.secret) };
  await device.call(verifySecondFactor, { body: { given, isDeviceRemembered: true } });
  await signInAs(server, mine.person, device);
  expect(await device.call(readSession)).toMatchObject({ user: null, awaitsSecondFactor: true });
  await signInAs(server, theirs.person, device);
  expect(await device.call(readSession)).toMatchObject({ user: { id: theirs.person.id } });
});

test('a device cookie that was copied or planted before the device was remembered opens nothing', async () => {
  const { person, secret } = await createProtected(server, 'admin');
  const owner = await signInAs(server, person);
  const copied = owner.cookies.get('switchyard.device') ?? '';
  expect(copied).toMatch(/^[\w-]{43}$/);
  const given = { kind: 'code' as const, code: codeFor(secret) };
  await owner.call(verifySecondFactor, { body: { given, isDeviceRemembered: true } });
  expect(owner.cookies.get('switchyard.device')).not.toBe(copied);
  const thief = openBrowser(server);
  thief.cookies.set('switchyard.device', copied);
  await signInAs(server, person, thief);
  expect(await thief.call(readSession)).toMatchObject({ user: null, awaitsSecondFactor: true });

  const planted = openBrowser(server);
  for (const value of ['planted', '%00', 'a%0d%0aX', 'a;b']) {
    planted.cookies.set('switchyard.device', value);
    await signInAs(server, person, planted);
    expect(planted.cookies.get('switchyard.device')).toMatch(/^[\w-]{43}$/);
  }
});

test('a stolen device cookie is no session, and a session row of another device gains nothing by it', async () => {
  const { person, secret } = await createProtected(server, 'admin');
  const owner = await signInAs(server, person);
  const given = { kind: 'code' as const, code: codeFor(secret) };
  await owner.call(verifySecondFactor, { body: { given, isDeviceRemembered: true } });
  const stolen = openBrowser(server);
  stolen.cookies.set('switchyard.device', owner.cookies.get('switchyard.device') ?? '');
  expect(await stolen.call(readSession)).toMatchObject({ user: null, awaitsSecondFactor: false });
  expect((await stolen.refused(readSecondFactor)).code).toBe('not_authenticated');
  const { cookie = '' } = await openSessionRow(person.id);
  const both = { cookie: `${cookie}; switchyard.device=${owner.cookies.get('switchyard.device')}` };
  expect((await request(readSecondFactor.path, { headers: both })).status).toBe(401);
});

test('nobody whose sign-in is complete, and nobody signed out, may use the step for the second factor', async () => {
  const { browser: owner, secret } = await createProtected(server, 'admin');
  const body = { given: { kind: 'code' as const, code: codeFor(secret) } };
  expect((await owner.refused(verifySecondFactor, { body })).code).toBe('not_authenticated');
  expect((await openBrowser(server).refused(verifySecondFactor, { body })).code).toBe('not_authenticated');
});

test('a session that ran out or was ended while it waited opens nothing with the right code', async () => {
  const { person, secret } = await createProtected(server, 'admin');
  const given = { kind: 'code' as const, code: codeFor(secret) };
  const waiting = await signInAs(server, person);
  await sql`update auth.session set expires_at = now() - interval '1 second'
    where user_id = ${person.id} and assurance_level = 'aal1'`.execute(server.db);
  expect((await waiting.refused(verifySecondFactor, { body: { given } })).status).toBe(401);
  const deleted = await signInAs(server, person);
  await server.db.updateTable('profiles').set({ deletedAt: new Date() }).where('id', '=', person.id).execute();
  expect((await deleted.refused(verifySecondFactor, { body: { given } })).status).toBe(401);
});

test('wrong codes are limited at an address over all sessions and two processes; the owner elsewhere still comes in', async () => {
  const { person, secret } = await createProtected(server, 'admin');
  const env = { DATA_DIR: server.app.config.dataDir, RATE_LIMIT_FACTOR: '1' };
  const first = await openTestApp(server.connectionString, env);
  const second = await openTestApp(server.connectionString, env);
  try {
    for (let tried = 0; tried < 5; tried += 1) {
      const thief = await signInAs(server, person, openBrowser(tried % 2 === 0 ? first : second));
      const body = { given: { kind: 'code' as const, code: wrongCodeFor(secret) } };
      expect((await thief.refused(verifySecondFactor, { body })).code).toBe('invalid_input');
    }
    const thief = await signInAs(second, person);
    const right = { given: { kind: 'code' as const, code: codeFor(secret) } };
    const refusal = await thief.refused(verifySecondFactor, { body: right });
    expect(refusal).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect(Number(refusal.retryAfter)).toBeGreaterThan(0);
    expect(Number(refusal.retryAfter)).toBeLessThanOrEqual(900);
    const recovery = await thief.refused(verifySecondFactor, {
      body: { given: { kind: 'recovery_code', code: 'aaaa-aaaa-aaaa' } },
    });
    expect(recovery.code).toBe('too_many_requests');

    const owner = await signInAs(second, person, openBrowser(second, { 'x-forwarded-for': '198.51.100.4' }));
    await owner.call(verifySecondFactor, { body: right });
    expect((await thief.refused(verifySecondFactor, { body: right })).code).toBe('too_many_requests');
  } finally {
    await first.close();
    await second.close();
  }
});

test('wrong codes from ever other addresses have an end for the person', async () => {
  const strict = await openTestApp(server.connectionString, {
    DATA_DIR: server.app.config.dataDir,
    RATE_LIMIT_FACTOR: '0.05',
  });
  try {
    const { person, secret } = await createProtected(server, 'admin');
    await sql`delete from auth.rate_limit`.execute(server.db);
    const { cookies } = await signInAs(server, person);
    const statuses: number[] = [];
    for (let host = 1; host <= 4; host += 1) {
      const thief = openBrowser(strict, { 'x-forwarded-for': `198.51.100.${host}` });
      for (const [name, value] of cookies) thief.cookies.set(name, value);
      const body = { given: { kind: 'code' as const, code: wrongCodeFor(secret) } };
      statuses.push((await thief.refused(verifySecondFactor, { body })).status);
    }
    expect(statuses).toEqual([422, 422, 422, 429]);
  } finally {
    await strict.close();
  }
});
test('codes are limited for an address too, no matter who is tried', async () => {
  const strict = await openTestApp(server.connectionString, {
    DATA_DIR: server.app.config.dataDir,
    RATE_LIMIT_FACTOR: '0.05',
  });
  try {
    await sql`delete from auth.rate_limit`.execute(server.db);
    const statuses: number[] = [];
    for (let tried = 0; tried < 4; tried += 1) {
      const { person, secret } = await createProtected(server, 'admin');
      const { cookies } = await signInAs(server, person);
      const thief = openBrowser(strict);
      for (const [name, value] of cookies) thief.cookies.set(name, value);
      const body = { given: { kind: 'code' as const, code: wrongCodeFor(secret) } };
      statuses.push((await thief.refused(verifySecondFactor, { body })).status);
    }
    // This factor allows three tries from one address. The codes that set the factors up count too.
    expect(statuses).toEqual([422, 429, 429, 429]);
  } finally {
    await strict.close();
  }
});

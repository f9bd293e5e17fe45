import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changePassword, readSession, signOut } from '#contract/accounts.ts';
import { createUpload } from '#contract/files.ts';
import {
  changeSignInPolicy,
  readSecondFactor,
  readSignInPolicy,
  removeSecondFactor,
  type SecondFactorRole,
  turnOffSecondFactor,
} from '#contract/second-factor.ts';
import { accessList } from '#server/platform/serve.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { readContract } from '#test/support/contract.ts';
import { type CookieBrowser, codeFor, createPerson, setUpSecondFactor, signInAs } from '#test/support/second-factor.ts';
import { mailsTo } from '#test/support/sign-in.ts';
import { tusHeaders } from '#test/support/uploads.ts';

let server: TestApp;
let admin: CookieBrowser;
let adminId: string;
let restoreClock: () => void;
beforeAll(async () => {
  restoreClock = stopClockAt(new Date().toISOString());
  server = await startTestApp();
  const person = await createPerson(server, 'admin');
  adminId = person.id;
  admin = await signInAs(server, person);
  await setUpSecondFactor(admin);
});
afterAll(async () => {
  restoreClock();
  await server.close();
});
beforeEach(() => demandOf([]));

async function demandOf(secondFactorRoles: SecondFactorRole[]) {
  const { secondFactorRoles: seen } = await admin.call(readSignInPolicy);
  return admin.call(changeSignInPolicy, { body: { secondFactorRoles, seen } });
}

test('of two admins who looked at the same rule the second does not undo what the first one saved', async () => {
  await demandOf(['admin']);
  const late = { secondFactorRoles: ['coach' as const], seen: [] };
  expect((await admin.refused(changeSignInPolicy, { body: late })).code).toBe('stale');
  expect((await admin.call(readSignInPolicy)).secondFactorRoles).toEqual(['admin']);
});

test('an admin says which roles must have a second factor, and it is written down', async () => {
  const before = await admin.call(readSignInPolicy);
  expect(before.secondFactorRoles).toEqual([]);
  const coach = await signInAs(server, await createPerson(server, 'coach'));
  const after = await demandOf(['coach', 'admin']);
  expect(after.secondFactorRoles).toEqual(['admin', 'coach']);
  expect(after.without).toEqual({ coach: before.without.coach + 1, admin: before.without.admin });
  const [entry] = await server.db
    .selectFrom('auditLog')
    .select(['actorId', 'before', 'after'])
    .where('action', '=', 'sign_in_policy.change')
    .orderBy('id', 'desc')
    .execute();
  expect(entry).toMatchObject({
    actorId: adminId,
    before: { secondFactorRoles: [] },
    after: { secondFactorRoles: ['admin', 'coach'] },
  });
  await setUpSecondFactor(coach);
  expect((await admin.call(readSignInPolicy)).without.coach).toBe(before.without.coach);
});

test('a person whom it concerns can do nothing but set it up, then everything; nobody is locked out', async () => {
  const person = await createPerson(server, 'coach');
  const coach = await signInAs(server, person);
  expect(await coach.call(readSession)).toMatchObject({ mustSetUpSecondFactor: false });
  await demandOf(['coach']);
  expect(await coach.call(readSession)).toMatchObject({ user: { id: person.id }, mustSetUpSecondFactor: true });

  const closed = (await readContract()).filter(
    ({ access }) => !['public', 'signed', 'pending', 'account.own', 'password.own'].includes(access),
  );
  const forCoaches = closed.filter((endpoint) => accessList(endpoint).includes('coach'));
  expect(forCoaches.length).toBeGreaterThan(10);
  for (const endpoint of forCoaches) {
    const answer = await coach.send(endpoint, { body: endpoint.body ? {} : undefined });
    expect(await answer.json(), endpoint.name).toMatchObject({ code: 'second_factor_required', status: 403 });
  }
  const upload = await fetch(`${server.url}${createUpload.path}`, {
    method: 'POST',
    headers: {
      ...tusHeaders,
      cookie: `switchyard.session_token=${coach.cookies.get('switchyard.session_token')}`,
      'upload-length': '3',
      'upload-metadata': `filename ${btoa('a.pdf')},area ${btoa('resources')}`,
    },
  });
  expect(upload.status).toBe(403);

  await setUpSecondFactor(coach);
  expect(await coach.call(readSession)).toMatchObject({ mustSetUpSecondFactor: false, assuranceLevel: 'aal2' });
  const [first] = forCoaches.filter(({ method, path }) => method === 'GET' && !path.includes(':'));
  if (!first) throw new Error('Coaches can read nothing.');
  expect([200, 422]).toContain((await coach.send(first)).status);
});

test('it begins with the first sign-in after it, and other roles are left alone', async () => {
  await demandOf(['admin']);
  const coach = await signInAs(server, await createPerson(server, 'coach'));
  expect(await coach.call(readSession)).toMatchObject({ mustSetUpSecondFactor: false });
  const other = await signInAs(server, await createPerson(server, 'admin'));
  expect(await other.call(readSession)).toMatchObject({ mustSetUpSecondFactor: true });
  expect((await other.refused(readSignInPolicy)).code).toBe('second_factor_required');
  expect((await other.refused(changeSignInPolicy, { body: { secondFactorRoles: [], seen: [] } })).code).toBe(
    'second_factor_required',
  );
  const participant = await signInAs(server, await createPerson(server));
  expect(await participant.call(readSession)).toMatchObject({ mustSetUpSecondFactor: false });
});

test('the own password and signing out stay open before the set-up', async () => {
  await demandOf(['coach']);
  const person = await createPerson(server, 'coach');
  const coach = await signInAs(server, person);
  const body = { currentPassword: person.password, newPassword: 'Power-Up-2' };
  expect(await coach.call(changePassword, { body })).toEqual({ done: true });
  await coach.call(signOut, {});
  expect((await coach.call(readSession)).user).toBeNull();
});

test('AUTH-67 while the role must have a second factor, it is not removed', async () => {
  const person = await createPerson(server, 'coach');
  const coach = await signInAs(server, person);
  const { secret } = await setUpSecondFactor(coach);
  await demandOf(['coach']);
  expect(await coach.call(readSecondFactor)).toMatchObject({ isRequired: true });
  const given = { kind: 'code' as const, code: codeFor(secret) };
  expect((await coach.refused(turnOffSecondFactor, { body: { given } })).code).toBe('conflict');
  expect((await coach.call(readSecondFactor)).confirmedAt).not.toBeNull();
  await demandOf([]);
  expect(await coach.call(turnOffSecondFactor, { body: { given } })).toEqual({ done: true });
});

test('an admin lets somebody back in who lost their second factor: it goes, their sessions end, they are told', async () => {
  const person = await createPerson(server, 'coach');
  const coach = await signInAs(server, person);
  await setUpSecondFactor(coach);
  const waiting = await signInAs(server, person);
  expect(await admin.call(removeSecondFactor, { body: { email: ` ${person.email.toUpperCase()}`.trim() } })).toEqual({
    email: person.email,
  });
  expect((await coach.call(readSession)).user).toBeNull();
  expect(await waiting.call(readSession)).toMatchObject({ user: null, awaitsSecondFactor: false });
  const again = await signInAs(server, person);
  expect(await again.call(readSession)).toMatchObject({ user: { id: person.id }, awaitsSecondFactor: false });
  const [mail] = await mailsTo(server.db, person.email);
  expect(mail?.kind).toBe('second_factor_removed');
  const audited = await server.db
    .selectFrom('auditLog')
    .select(['actorId', 'subjectId'])
    .where('action', '=', 'second_factor.remove')
    .execute();
  expect(audited).toEqual([{ actorId: adminId, subjectId: person.id }]);
  const twice = await admin.refused(removeSecondFactor, { body: { email: person.email } });
  expect(twice.code).toBe('not_found');
});

test('an admin does not get rid of the own second factor that way', async () => {
  const own = (await admin.call(readSession)).user?.email ?? '';
  expect((await admin.refused(removeSecondFactor, { body: { email: own } })).code).toBe('not_found');
  expect((await admin.call(readSecondFactor)).confirmedAt).not.toBeNull();
});

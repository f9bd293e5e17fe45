import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFirstAdmin } from '#contract/accounts.ts';
import { createAdminUser, processBulkInvitations, syncAuthProfiles } from '#contract/documented-functions.ts';
import { accountJobs } from '#server/features/accounts/account-jobs.ts';
import { firstAdminToken } from '#server/features/accounts/registration/first-admin.ts';
import { newId } from '#server/platform/ids.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildRegistration } from '#test/factories/registrations.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { createPerson } from '#test/support/second-factor.ts';
import { sessionOf, signInWith } from '#test/support/sign-in.ts';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const newAdmin = { email: 'second@people.example', password: 'turbineq', firstName: 'Nia', lastName: 'Nox' };

test('the first admin of an empty instance is made with the token of its log, once', async () => {
  const visitor = await server.as(null);
  const body = { ...newAdmin, email: 'first@people.example' };
  const token = await firstAdminToken(server.app);
  // Another process prints its own token, and a stranger asks to be an admin where people choose their roles.
  const other = await firstAdminToken(server.app);
  const open = await openTestApp(server.connectionString, { SELF_ASSIGNED_ROLES: '1' });
  const stranger = await buildRegistration(open, { requestedRole: 'admin', trackType: null });
  await open.close();
  const profile = server.db.selectFrom('profiles').select('role').where('id', '=', stranger.id);
  expect(await profile.executeTakeFirst()).toEqual({ role: 'participant' });
  await visitor.refused(createFirstAdmin, { body: { ...body, token: 'guessed' } });
  await visitor.call(createFirstAdmin, { body: { ...body, token: token ?? '' } });
  const { cookie } = await signInWith(server, body.email, body.password);
  expect((await sessionOf(server, { cookie })).user?.role).toBe('admin');
  for (const used of [token, other]) {
    const again = { ...body, email: 'third@people.example', token: used ?? '' };
    expect((await visitor.refused(createFirstAdmin, { body: again })).status).toBe(403);
  }
  expect(await firstAdminToken(server.app)).toBeNull();
});

test('SUPER-05 SUPER-09 an admin makes another who can sign in at once, and it is recorded', async () => {
  const admin = await createPerson(server, 'admin');
  const { bearer } = await signInWith(server, admin.email, admin.password);
  const answer = await fetch(`${server.url}/functions/v1/create-admin-user`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(newAdmin),
  });
  expect([answer.status, await answer.json()]).toEqual([200, { success: true, error: null }]);
  const { cookie } = await signInWith(server, newAdmin.email, newAdmin.password);
  const { user } = await sessionOf(server, { cookie });
  expect(user).toMatchObject({ role: 'admin', firstName: 'Nia', lastName: 'Nox', email: newAdmin.email });
  const noted = await server.db
    .selectFrom('auditLog')
    .selectAll()
    .where('subjectId', '=', user?.id ?? '')
    .execute();
  expect(noted).toMatchObject([{ action: 'admin.create', actorId: admin.id }]);
});

test('SUPER-04 SUPER-10 SEC-08 only an admin may, with 8 characters and every field', async () => {
  const outsiders = [null, await buildParticipant(server.db), await buildCoach(server.db)];
  const body = { ...newAdmin, email: 'refused@people.example' };
  const statuses = [];
  for (const person of outsiders) {
    statuses.push((await (await server.as(person)).refused(createAdminUser, { body })).status);
  }
  expect(statuses).toEqual([401, 403, 403]);
  const client = await server.as(await buildAdmin(server.db));
  for (const bad of [{ password: 'turbine' }, { password: '' }, { firstName: ' ' }, { lastName: '' }, { email: '' }]) {
    expect((await client.refused(createAdminUser, { body: { ...body, ...bad } })).status).toBe(422);
  }
  expect((await signInWith(server, body.email, body.password)).status).toBe(401);
});

test('SUPER-11 an email that has an account is refused, and the account stays as it was', async () => {
  const client = await server.as(await buildAdmin(server.db));
  const coach = await createPerson(server, 'coach');
  const answer = await client.call(createAdminUser, { body: { ...newAdmin, email: coach.email.toUpperCase() } });
  expect(answer).toEqual({ success: false, error: 'A user with this email address has already been registered' });
  const kept = await server.db.selectFrom('profiles').select('role').where('id', '=', coach.id).executeTakeFirst();
  expect(kept?.role).toBe('coach');
  expect((await signInWith(server, coach.email, newAdmin.password)).status).toBe(401);
  expect((await signInWith(server, coach.email, coach.password)).status).toBe(200);
});

test('the missing profiles of sign-ins are made by an admin only', async () => {
  const id = newId();
  const email = 'without-profile@people.example';
  await server.db
    .insertInto('auth.user')
    .values({ id, name: 'Wu Wen', firstName: 'Wu', lastName: 'Wen', email, requestedRole: 'admin' })
    .execute();
  const coach = await server.as(await buildCoach(server.db));
  expect((await coach.refused(syncAuthProfiles)).status).toBe(403);
  const admin = await server.as(await buildAdmin(server.db));
  const first = await admin.call(syncAuthProfiles);
  expect(first).toMatchObject({ success: true, results: { createdProfiles: 1 } });
  expect((await admin.call(syncAuthProfiles)).results.createdProfiles).toBe(0);
  const made = await server.db.selectFrom('profiles').selectAll().where('id', '=', id).executeTakeFirst();
  expect(made).toMatchObject({ email, firstName: 'Wu', role: 'participant', requestedRole: 'admin' });
});

test('the nightly job removes sessions, links and counters that have ended, and no others', async () => {
  const { db } = server;
  const person = await buildParticipant(db);
  const [past, future] = [new Date(Date.now() - 1000), new Date(Date.now() + 60_000)];
  await db.deleteFrom('auth.session').execute();
  await db.deleteFrom('auth.rateLimit').execute();
  for (const [name, at] of [
    ['ended', past],
    ['running', future],
  ] as const) {
    await db.insertInto('auth.session').values({ userId: person.id, token: name, expiresAt: at }).execute();
    await db
      .insertInto('auth.passwordLink')
      .values({ tokenHash: name, userId: person.id, kind: 'reset', expiresAt: at })
      .execute();
    await db
      .insertInto('auth.rateLimit')
      .values({ key: name, count: 1, windowStartedAt: past, windowEndsAt: at })
      .execute();
  }
  const nightly = accountJobs.filter(({ cron }) => cron !== undefined);
  for (const job of nightly) await job.run(server.app, {}, { number: 1, isLast: false });
  expect(await db.selectFrom('auth.session').select('token').execute()).toEqual([{ token: 'running' }]);
  expect(await db.selectFrom('auth.passwordLink').select('tokenHash').execute()).toEqual([{ tokenHash: 'running' }]);
  expect(await db.selectFrom('auth.rateLimit').select('key').execute()).toEqual([{ key: 'running' }]);
});

test('SEC1-14 the functions of admins refuse no token, a forged one and other roles, and write nothing', async () => {
  const { db } = server;
  const admin = await buildAdmin(db);
  const { cookie } = await server.as(admin);
  const signed = decodeURIComponent(cookie.slice(cookie.indexOf('=') + 1));
  const forged = `${signed.slice(0, -5)}${signed.at(-5) === 'A' ? 'B' : 'A'}${signed.slice(-4)}`;
  const senders: [number, Record<string, string>][] = [
    [401, {}],
    [401, { authorization: `Bearer ${admin.id}` }],
    [401, { authorization: `Bearer ${forged}` }],
    [401, { cookie: cookie.replace(/=.*/, `=${encodeURIComponent(forged)}`) }],
    [403, { cookie: (await server.as(await buildParticipant(db))).cookie }],
    [403, { cookie: (await server.as(await buildCoach(db))).cookie }],
  ];
  await db
    .insertInto('auth.user')
    .values({ id: newId(), name: 'No Profile', email: 'no-profile@people.example' })
    .execute();
  const record = {
    first_name: 'A',
    last_name: 'B',
    email: 'bulk@people.example',
    program: 'x',
    cohort: 'y',
    role: 'coach',
  };
  const calls = [
    [createAdminUser, { ...newAdmin, email: 'forged@people.example' }],
    [syncAuthProfiles, {}],
    [processBulkInvitations, { records: [record], filename: 'people.csv' }],
  ] as const;
  const counted = async () => {
    const found = await sql<{ profiles: number; signIns: number; imports: number; notes: number }>`
      select (select count(*)::int from profiles) as profiles, (select count(*)::int from auth."user") as sign_ins,
        (select count(*)::int from bulk_imports) as imports, (select count(*)::int from audit_log) as notes`.execute(
      db,
    );
    return found.rows[0];
  };
  const before = await counted();
  for (const [status, headers] of senders) {
    for (const [endpoint, body] of calls) {
      const answer = await fetch(`${server.url}${endpoint.path}`, {
        method: endpoint.method,
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(answer.status, `${endpoint.name} ${JSON.stringify(headers)}`).toBe(status);
      expect((await problemOf(answer)).code).toBe(status === 401 ? 'not_authenticated' : 'forbidden');
    }
  }
  expect(await counted()).toEqual(before);
});

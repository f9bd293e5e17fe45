import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAdminDashboard, readCoachDashboard } from '#contract/home.ts';
import { confirmRegistration, register } from '#contract/registration.ts';
import { approveRoleRequest, declineRoleRequest, listRoleRequests, type RequestedRole } from '#contract/users.ts';
import { removeSignIn } from '#server/sign-in/sign-ins.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant, buildPerson } from '#test/factories/people.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { linkInMail, mailsTo, sessionOf, signInWith } from '#test/support/sign-in.ts';
import { post } from '#test/support/sign-in-ways.ts';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

async function buildApplicant(requestedRole: RequestedRole, facts: { role?: 'participant' | 'coach' } = {}) {
  const person = await buildPerson(server.db, { firstName: 'Gwen', trackType: null, ...facts });
  const { db } = server;
  await db.updateTable('profiles').set({ requestedRole }).where('id', '=', person.id).execute();
  await db.updateTable('auth.user').set({ requestedRole }).where('id', '=', person.id).execute();
  return person;
}

function profileOf(id: string) {
  return server.db
    .selectFrom('profiles')
    .select(['role', 'requestedRole'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

const input = (id: string, requestedRole: RequestedRole) => ({ params: { id }, body: { requestedRole } });

test('AUTH-17 SEC1-21 from asking at registration to a role; the open session ends with it, and the next one has it', async () => {
  const body = {
    firstName: 'Gwen',
    lastName: 'Aspinall',
    email: 'gwen@people.example',
    password: 'Turbine-7-hall',
    requestedRole: 'coach' as const,
    trackType: null,
  };
  const { user } = await (await server.as(null)).call(register, { body });
  const builtAdmin = await buildAdmin(server.db);
  const admin = await server.as(builtAdmin);
  const early = (await admin.call(listRoleRequests)).rows.find(({ id }) => id === user.id);
  expect(early).toMatchObject({
    email: body.email,
    role: 'participant',
    requestedRole: 'coach',
    isEmailConfirmed: false,
    cohorts: [],
    coachedCount: 0,
    can: { approve: false },
  });
  const refused = await admin.refused(approveRoleRequest, input(user.id, 'coach'));
  expect(refused.problem).toMatchObject({
    code: 'conflict',
    detail: 'This person has not confirmed their email address yet.',
  });

  const link = await linkInMail(server.db, body.email);
  const token = new URLSearchParams(link.hash.slice(1)).get('token');
  let { cookie } = await post(server, confirmRegistration, { token, password: body.password });
  expect((await sessionOf(server, { cookie })).user).toMatchObject({ role: 'participant', requestedRole: 'coach' });
  const open = (path: string) => fetch(`${server.url}${path}`, { headers: { cookie } });
  expect((await open(readCoachDashboard.path)).status).toBe(403);

  await admin.call(approveRoleRequest, input(user.id, 'coach'));
  expect((await open(readCoachDashboard.path)).status).toBe(401);
  expect((await sessionOf(server, { cookie })).user).toBeNull();
  ({ cookie } = await signInWith(server, body.email, body.password));
  expect((await open(readCoachDashboard.path)).status).toBe(200);
  expect((await sessionOf(server, { cookie })).user).toMatchObject({ role: 'coach', requestedRole: null });
  expect((await admin.call(listRoleRequests)).rows.map(({ id }) => id)).not.toContain(user.id);

  expect((await mailsTo(server.db, body.email))[0]).toMatchObject({
    kind: 'role_request',
    subject: 'You are a coach now',
  });
  const notices = await server.db.selectFrom('notices').selectAll().where('userId', '=', user.id).execute();
  expect(notices).toMatchObject([{ kind: 'role_request', title: 'You are a coach now' }]);
  const noted = await server.db.selectFrom('auditLog').selectAll().where('subjectId', '=', user.id).execute();
  expect(noted.filter(({ action }) => action.startsWith('role_request.'))).toMatchObject([
    {
      action: 'role_request.approve',
      actorId: builtAdmin.id,
      before: { role: 'participant', requestedRole: 'coach' },
      after: { role: 'coach' },
    },
  ]);
});

test('AUTH-17 a declined request grants nothing, is told, and does not come back with a lost profile', async () => {
  const applicant = await buildApplicant('admin');
  const admin = await server.as(await buildAdmin(server.db));
  const client = await server.as(applicant);
  await admin.call(declineRoleRequest, input(applicant.id, 'admin'));
  expect(await profileOf(applicant.id)).toEqual({ role: 'participant', requestedRole: null });
  expect((await client.refused(readAdminDashboard)).status).toBe(403);
  expect(await mailsTo(server.db, applicant.email)).toMatchObject([{ subject: 'Your role request was declined' }]);
  const noted = await server.db.selectFrom('auditLog').selectAll().where('subjectId', '=', applicant.id).execute();
  expect(noted).toMatchObject([{ action: 'role_request.decline', after: { role: 'participant' } }]);
  const signIn = await server.db
    .selectFrom('auth.user')
    .select('requestedRole')
    .where('id', '=', applicant.id)
    .executeTakeFirstOrThrow();
  expect(signIn.requestedRole).toBeNull();
});

test('a request says what its approval would end: places in cohorts, and the coaching of participants', async () => {
  const [participant, coach] = [await buildApplicant('coach'), await buildApplicant('admin', { role: 'coach' })];
  const [left, current] = [await buildCohort(server.db), await buildCohort(server.db, { name: 'Spring' })];
  for (const { id } of [left, current]) await enrol(server.db, { cohortId: id, participantId: participant.id });
  const membership = server.db.updateTable('cohortParticipants').where('cohortId', '=', left.id);
  await membership.set({ status: 'withdrawn', endedAt: new Date() }).execute();
  await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
  const { rows } = await (await server.as(await buildAdmin(server.db))).call(listRoleRequests);
  expect(rows.find(({ id }) => id === participant.id)).toMatchObject({
    cohorts: [{ name: 'Spring' }],
    coachedCount: 0,
  });
  expect(rows.find(({ id }) => id === coach.id)).toMatchObject({ cohorts: [], coachedCount: 1 });
});

test('a request that is decided, changed, gone with its person, or of an admin is refused with its reason', async () => {
  const admin = await server.as(await buildAdmin(server.db));
  const refusal = async (id: string, requestedRole: RequestedRole) => {
    const { status, problem } = await admin.refused(approveRoleRequest, input(id, requestedRole));
    return [status, problem.code, problem.detail];
  };
  const decided = await buildApplicant('coach');
  await admin.call(declineRoleRequest, input(decided.id, 'coach'));
  expect(await refusal(decided.id, 'coach')).toEqual([409, 'conflict', 'This request has been decided already.']);
  expect((await admin.refused(declineRoleRequest, input(decided.id, 'coach'))).status).toBe(409);

  const other = await buildApplicant('coach');
  expect(await refusal(other.id, 'admin')).toEqual([
    409,
    'stale',
    'This person now asks for another role. Please look at the list again.',
  ]);

  const deleted = await buildApplicant('coach');
  await removeSignIn(server.db, deleted.id);
  await server.db.updateTable('profiles').set({ deletedAt: new Date() }).where('id', '=', deleted.id).execute();
  expect(await refusal(deleted.id, 'coach')).toEqual([409, 'conflict', 'This person was deleted.']);
  expect((await admin.call(listRoleRequests)).rows.map(({ id }) => id)).not.toContain(deleted.id);

  const promoted = await buildApplicant('coach');
  await server.db.updateTable('profiles').set({ role: 'admin' }).where('id', '=', promoted.id).execute();
  expect(await refusal(promoted.id, 'coach')).toEqual([409, 'conflict', 'This person is an admin already.']);

  expect((await refusal('00000000-0000-7000-8000-000000000000', 'coach'))[0]).toBe(404);
});

test('of two admins who decide at once, one does', async () => {
  const applicant = await buildApplicant('coach');
  const [one, other] = [await server.as(await buildAdmin(server.db)), await server.as(await buildAdmin(server.db))];
  const decide = (client: typeof one, path: string) =>
    client.fetch(path.replace(':id', applicant.id), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ requestedRole: 'coach' }),
    });
  const answers = await Promise.all([decide(one, approveRoleRequest.path), decide(other, declineRoleRequest.path)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect((await profileOf(applicant.id)).role).toBe(answers[0].ok ? 'coach' : 'participant');
  expect(await mailsTo(server.db, applicant.email)).toHaveLength(1);
});

test('SEC1-16 nobody but an admin sees or decides requests, own ones included', async () => {
  const applicant = await buildApplicant('admin');
  for (const person of [applicant, await buildParticipant(server.db), await buildCoach(server.db)]) {
    const client = await server.as(person);
    expect((await client.refused(listRoleRequests)).status).toBe(403);
    expect((await client.refused(approveRoleRequest, input(applicant.id, 'admin'))).status).toBe(403);
    expect((await client.refused(declineRoleRequest, input(applicant.id, 'admin'))).status).toBe(403);
  }
  expect(await profileOf(applicant.id)).toEqual({ role: 'participant', requestedRole: 'admin' });
});

test('a grant asks for a fresh proof of who the admin is, a refusal does not', async () => {
  const applicant = await buildApplicant('coach');
  const admin = await buildAdmin(server.db);
  const client = await server.as(admin);
  await server.db
    .updateTable('auth.session')
    .set({ provedAt: new Date(Date.now() - 16 * 60_000) })
    .where('userId', '=', admin.id)
    .execute();
  const refused = await client.refused(approveRoleRequest, input(applicant.id, 'coach'));
  expect(refused.problem.code).toBe('proof_required');
  await client.call(declineRoleRequest, input(applicant.id, 'coach'));
});

test('more requests than a page holds come page by page, each once, longest waiting first', async () => {
  const applicants = [];
  for (let index = 0; index < 55; index += 1) applicants.push((await buildApplicant('coach')).id);
  const admin = await server.as(await buildAdmin(server.db));
  const first = await admin.call(listRoleRequests);
  expect(first.rows).toHaveLength(50);
  const second = await admin.call(listRoleRequests, { query: { cursor: first.nextCursor ?? undefined } });
  expect(second.nextCursor).toBeNull();
  const listed = [...first.rows, ...second.rows].map(({ id }) => id);
  expect(listed.slice(-55)).toEqual(applicants);
  expect(new Set(listed).size).toBe(listed.length);
});

test('AUTH-17 with self-chosen roles switched on, a person who asks to be a coach waits for no admin', async () => {
  const open = await openTestApp(server.connectionString, { SELF_ASSIGNED_ROLES: '1' });
  const body = {
    firstName: 'Una',
    lastName: 'Ute',
    email: 'una@people.example',
    password: 'Turbine-7-hall',
    requestedRole: 'coach' as const,
    trackType: null,
  };
  const { user } = await (await open.as(null)).call(register, { body });
  await open.close();
  expect(await profileOf(user.id)).toEqual({ role: 'coach', requestedRole: null });
});

test('SEC-23 a person has exactly one of three roles, and may ask for no fourth', async () => {
  const person = await buildParticipant(server.db);
  const set = (change: object) => server.db.updateTable('profiles').set(change).where('id', '=', person.id).execute();
  for (const role of ['participant', 'coach', 'admin']) await set({ role });
  await expect(set({ role: 'superadmin' })).rejects.toThrow(/check constraint/);
  await expect(set({ role: null })).rejects.toThrow(/null value/);
  await expect(set({ role: ['coach', 'admin'] })).rejects.toThrow(/check constraint/);
  await expect(set({ requestedRole: 'superadmin' })).rejects.toThrow(/check constraint/);
});

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { readCoachDashboard } from '#contract/home.ts';
import { listUsers, readUser, type UserChanges, updateUser } from '#contract/user-management.ts';
import { listRoleRequests } from '#contract/users.ts';
import { decideDueNotices } from '#server/features/notices/notice-jobs.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCoachingSession } from '#test/factories/coaching.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant, buildPerson } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { jobsAreDone, mailsTo, sessionOf } from '#test/support/sign-in.ts';

let server: TestApp;
let actor: BuiltPerson;
let admin: Client;

beforeAll(async () => {
  server = await startTestApp();
  actor = await buildAdmin(server.db);
  admin = await server.as(actor);
});
afterAll(() => server.close());

const read = (id: string) => admin.call(readUser, { params: { id } });
const edit = async (id: string, changes: UserChanges, version?: number) =>
  admin.call(updateUser, { params: { id }, body: { ...changes, version: version ?? (await read(id)).version } });
const refuse = async (id: string, changes: object, version?: number) =>
  admin.refused(updateUser, {
    params: { id },
    body: { ...changes, version: version ?? (await read(id)).version } as UserChanges & { version: number },
  });

test('USER-08 USER-09 USER-10 USER-11 an edit saves names, role and track, null for no track, and never the email', async () => {
  const person = await buildParticipant(server.db, { trackType: 'fellowship' });
  const before = await read(person.id);
  const body = {
    firstName: ' Nadia ',
    lastName: "O'Brien-Núñez",
    role: 'coach' as const,
    trackType: null,
    version: before.version,
    email: 'other@people.example',
    createdAt: '2020-01-01T00:00:00Z',
    id: actor.id,
  };
  const saved = await admin.call(updateUser, { params: { id: person.id }, body });
  const expected = { id: person.id, firstName: 'Nadia', lastName: "O'Brien-Núñez", role: 'coach', trackType: null };
  expect(saved).toMatchObject({ ...expected, email: person.email, createdAt: before.createdAt });
  expect(await read(person.id)).toEqual(saved);
  for (const trackType of ['fellowship', 'adult_mobilization', 'self_learner', null] as const) {
    expect((await edit(person.id, { trackType })).trackType).toBe(trackType);
  }
  for (const role of ['participant', 'coach', 'admin', 'coach'] as const) {
    expect(await edit(person.id, { role })).toMatchObject({ role, firstName: 'Nadia' });
  }
  const signIn = await server.db.selectFrom('auth.user').selectAll().where('id', '=', person.id).execute();
  expect(signIn).toMatchObject([{ firstName: 'Nadia', name: "Nadia O'Brien-Núñez", email: person.email }]);
  const trail = await server.db
    .selectFrom('auditLog')
    .selectAll()
    .where('subjectId', '=', person.id)
    .orderBy('id')
    .execute();
  expect(trail[0]).toMatchObject({
    actorId: actor.id,
    action: 'user.change_role',
    before: { firstName: 'Robin', lastName: 'Reyes', role: 'participant', trackType: 'fellowship' },
    after: { firstName: 'Nadia', lastName: "O'Brien-Núñez", role: 'coach', trackType: null },
  });
});

test('USER-12 USER-13 SEC-23 blank names, a fourth role and an unknown track are refused, and nothing changes', async () => {
  const person = await buildParticipant(server.db);
  const before = await read(person.id);
  for (const changes of [
    { firstName: '' },
    { lastName: '   ' },
    { firstName: null },
    { lastName: 'Two\nlines' },
    { firstName: 'x'.repeat(101) },
    { role: 'superadmin' },
    { role: '' },
    { role: ['coach', 'admin'] },
    { trackType: 'amp' },
    { trackType: '' },
  ]) {
    const { status, problem } = await refuse(person.id, changes);
    expect([status, problem.code], JSON.stringify(changes)).toEqual([422, 'invalid_input']);
  }
  expect((await refuse(person.id, { firstName: '' })).problem.errors).toEqual([
    { path: 'firstName', message: 'Please enter a first name' },
  ]);
  expect(await read(person.id)).toEqual(before);
});

test('of two admins who edit one person, the second is refused instead of overwriting', async () => {
  const person = await buildParticipant(server.db);
  const { version } = await read(person.id);
  const other = await server.as(await buildAdmin(server.db));
  await other.call(updateUser, { params: { id: person.id }, body: { firstName: 'Theirs', version } });
  const { status, problem } = await refuse(person.id, { lastName: 'Mine' }, version);
  expect([status, problem.code]).toEqual([409, 'stale']);
  expect(await read(person.id)).toMatchObject({ firstName: 'Theirs', lastName: 'Reyes' });
  await edit(person.id, { lastName: 'Mine' });

  const { version: seen } = await read(person.id);
  const send = (firstName: string) =>
    admin.fetch(`/api/users/${person.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ firstName, version: seen }),
    });
  const answers = await Promise.all([send('One'), send('Other')]);
  expect(answers.map(({ status: answered }) => answered).toSorted()).toEqual([200, 409]);
});

test('of two admins who edit one person, the second is refused also where the first changed the program alone', async () => {
  const person = await buildParticipant(server.db);
  const { version } = await read(person.id);
  const trackType = person.trackType === 'fellowship' ? 'self_learner' : 'fellowship';
  await edit(person.id, { trackType }, version);
  expect((await read(person.id)).version).toBe(version + 1);
  expect((await refuse(person.id, { lastName: 'Mine' }, version)).problem.code).toBe('stale');
});

test('USER-15 an admin does not change the own role, but may edit the rest', async () => {
  for (const role of ['participant', 'coach'] as const) {
    const { status, problem } = await refuse(actor.id, { role });
    expect([status, problem.detail]).toEqual([409, 'You cannot change your own role. Another admin can.']);
  }
  expect(await edit(actor.id, { role: 'admin', firstName: 'Adele' })).toMatchObject({
    role: 'admin',
    firstName: 'Adele',
    can: { changeRole: false, delete: false },
  });
});

test('a person who registered gets no role before the address is confirmed; a person who was invited may', async () => {
  const registered = await buildParticipant(server.db);
  const invited = await buildParticipant(server.db);
  const ids = [registered.id, invited.id];
  await server.db.updateTable('auth.user').set({ emailVerified: false }).where('id', 'in', ids).execute();
  const expiresAt = new Date(Date.now() + 60_000);
  await server.db.insertInto('invitations').values({ userId: invited.id, expiresAt }).execute();
  const { status, problem } = await refuse(registered.id, { role: 'coach', lastName: 'Boss' });
  expect([status, problem.detail]).toEqual([409, 'This person has not confirmed their email address yet.']);
  expect(await read(registered.id)).toMatchObject({
    role: 'participant',
    lastName: 'Reyes',
    can: { changeRole: false },
  });
  expect(await edit(registered.id, { lastName: 'Boss' })).toMatchObject({ lastName: 'Boss' });
  expect(await read(invited.id)).toMatchObject({ isEmailConfirmed: false, can: { changeRole: true } });
  expect(await edit(invited.id, { role: 'coach' })).toMatchObject({ role: 'coach' });
  await server.db.updateTable('auth.user').set({ emailVerified: true }).where('id', '=', registered.id).execute();
  expect(await edit(registered.id, { role: 'coach' })).toMatchObject({ role: 'coach' });
});

test('another role asks for a fresh proof, other facts do not', async () => {
  const person = await buildParticipant(server.db);
  const stale = await buildAdmin(server.db);
  const client = await server.as(stale);
  const provedAt = new Date(Date.now() - 16 * 60_000);
  await server.db.updateTable('auth.session').set({ provedAt }).where('userId', '=', stale.id).execute();
  for (const role of ['coach', 'admin'] as const) {
    const body = { role, version: person.version };
    const { problem } = await client.refused(updateUser, { params: { id: person.id }, body });
    expect(problem.code).toBe('proof_required');
  }
  expect((await read(person.id)).role).toBe('participant');
  const coach = await buildCoach(server.db);
  const body = { role: 'participant' as const, version: coach.version };
  expect((await client.refused(updateUser, { params: { id: coach.id }, body })).problem.code).toBe('proof_required');
  const named = { firstName: 'Cleo', version: coach.version };
  expect((await client.call(updateUser, { params: { id: coach.id }, body: named })).firstName).toBe('Cleo');
});

test('a raised role ends the sessions of the person, a lowered one does not', async () => {
  const steps = [
    ['participant', 'coach', null],
    ['participant', 'admin', null],
    ['coach', 'admin', null],
    ['admin', 'coach', 'coach'],
    ['coach', 'participant', 'participant'],
  ] as const;
  for (const [from, to, roleInSession] of steps) {
    const person = await buildPerson(server.db, { role: from });
    const open = await server.as(person);
    await edit(person.id, { role: to });
    expect((await open.call(readSession)).user?.role ?? null, `${from} to ${to}`).toBe(roleInSession);
    expect((await (await server.as(person)).call(readSession)).user?.role).toBe(to);
  }
});

test('of two admins who demote each other at once, one stays', async () => {
  const lonely = await startTestApp();
  const [one, other] = [await buildAdmin(lonely.db), await buildAdmin(lonely.db)];
  const [oneClient, otherClient] = [await lonely.as(one), await lonely.as(other)];
  const demote = (client: Client, person: BuiltPerson) =>
    client.fetch(`/api/users/${person.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ role: 'coach', version: person.version }),
    });
  await Promise.all([demote(oneClient, other), demote(otherClient, one)]);
  const admins = await lonely.db.selectFrom('profiles').select('id').where('role', '=', 'admin').execute();
  expect(admins).toHaveLength(1);
  await lonely.close();
});

test('SEC-03 a person who coaches no more has no participants from the next request on; they wait for a coach, sessions are cancelled', async () => {
  const coach = await buildCoach(server.db);
  const participant = await buildParticipant(server.db);
  await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
  const session = await buildCoachingSession(server.db, {
    coachId: coach.id,
    participantId: participant.id,
    scheduledAt,
  });
  const client = await server.as(coach);
  expect((await read(coach.id)).coachedCount).toBe(1);
  expect((await client.fetch(readCoachDashboard.path)).status).toBe(200);

  await edit(coach.id, { role: 'participant' });
  expect((await client.fetch(readCoachDashboard.path)).status).toBe(403);
  expect((await read(coach.id)).coachedCount).toBe(0);
  expect((await read(participant.id)).coach).toBeNull();

  const jobs = await server.runJobs();
  await jobsAreDone(server.db, 'cancel-sessions-of-person');
  await jobsAreDone(server.db, 'tell-role-change');
  await jobs.stop();
  const cancelled = await server.db
    .selectFrom('coachingSessions')
    .select(['status', 'cancelReason'])
    .where('id', '=', session.id)
    .execute();
  expect(cancelled).toEqual([{ status: 'cancelled', cancelReason: 'The role of one of you has changed' }]);
  for (const { id, link } of [
    { id: participant.id, link: '/coaching' },
    { id: coach.id, link: '/dashboard' },
  ]) {
    const told = await server.db
      .selectFrom('notices')
      .select(['title', 'link'])
      .where('userId', '=', id)
      .where('kind', '=', 'coaching_session')
      .execute();
    expect(told).toEqual([{ title: 'A coaching session was cancelled', link }]);
  }
  await decideDueNotices(server.app);
  const mails = await mailsTo(server.db, coach.email);
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
    'A coaching session was cancelled',
    'You are a participant now',
  ]);
  const inCalendars = await server.db
    .selectFrom('noticeEvents')
    .select(sql<number>`jsonb_array_length(facts -> 'calendarInvitation' -> 'attendees')`.as('attendees'))
    .select(sql<boolean>`facts -> 'calendarInvitation' -> 'item' -> 'isCancelled'`.as('isCancelled'))
    .where('userId', 'in', [coach.id, participant.id])
    .where('kind', '=', 'coaching_session')
    .execute();
  expect(inCalendars).toEqual(Array(2).fill({ attendees: 2, isCancelled: true }));
  const trail = server.db.selectFrom('auditLog').select(['action', 'actorId', 'reason']);
  expect(await trail.where('subjectId', '=', participant.id).execute()).toEqual([
    { action: 'coach.unassign', actorId: actor.id, reason: 'The coach has another role' },
  ]);
  expect(await trail.where('subjectId', '=', session.id).execute()).toEqual([
    { action: 'session.cancel', actorId: actor.id, reason: 'The role of one of you has changed' },
  ]);
  expect((await sessionOf(server, { cookie: client.cookie })).user).toMatchObject({ role: 'participant' });
});

test('USER-34 a person who becomes a coach leaves cohort and course, and frees the place', async () => {
  const cohort = await buildCohort(server.db);
  const coach = await buildCoach(server.db);
  const person = await buildParticipant(server.db);
  await enrol(server.db, { cohortId: cohort.id, participantId: person.id, coachId: coach.id });
  await server.db.updateTable('profiles').set({ requestedRole: 'coach' }).where('id', '=', person.id).execute();
  expect((await edit(person.id, { role: 'coach' })).cohorts).toEqual([]);
  const places = await server.db
    .selectFrom('cohorts')
    .select('currentEnrollment')
    .where('id', '=', cohort.id)
    .execute();
  expect(places).toEqual([{ currentEnrollment: 0 }]);
  expect((await read(coach.id)).coachedCount).toBe(0);
  expect((await admin.call(listRoleRequests)).rows.map(({ id }) => id)).not.toContain(person.id);
});

test('a person who is not there is not found, and a person who is no admin gets nowhere', async () => {
  const missing = newId();
  expect((await admin.refused(readUser, { params: { id: missing } })).status).toBe(404);
  expect((await admin.refused(updateUser, { params: { id: missing }, body: { version: 1 } })).status).toBe(404);
  const victim = await buildParticipant(server.db);
  for (const person of [await buildParticipant(server.db), await buildCoach(server.db)]) {
    const client = await server.as(person);
    expect((await client.refused(listUsers, { query: {} })).status).toBe(403);
    for (const id of [person.id, victim.id]) {
      const body: UserChanges & { version: number } = { role: 'admin', version: 1 };
      expect((await client.refused(updateUser, { params: { id }, body })).status).toBe(403);
    }
  }
  expect((await read(victim.id)).role).toBe('participant');
});

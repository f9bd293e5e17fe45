import { afterAll, beforeAll, expect, test } from 'vitest';
import { listUsers, readUser, resendInvitation, type UserOrder, userOrders } from '#contract/user-management.ts';
import { invitePeople } from '#server/sign-in/invitations.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant, buildPerson } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { linkInMail, mailsTo } from '#test/support/sign-in.ts';
import { countStatements } from '#test/support/statements.ts';

let server: TestApp;
let actor: BuiltPerson;
let admin: Client;

beforeAll(async () => {
  server = await startTestApp();
  actor = await buildAdmin(server.db, { firstName: 'Zoe', email: 'zoe@office.example' });
  admin = await server.as(actor);
});
afterAll(() => server.close());

type Query = { search?: string; role?: 'participant' | 'coach' | 'admin'; order?: UserOrder; cursor?: string };
const list = (query: Query = {}) => admin.call(listUsers, { query });
const emailsOf = async (query: Query) => (await list(query)).rows.map(({ email }) => email);

test('USER-02 USER-03 USER-06 everybody of every role is listed, newest first, with the number of them', async () => {
  const coach = await buildCoach(server.db, { firstName: 'Cleo', email: 'cleo@people.example' });
  const participant = await buildParticipant(server.db, {
    firstName: 'Pia',
    lastName: 'Park',
    email: 'pia@people.example',
    trackType: 'self_learner',
  });
  const found = await list();
  expect(found.rows.map(({ id }) => id)).toEqual([participant.id, coach.id, actor.id]);
  expect(found.rows[0]).toMatchObject({
    firstName: 'Pia',
    lastName: 'Park',
    email: 'pia@people.example',
    role: 'participant',
    trackType: 'self_learner',
    invitation: null,
    lastSignInAt: null,
    isEmailConfirmed: true,
    can: { changeRole: true, delete: true, enrol: true, resendInvitation: false },
  });
  expect(found).toMatchObject({ matching: 3, nextCursor: null, previousCursor: null });
  expect(found.rows[2]).toMatchObject({ id: actor.id, can: { changeRole: false, delete: false, enrol: false } });
  expect(Date.parse(found.rows[2]?.lastSignInAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
});

test('USER-04 USER-05 USER-06 the search looks in names and email, in any case, and goes together with the role', async () => {
  await buildPerson(server.db, { firstName: 'Łukasz', lastName: 'Grün_wald', email: 'luk@grid.example' });
  await buildPerson(server.db, {
    firstName: 'Mary Ann',
    lastName: 'GRUNWALD',
    email: 'ma@grid.example',
    role: 'coach',
  });
  expect(await emailsOf({ search: 'ŁUK' })).toEqual(['luk@grid.example']);
  expect(await emailsOf({ search: ' grunwald ' })).toEqual(['ma@grid.example']);
  expect(await emailsOf({ search: 'ann gr' })).toEqual(['ma@grid.example']);
  expect(await emailsOf({ search: '@GRID.' })).toEqual(['ma@grid.example', 'luk@grid.example']);
  expect(await emailsOf({ search: 'n_w' })).toEqual(['luk@grid.example']);
  expect(await emailsOf({ search: '100%' })).toEqual([]);
  expect(await emailsOf({ search: "o'; drop table profiles --" })).toEqual([]);
  expect(await emailsOf({ search: actor.id.toUpperCase() })).toEqual(['zoe@office.example']);
  expect(await list({ search: '@grid.', role: 'coach' })).toMatchObject({ matching: 1, rows: [{ role: 'coach' }] });
  expect(await list({ search: '@grid.', role: 'admin' })).toMatchObject({ matching: 0, rows: [] });
  expect(await list({ role: 'admin' })).toMatchObject({ matching: 1, rows: [{ id: actor.id }] });
  const { status } = await admin.refused(listUsers, { query: { role: 'superadmin' as 'admin' } });
  expect(status).toBe(422);
});

test('every order gives each person once, page by page, forwards and back', async () => {
  for (let index = 0; index < 70; index += 1) {
    await buildParticipant(server.db, {
      firstName: `Twin ${index % 7}`,
      lastName: 'Same',
      email: `t${index}@twins.example`,
    });
  }
  await server.db
    .updateTable('profiles')
    .set({ createdAt: new Date('2026-01-05T12:00:00.123Z') })
    .where('firstName', '=', 'Twin 3')
    .execute();
  for (const order of userOrders) {
    const first = await list({ search: '@twins.', order });
    expect(first).toMatchObject({ matching: 70, previousCursor: null });
    expect(first.rows).toHaveLength(50);
    const second = await list({ search: '@twins.', order, cursor: first.nextCursor ?? '' });
    expect(second).toMatchObject({ matching: 70, nextCursor: null });
    const ids = [...first.rows, ...second.rows].map(({ id }) => id);
    expect(new Set(ids).size).toBe(70);
    const back = await list({ search: '@twins.', order, cursor: second.previousCursor ?? '' });
    expect(back.rows.map(({ id }) => id)).toEqual(first.rows.map(({ id }) => id));
    expect(back).toMatchObject({ previousCursor: null, nextCursor: first.nextCursor });
  }
  const names = (await list({ search: '@twins.', order: 'name' })).rows.map(({ firstName }) => firstName);
  expect(names).toEqual(names.toSorted());
  const emails = await emailsOf({ search: '@twins.', order: 'email' });
  expect(emails).toEqual(emails.toSorted());
  expect((await list({ order: 'lastSignIn' })).rows[0]?.id).toBe(actor.id);
  const newest = await list({ search: '@twins.' });
  for (const cursor of ['x', newest.nextCursor?.slice(2) ?? '', newest.nextCursor ?? '']) {
    expect((await admin.refused(listUsers, { query: { order: 'name', cursor } })).status).toBe(422);
  }
});

test('USER-35 CASN-15 a row shows the cohorts with an active membership and the coach of an enrolled course', async () => {
  const cohort = await buildCohort(server.db, { name: 'Spring', status: 'planning' });
  const left = await buildCohort(server.db);
  const coach = await buildCoach(server.db, { firstName: 'Nora', lastName: 'Nye' });
  const person = await buildParticipant(server.db);
  await enrol(server.db, { cohortId: cohort.id, participantId: person.id, coachId: coach.id });
  await enrol(server.db, { cohortId: left.id, participantId: person.id });
  await server.db
    .updateTable('cohortParticipants')
    .set({ status: 'withdrawn', endedAt: new Date() })
    .where('cohortId', '=', left.id)
    .execute();
  const read = (id: string) => admin.call(readUser, { params: { id } });
  expect(await read(person.id)).toMatchObject({
    cohorts: [{ id: cohort.id, name: 'Spring', status: 'planning' }],
    coach: { id: coach.id, firstName: 'Nora', lastName: 'Nye' },
  });
  expect(await read(coach.id)).toMatchObject({ coachedCount: 1, cohorts: [], coach: null });
  await server.db.updateTable('userCourses').set({ status: 'completed' }).where('userId', '=', person.id).execute();
  expect((await read(person.id)).coach).toBeNull();
});

test('an invitation is sent, expired or accepted, and is sent again until it is accepted', async () => {
  const person = await buildParticipant(server.db);
  const state = async () => (await admin.call(readUser, { params: { id: person.id } })).invitation?.state ?? null;
  const again = () => admin.refused(resendInvitation, { params: { id: person.id } });
  expect(await state()).toBeNull();
  expect((await again()).problem.detail).toBe('This person was never invited: they registered themself.');

  await invitePeople(server.db, [{ ...person, userId: person.id }], null, server.app);
  expect(await state()).toBe('sent');
  await server.db
    .updateTable('invitations')
    .set({ sentAt: new Date('2026-01-01'), expiresAt: new Date('2026-01-08') })
    .where('userId', '=', person.id)
    .execute();
  expect(await state()).toBe('expired');
  const firstLink = await linkInMail(server.db, person.email);

  await admin.call(resendInvitation, { params: { id: person.id } });
  expect(await state()).toBe('sent');
  expect(await mailsTo(server.db, person.email)).toHaveLength(2);
  expect((await linkInMail(server.db, person.email)).hash).not.toBe(firstLink.hash);
  const links = await server.db
    .selectFrom('auth.passwordLink')
    .select('kind')
    .where('userId', '=', person.id)
    .execute();
  expect(links).toEqual([{ kind: 'invitation' }]);
  const trail = await server.db.selectFrom('auditLog').select('action').where('subjectId', '=', person.id).execute();
  expect(trail).toEqual([{ action: 'user.invite_again' }]);

  await server.db.updateTable('invitations').set({ acceptedAt: new Date() }).where('userId', '=', person.id).execute();
  expect(await state()).toBe('accepted');
  expect((await again()).problem.detail).toBe('This person has accepted their invitation already.');
});

test('a list of two and one of fifty send the same number of statements', async () => {
  for (let index = 0; index < 50; index += 1) {
    const person = await buildParticipant(server.db, { email: `crowd${index}@crowd.example` });
    if (index < 2)
      await assignCoach(server.db, { participantId: person.id, coachId: (await buildCoach(server.db)).id });
  }
  const count = (search: string) => countStatements(server.app.pool, () => list({ search }));
  expect(await count('crowd1@')).toBe(await count('@crowd.'));
  expect(await count('@crowd.')).toBeLessThanOrEqual(2);
});

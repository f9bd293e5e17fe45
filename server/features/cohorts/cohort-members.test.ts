import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCohortMembers, readCohort, readCohortMember, takeMemberBack, withdrawMember } from '#contract/cohorts.ts';
import { readParticipantDashboard } from '#contract/home.ts';
import { buildCoachingSession } from '#test/factories/coaching.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { attend } from '#test/factories/stipends.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { countStatements } from '#test/support/statements.ts';

let server: TestApp;
let ada: BuiltPerson;
let admin: Client;
beforeAll(async () => {
  server = await startTestApp();
  ada = await buildAdmin(server.db);
  admin = await server.as(ada);
});
afterAll(() => server.close());

async function world({ capacity = 10 } = {}) {
  const { db } = server;
  const cohort = await buildCohort(db, { capacity });
  const coach = await buildCoach(db, { firstName: 'Grace', lastName: 'Hopper' });
  const zoe = await buildParticipant(db, { firstName: 'Zoë', lastName: 'Łukasz' });
  const bo = await buildParticipant(db, { firstName: 'Bo', lastName: 'Ng' });
  await enrol(db, { cohortId: cohort.id, participantId: zoe.id, coachId: coach.id });
  await enrol(db, { cohortId: cohort.id, participantId: bo.id });
  return { cohort, coach, zoe, bo, params: { id: cohort.id, participantId: zoe.id } };
}

test('ADMIN-21 the members of a cohort are read by name with role, track, coach and state, and searched', async () => {
  const { cohort, zoe, bo } = await world();
  const list = async (query: object) => admin.call(listCohortMembers, { params: { id: cohort.id }, query });
  const { rows, matching, nextCursor } = await list({});
  expect({ matching, nextCursor }).toEqual({ matching: 2, nextCursor: null });
  expect(rows).toMatchObject([
    { participantId: bo.id, email: bo.email, role: 'participant', coaches: [], status: 'active', endedAt: null },
    { participantId: zoe.id, firstName: 'Zoë', trackType: 'fellowship', coaches: ['Grace Hopper'] },
  ]);
  expect((await list({ search: 'zoë ł' })).rows.map(({ participantId }) => participantId)).toEqual([zoe.id]);
  expect((await list({ search: bo.email })).matching).toBe(1);
  expect((await list({ status: 'withdrawn' })).rows).toEqual([]);
  expect(await countStatements(server.app.pool, () => list({ search: 'bo' }))).toBe(3);
  expect((await admin.refused(listCohortMembers, { params: { id: ada.id }, query: {} })).status).toBe(404);
});

test('a long list of members comes in pages that lose nobody', async () => {
  const { db } = server;
  const cohort = await buildCohort(db, { capacity: 100 });
  for (let number = 0; number < 53; number += 1) {
    const person = await buildParticipant(db, { firstName: number % 2 ? 'Same' : `Name ${number}` });
    await enrol(db, { cohortId: cohort.id, participantId: person.id });
  }
  const params = { id: cohort.id };
  const first = await admin.call(listCohortMembers, { params, query: {} });
  const second = await admin.call(listCohortMembers, { params, query: { cursor: first.nextCursor ?? '' } });
  expect([first.rows.length, second.rows.length, second.nextCursor]).toEqual([50, 3, null]);
  expect(new Set([...first.rows, ...second.rows].map(({ participantId }) => participantId)).size).toBe(53);
});

test('ADMIN-23 a withdrawal says before what stays, frees the place, ends the cohort for the person and is on record', async () => {
  const { cohort, coach, zoe, params } = await world();
  const { db } = server;
  const activity = await buildActivity(db, { cohortId: cohort.id });
  const assignment = await buildAssignment(db, { trainingActivityId: activity.id });
  await buildSubmission(db, { assignmentId: assignment.id, userId: zoe.id });
  await attend(db, zoe.id, [activity]);
  await buildCoachingSession(db, { coachId: coach.id, participantId: zoe.id, scheduledAt: '2099-01-05T15:00:00Z' });
  expect(await admin.call(readCohortMember, { params })).toMatchObject({
    firstName: 'Zoë',
    stays: { submissions: 1, attendance: 1, stipends: 0 },
    upcomingSessions: 1,
  });
  expect((await admin.refused(withdrawMember, { params, body: { reason: ' ' } })).status).toBe(422);
  const withdrawn = await admin.call(withdrawMember, { params, body: { reason: 'Moved away' } });
  expect(withdrawn).toMatchObject({ status: 'withdrawn', endedAt: expect.any(String) });
  expect(await admin.call(readCohort, { params: { id: cohort.id } })).toMatchObject({ currentEnrollment: 1 });
  expect(await (await server.as(zoe)).call(readParticipantDashboard)).toMatchObject({ cohort: null });
  const [entry] = await db.selectFrom('auditLog').selectAll().where('subjectId', '=', zoe.id).execute();
  expect(entry).toMatchObject({ action: 'membership.withdraw', actorId: ada.id, reason: 'Moved away' });
  expect((await admin.refused(withdrawMember, { params, body: { reason: 'Again' } })).status).toBe(409);
  expect(await admin.call(readCohortMember, { params })).toMatchObject({ stays: { submissions: 1, attendance: 1 } });
});

test('a withdrawal can be taken back while there is a place, of two at once one is', async () => {
  const { cohort, bo, zoe, params } = await world({ capacity: 2 });
  await admin.call(withdrawMember, { params, body: { reason: 'By mistake' } });
  const newcomer = await buildParticipant(server.db);
  await enrol(server.db, { cohortId: cohort.id, participantId: newcomer.id });
  expect((await admin.refused(takeMemberBack, { params })).problem.detail).toContain('is full: all 2 places are taken');
  await admin.call(withdrawMember, { params: { ...params, participantId: bo.id }, body: { reason: 'Moved away' } });
  const back = (person: BuiltPerson) =>
    admin.fetch(takeMemberBack.path.replace(':id', cohort.id).replace(':participantId', person.id), {
      method: 'DELETE',
    });
  const answers = await Promise.all([back(zoe), back(bo)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await admin.call(readCohort, { params: { id: cohort.id } })).toMatchObject({ currentEnrollment: 2 });
  expect((await admin.refused(takeMemberBack, { params: { ...params, participantId: newcomer.id } })).status).toBe(409);
  expect((await admin.refused(takeMemberBack, { params: { ...params, participantId: ada.id } })).status).toBe(404);
});

test('only a participant is taken back, and only into a cohort that is planned or active', async () => {
  const { db } = server;
  const { cohort, zoe, params } = await world();
  await admin.call(withdrawMember, { params, body: { reason: 'Moved away' } });
  const refusedBecause = async (words: string) => {
    const { status, problem } = await admin.refused(takeMemberBack, { params });
    expect({ status, detail: problem.detail }).toEqual({ status: 409, detail: expect.stringContaining(words) });
  };
  const become = (role: string) => db.updateTable('profiles').set({ role }).where('id', '=', zoe.id).execute();
  await become('coach');
  await refusedBecause('Only participants can be in a cohort');
  await become('participant');
  await db.updateTable('cohorts').set({ status: 'completed' }).where('id', '=', cohort.id).execute();
  await refusedBecause('is completed, so it takes no new people');
  expect(await admin.call(readCohort, { params: { id: cohort.id } })).toMatchObject({ currentEnrollment: 1 });
  await db.updateTable('cohorts').set({ status: 'planning' }).where('id', '=', cohort.id).execute();
  await admin.call(takeMemberBack, { params });
});

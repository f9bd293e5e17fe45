import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { enrolInFellowship } from '#contract/cohorts.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort, buildCourse, enrol } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { findActiveCohort } from './cohort-queries.ts';

let server: TestApp;
let admin: Client;

beforeAll(async () => {
  server = await startTestApp();
  await buildCourse(server.db);
});
beforeEach(async () => {
  admin = await server.as(await buildAdmin(server.db));
});
afterEach(() => server.db.updateTable('cohorts').set({ status: 'completed' }).execute());
afterAll(() => server.close());

function membershipsOf(participantId: string) {
  return server.db
    .selectFrom('cohortParticipants')
    .select(['cohortId', 'status'])
    .where('participantId', '=', participantId)
    .execute();
}

test('ADMIN-11 ADMIN-13 ADMIN-14 ADMIN-18 ADMIN-19 ADMIN-23 registers a user in the active fellowship cohort that starts last', async () => {
  await buildCohort(server.db, { startDate: '2025-01-06' });
  await buildCohort(server.db, { startDate: '2027-01-04', status: 'planning' });
  await buildCohort(server.db, { startDate: '2027-01-04', programType: 'adult_mobilization' });
  const cohort = await buildCohort(server.db, { startDate: '2026-01-05' });
  const user = await buildParticipant(server.db, { firstName: 'Nadia', lastName: 'Ng', trackType: 'self_learner' });

  const reply = await admin.call(enrolInFellowship, { body: { userId: ` ${user.id.toUpperCase()} ` } });

  expect(reply).toEqual({ firstName: 'Nadia', lastName: 'Ng', cohortName: cohort.name });
  expect(await membershipsOf(user.id)).toEqual([{ cohortId: cohort.id, status: 'active' }]);
  expect(await findActiveCohort(server.db, user.id)).toMatchObject({ id: cohort.id, currentEnrollment: 1 });
  const profile = await server.db.selectFrom('profiles').select('trackType').where('id', '=', user.id).execute();
  expect(profile).toEqual([{ trackType: 'fellowship' }]);
  const courses = await server.db
    .selectFrom('userCourses')
    .select(['coachId', 'status'])
    .where('userId', '=', user.id)
    .execute();
  expect(courses).toEqual([{ coachId: null, status: 'enrolled' }]);
  const trail = await server.db.selectFrom('auditLog').selectAll().where('subjectId', '=', user.id).execute();
  expect(trail).toMatchObject([{ action: 'cohort.enrol', before: { trackType: 'self_learner', membership: null } }]);
});

test('ADMIN-12 a blank user ID is refused with what to do', async () => {
  const { status, problem } = await admin.refused(enrolInFellowship, { body: { userId: '   ' } });
  expect(status).toBe(422);
  expect(problem.errors).toEqual([{ path: 'userId', message: 'Please enter a user ID to search for' }]);
});

test('ADMIN-15 a user ID that is not in profiles writes nothing', async () => {
  await buildCohort(server.db);
  for (const userId of [newId(), 'Nadia']) {
    const { status, problem } = await admin.refused(enrolInFellowship, { body: { userId } });
    expect(status).toBe(404);
    expect(problem.detail).toBe(`The user ${userId} was not found in profiles.`);
  }
  const members = await server.db
    .selectFrom('cohortParticipants')
    .innerJoin('cohorts', 'cohorts.id', 'cohortId')
    .select('participantId')
    .where('cohorts.status', '=', 'active')
    .execute();
  expect(members).toEqual([]);
});

test('ADMIN-16 without a target cohort nothing is written', async () => {
  const user = await buildParticipant(server.db, { trackType: null });
  const { status, problem } = await admin.refused(enrolInFellowship, { body: { userId: user.id } });
  expect(status).toBe(404);
  expect(problem.detail).toBe('The fellowship cohort was not found.');
  expect(await membershipsOf(user.id)).toEqual([]);
  const profile = await server.db.selectFrom('profiles').select('trackType').where('id', '=', user.id).execute();
  expect(profile).toEqual([{ trackType: null }]);
});

test('ADMIN-17 a repeat is refused in words, also when both come at once', async () => {
  const cohort = await buildCohort(server.db);
  const user = await buildParticipant(server.db, { firstName: 'Nadia', lastName: 'Ng' });
  const send = async () => {
    const body = JSON.stringify({ userId: user.id });
    const headers = { 'content-type': 'application/json' };
    return (await admin.fetch(enrolInFellowship.path, { method: 'POST', headers, body })).status;
  };
  expect((await Promise.all([send(), send()])).sort()).toEqual([200, 409]);

  const { problem } = await admin.refused(enrolInFellowship, { body: { userId: user.id } });
  expect(problem).toMatchObject({ code: 'duplicate', detail: `Nadia Ng is already registered in ${cohort.name}.` });
  expect(await membershipsOf(user.id)).toEqual([{ cohortId: cohort.id, status: 'active' }]);
});

test('a withdrawn participant comes back by registering again, without a second row', async () => {
  const cohort = await buildCohort(server.db);
  const user = await buildParticipant(server.db);
  await enrol(server.db, { cohortId: cohort.id, participantId: user.id });
  await server.db
    .updateTable('cohortParticipants')
    .set({ status: 'withdrawn', endedAt: new Date() })
    .where('participantId', '=', user.id)
    .execute();
  expect(await findActiveCohort(server.db, user.id)).toBeUndefined();

  await admin.call(enrolInFellowship, { body: { userId: user.id } });
  expect(await membershipsOf(user.id)).toEqual([{ cohortId: cohort.id, status: 'active' }]);
});

test('the last place is given once, and a coach takes none', async () => {
  await buildCohort(server.db, { capacity: 1, name: 'Small' });
  const rivals = [await buildParticipant(server.db), await buildParticipant(server.db)];
  const answers = await Promise.allSettled(
    rivals.map(({ id }) => admin.call(enrolInFellowship, { body: { userId: id } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const late = await buildParticipant(server.db);
  const { problem } = await admin.refused(enrolInFellowship, { body: { userId: late.id } });
  expect(problem).toMatchObject({ code: 'conflict', detail: 'Small is full: all 1 places are taken.' });

  const coach = await buildCoach(server.db);
  expect(await admin.refused(enrolInFellowship, { body: { userId: coach.id } })).toMatchObject({ status: 409 });
  expect(await membershipsOf(coach.id)).toEqual([]);
});

test('ADMIN-19 USER-27 the target cohort is the one of the settings where they name one', async () => {
  const chosen = await buildCohort(server.db, { startDate: '2025-01-06' });
  await buildCohort(server.db, { startDate: '2026-01-05' });
  const settings = { ENROL_COHORT_ID: chosen.id, DATA_DIR: server.app.config.dataDir };
  const configured = await openTestApp(server.connectionString, settings);
  const user = await buildParticipant(server.db);
  const client = await configured.as(await buildAdmin(server.db));
  expect(await client.call(enrolInFellowship, { body: { userId: user.id } })).toMatchObject({
    cohortName: chosen.name,
  });
  expect(await membershipsOf(user.id)).toEqual([{ cohortId: chosen.id, status: 'active' }]);

  const late = await buildParticipant(server.db);
  const refusalOnce = async (facts: { status?: string; programType?: string }) => {
    await server.db.updateTable('cohorts').set(facts).where('id', '=', chosen.id).execute();
    const { status, problem } = await client.refused(enrolInFellowship, { body: { userId: late.id } });
    return [status, problem.detail];
  };
  expect(await refusalOnce({ status: 'completed' })).toEqual([
    409,
    `${chosen.name} is completed: only active and planning cohorts take people.`,
  ]);
  expect(await refusalOnce({ status: 'active', programType: 'adult_mobilization' })).toEqual([
    409,
    `${chosen.name} is not a fellowship cohort.`,
  ]);
  expect(await membershipsOf(late.id)).toEqual([]);
  await configured.close();
});

test('SEC-24 a participant or coach cannot enrol anybody', async () => {
  await buildCohort(server.db);
  for (const person of [await buildParticipant(server.db), await buildCoach(server.db)]) {
    const client = await server.as(person);
    expect(await client.refused(enrolInFellowship, { body: { userId: person.id } })).toMatchObject({ status: 403 });
    expect(await membershipsOf(person.id)).toEqual([]);
  }
});

test('SEC-24 only admins have an endpoint that writes a membership, and nobody but them reaches one', async () => {
  const cohort = await buildCohort(server.db);
  const writers = server.app.endpoints.filter(
    ({ path, method, access }) =>
      method !== 'GET' && access !== 'progress.set' && /cohort|enrol|course|member/.test(path),
  );
  expect(writers.map(({ name }) => name)).toEqual(expect.arrayContaining(['enrolInFellowship', 'enrolInCohort']));
  for (const person of [await buildParticipant(server.db), await buildCoach(server.db)]) {
    const client = await server.as(person);
    for (const { name, path, method } of writers) {
      const answer = await client.fetch(path.replace(':userId', person.id).replace(/:\w+/g, cohort.id), {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ userId: person.id, userIds: [person.id], cohortId: cohort.id }),
      });
      expect(answer.status, name).toBe(403);
    }
    expect(await membershipsOf(person.id)).toEqual([]);
  }
});

test('an archived course is passed over: enrolment goes to the oldest one that is on offer', async () => {
  const { db } = server;
  await buildCohort(db);
  const [oldest] = await db
    .updateTable('courses')
    .set({ archivedAt: new Date() })
    .where('trackType', '=', 'fellowship')
    .where('archivedAt', 'is', null)
    .returning('id')
    .execute();
  const offered = await buildCourse(db, { title: 'On offer' });
  const user = await buildParticipant(db);
  await admin.call(enrolInFellowship, { body: { userId: user.id } });
  const courses = db.selectFrom('userCourses').select('courseId').where('userId', '=', user.id);
  expect(await courses.execute()).toEqual([{ courseId: offered.id }]);
  expect(oldest?.id).not.toBe(offered.id);
});

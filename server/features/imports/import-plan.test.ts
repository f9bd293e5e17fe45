import { afterAll, beforeAll, expect, test } from 'vitest';
import { processBulkInvitations } from '#contract/documented-functions.ts';
import { checkImport } from '#contract/import-results.ts';
import { buildCohort, buildCourse, enrol } from '#test/factories/cohorts.ts';
import { bulkRecordFor, bulkRecordsFor } from '#test/factories/imports.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { countStatements } from '#test/support/statements.ts';

let server: TestApp;
let admin: Client;

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.as(await buildAdmin(server.db));
  await buildCourse(server.db);
});
afterAll(() => server.close());

test('before anything is sent the server says who would be left out, and what then comes of the upload is the same', async () => {
  const small = await buildCohort(server.db, { capacity: 3 });
  await enrol(server.db, { cohortId: small.id, participantId: (await buildParticipant(server.db)).id });
  const adult = await buildCohort(server.db, { programType: 'adult_mobilization' });
  await buildCohort(server.db);
  const coach = await buildCoach(server.db);
  const newCoach = bulkRecordFor(small, { role: 'coach' });
  const once = bulkRecordFor(small, { coach_email: newCoach.email });
  const records = [
    newCoach,
    bulkRecordFor(small, { email: coach.email.toUpperCase() }),
    once,
    bulkRecordFor(small, { email: once.email }),
    bulkRecordFor(small, { coach_email: 'nobody@people.example' }),
    bulkRecordFor(small, { coach_email: coach.email }),
    bulkRecordFor(small, { email: 'full@people.example' }),
    bulkRecordFor({ name: 'Nowhere' }),
    bulkRecordFor(adult, { program: 'adult_mobilization', coach_email: coach.email }),
    bulkRecordFor(small, { role: 'coach', email: 'failing@people.example', first_name: '' }),
    bulkRecordFor(small, { coach_email: 'failing@people.example' }),
  ];

  const plan = await admin.call(checkImport, { body: { records } });

  expect(plan.leftOut.map(({ row, error }) => [row, error])).toEqual([
    [2, 'An account with this email already exists'],
    [4, 'This email is repeated in the file; its first record was used'],
    [5, 'No coach has the email "nobody@people.example"'],
    [7, `Cohort "${small.name}" is full: all 3 places are taken`],
    [8, 'Invalid cohort "Nowhere" for program "fellowship". Please check available cohorts.'],
    [9, 'Program "adult_mobilization" has no course, so we cannot assign a coach'],
    [10, 'First name is required'],
    [11, 'No coach has the email "failing@people.example"'],
  ]);
  expect(plan.leftOut[3]?.email).toBe('full@people.example');
  // The others would get nobody.
  expect(plan.cohorts).toHaveLength(2);
  expect(plan.cohorts).toEqual(
    expect.arrayContaining([
      { name: small.name, programType: 'fellowship', participants: 3, freePlaces: 2 },
      { name: adult.name, programType: 'adult_mobilization', participants: 1, freePlaces: expect.any(Number) },
    ]),
  );
  expect(await server.db.selectFrom('bulkImports').select('id').execute()).toEqual([]);

  await server.runJobs();
  const answer = await admin.call(processBulkInvitations, { body: { records, filename: 'same.csv' } });
  expect(answer.successful_records).toBe(3);
  expect(answer.errors).toEqual(plan.leftOut);
});

test('the check takes 1000 records and no more, and is for admins', async () => {
  const cohort = await buildCohort(server.db, { capacity: 600 });
  const plan = await admin.call(checkImport, { body: { records: bulkRecordsFor(cohort, 1000) } });
  expect(plan.leftOut).toHaveLength(400);
  expect(plan.leftOut[0]?.row).toBe(601);
  expect(await admin.refused(checkImport, { body: { records: bulkRecordsFor(cohort, 1001) } })).toMatchObject({
    status: 422,
  });
  const coach = await server.as(await buildCoach(server.db));
  expect(await coach.refused(checkImport, { body: { records: [] } })).toMatchObject({ status: 403 });
});

test('a coach hears once of all participants that an upload gives them', async () => {
  const cohort = await buildCohort(server.db);
  const coach = await buildCoach(server.db);
  const newCoach = bulkRecordFor(cohort, { role: 'coach' });
  const records = [
    newCoach,
    ...[coach, coach, newCoach].map(({ email }) => bulkRecordFor(cohort, { coach_email: email })),
  ];
  const answer = await admin.call(processBulkInvitations, { body: { records, filename: 'given.csv' } });
  expect(answer).toMatchObject({ status: 'completed', successful_records: 4 });
  const told = await server.db
    .selectFrom('notices')
    .select(['userId', 'title', 'message', 'link'])
    .where('kind', '=', 'coach_assignment')
    .where('message', 'like', '%new participant%')
    .execute();
  expect(told.filter(({ userId }) => userId === coach.id)).toEqual([
    {
      userId: coach.id,
      title: 'Participants were assigned to you',
      message: '2 new participants are with you now.',
      link: '/coach',
    },
  ]);
  const { id } = await server.db
    .selectFrom('profiles')
    .select('id')
    .where('email', '=', newCoach.email ?? '')
    .executeTakeFirstOrThrow();
  expect(told.some(({ userId }) => userId === id)).toBe(false);
});

test('a server that is stopped answers an upload under way at once, as one that goes on', async () => {
  const { db, connectionString, app } = server;
  const cohort = await buildCohort(db);
  const closing = await openTestApp(connectionString, { DATA_DIR: app.config.dataDir });
  const client = await closing.as(await buildAdmin(db));
  const isKept = async () =>
    (await db.selectFrom('bulkImports').select('id').where('filename', '=', 'late.csv').execute()).length === 1;
  // While the cohort is locked, no job can finish the upload.
  await db.transaction().execute(async (lock) => {
    await lock.selectFrom('cohorts').select('id').where('id', '=', cohort.id).forUpdate().execute();
    const body = { records: bulkRecordsFor(cohort, 2), filename: 'late.csv' };
    const uploading = client.call(processBulkInvitations, { body });
    await expect.poll(isKept, { interval: 20 }).toBe(true);
    const closed = closing.app.http.close();
    const looks = await countStatements(closing.app.pool, () => uploading);
    closing.app.http.server.closeAllConnections();
    await closed;
    expect(await uploading).toMatchObject({ success: true, status: 'processing', total_records: 2 });
    expect(looks).toBeLessThanOrEqual(2);
  });
  await closing.close();
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPassword } from '#contract/accounts.ts';
import { processBulkInvitations } from '#contract/documented-functions.ts';
import { buildCohort, buildCourse, enrol } from '#test/factories/cohorts.ts';
import { bulkRecordFor } from '#test/factories/imports.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { buildRegistration } from '#test/factories/registrations.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { linkInMail, mailsTo, sessionOf, signInWith } from '#test/support/sign-in.ts';
import { post } from '#test/support/sign-in-ways.ts';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp();
  await buildCourse(server.db);
  await server.runJobs();
});
afterAll(() => server.close());

function profileOf(email: string) {
  return server.db.selectFrom('profiles').selectAll().where('email', '=', email).executeTakeFirst();
}

test('BULK-42 BULK-45 a registration that nobody confirmed is no account: the row takes its place', async () => {
  const cohort = await buildCohort(server.db);
  const strangers = await buildRegistration(server, { firstName: 'Stranger', requestedRole: 'admin', trackType: null });
  const before = await server.as({ id: strangers.id });
  const enrolled = await buildRegistration(server);
  await enrol(server.db, { cohortId: cohort.id, participantId: enrolled.id });

  const admin = await server.as(await buildAdmin(server.db));
  const records = [
    bulkRecordFor(cohort, { email: strangers.email.toUpperCase(), track_type: 'self_learner' }),
    bulkRecordFor(cohort, { email: enrolled.email }),
  ];
  const answer = await admin.call(processBulkInvitations, { body: { records, filename: 'people.csv' } });

  expect(answer).toMatchObject({ successful_records: 1, failed_records: 1 });
  expect(answer.errors).toEqual([
    { row: 2, email: enrolled.email, error: 'An account with this email already exists' },
  ]);
  const made = await profileOf(strangers.email);
  expect(made).toMatchObject({ firstName: 'Nadia', role: 'participant', requestedRole: null });
  expect(made).toMatchObject({ trackType: 'self_learner' });
  const places = server.db
    .selectFrom('cohortParticipants')
    .select('cohortId')
    .where('participantId', '=', made?.id ?? '');
  expect(await places.execute()).toEqual([{ cohortId: cohort.id }]);
  expect((await sessionOf(server, { cookie: before.cookie })).user).toBeNull();
  expect((await signInWith(server, strangers.email, strangers.password)).status).toBe(401);

  const [mail] = await mailsTo(server.db, strangers.email);
  expect(mail).toMatchObject({ kind: 'invitation', recipientId: made?.id });
  const token = new URLSearchParams((await linkInMail(server.db, strangers.email)).hash.slice(1)).get('access_token');
  expect((await post(server, setPassword, { token, newPassword: 'Owner-Power-1' })).status).toBe(200);
  expect((await signInWith(server, strangers.email, 'Owner-Power-1')).status).toBe(200);
});

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setPassword } from '#contract/accounts.ts';
import { processBulkInvitations } from '#contract/documented-functions.ts';
import { listImportRows, readImport, undoImport } from '#contract/import-results.ts';
import { sendMessage } from '#contract/messages.ts';
import { assignCoach, buildCohort, buildCourse, enrol } from '#test/factories/cohorts.ts';
import { type BulkRecordInput, bulkRecordFor, bulkRecordsFor } from '#test/factories/imports.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { sizeOf } from '#test/support/depth.ts';
import { toldBy } from '#test/support/live-news.ts';
import { linkInMail, mailsTo } from '#test/support/sign-in.ts';
import { post } from '#test/support/sign-in-ways.ts';

let server: TestApp;
let admin: Client;
let adminId: string;
let cohort: Awaited<ReturnType<typeof buildCohort>>;

beforeAll(async () => {
  server = await startTestApp();
  const person = await buildAdmin(server.db);
  adminId = person.id;
  admin = await server.as(person);
  await buildCourse(server.db);
  await server.runJobs();
});
afterAll(() => server.close());
beforeEach(async () => {
  cohort = await buildCohort(server.db, { capacity: 5000 });
});

async function upload(records: BulkRecordInput[]): Promise<string> {
  const { import_id: id } = await admin.call(processBulkInvitations, { body: { records, filename: 'people.csv' } });
  return id ?? '';
}

function undo(id: string) {
  return admin.call(undoImport, { params: { id } });
}

async function tokenOf(email: string | undefined): Promise<string> {
  const { hash } = await linkInMail(server.db, email ?? '');
  return new URLSearchParams(hash.slice(1)).get('access_token') ?? '';
}

function accept(token: string) {
  return post(server, setPassword, { token, newPassword: 'Grid-Power-77!' });
}

async function enrolmentOf(id: string) {
  const found = await server.db.selectFrom('cohorts').select('currentEnrollment').where('id', '=', id).execute();
  return found[0]?.currentEnrollment;
}

function countOf(table: 'profiles' | 'auth.user', emails: (string | undefined)[]) {
  return server.db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(
      'email',
      'in',
      emails.map((email) => email ?? ''),
    )
    .executeTakeFirstOrThrow();
}

test('an import is undone: accounts and places go, links die, the counter is right, and the file comes in again', async () => {
  const other = await buildParticipant(server.db);
  await enrol(server.db, { cohortId: cohort.id, participantId: other.id });
  const coach = bulkRecordFor(cohort, { role: 'coach' });
  const records = [coach, ...bulkRecordsFor(cohort, 3), bulkRecordFor(cohort, { coach_email: coach.email })];
  const failing = bulkRecordFor(cohort, { email: 'wrong' });
  const id = await upload([...records, failing]);
  const madeCoach = await server.db
    .selectFrom('profiles')
    .select('id')
    .where('email', '=', coach.email ?? '')
    .executeTakeFirstOrThrow();
  await assignCoach(server.db, { participantId: other.id, coachId: madeCoach.id });
  const { rows: made } = await admin.call(listImportRows, { params: { id }, query: {} });
  const fellowId = made[1]?.userId ?? '';
  await buildStipend(server.db, { fellowId, cohortId: cohort.id });
  const decided = await buildStipend(server.db, {
    fellowId,
    cohortId: cohort.id,
    weekNumber: 2,
    paymentStatus: 'denied',
  });
  const token = await tokenOf(records[1]?.email);
  expect(await enrolmentOf(cohort.id)).toBe(5);
  expect(await admin.call(readImport, { params: { id } })).toMatchObject({
    undo: { accounts: 5, participants: 4, coaches: 1, admins: 0, places: 4, leftWithoutCoach: 1, refusal: null },
    can: { undo: true },
    undoneAt: null,
  });

  const told = await toldBy(server, async () => expect(await undo(id)).toEqual({ accounts: 5 }));
  expect(told({ id: adminId })).toEqual(expect.arrayContaining(['imports', 'people']));
  expect(told(other)).toContain('coaches');

  const emails = records.map(({ email }) => email);
  expect(await countOf('profiles', emails)).toEqual({ count: 0 });
  expect(await countOf('auth.user', emails)).toEqual({ count: 0 });
  const stipends = server.db.selectFrom('stipendEligibility').select('id').where('fellowId', '=', fellowId);
  expect(await stipends.execute()).toEqual([{ id: decided.id }]);
  expect(await enrolmentOf(cohort.id)).toBe(1);
  expect((await accept(token)).status).toBe(404);
  expect(await mailsTo(server.db, records[1]?.email ?? '')).toEqual([]);
  const courses = await server.db.selectFrom('userCourses').select('coachId').where('userId', '=', other.id).execute();
  expect(courses).toEqual([{ coachId: null }]);
  expect(await server.db.selectFrom('auditLog').selectAll().where('subjectId', '=', other.id).execute()).toMatchObject([
    { actorId: adminId, action: 'coach.unassign', before: { coachId: madeCoach.id }, after: { coachId: null } },
  ]);
  const after = await admin.call(readImport, { params: { id } });
  expect(after).toMatchObject({ status: 'completed', successfulRecords: 5, undoneAt: expect.any(String) });
  expect(after).toMatchObject({ can: { undo: false }, undo: { refusal: 'This import was undone already.' } });
  expect(after.rowsByState).toEqual([
    { state: 'failed', rows: 1 },
    { state: 'undone', rows: 5 },
  ]);
  const { rows } = await admin.call(listImportRows, { params: { id }, query: { state: 'undone' } });
  expect(rows.map(({ email }) => email)).toEqual(emails);
  const audited = await server.db
    .selectFrom('auditLog')
    .select(['actorId', 'after'])
    .where('action', '=', 'import.undo')
    .where('subjectId', '=', id)
    .execute();
  expect(audited).toEqual([
    { actorId: adminId, after: { accounts: 5, participants: 4, coaches: 1, admins: 0, places: 4 } },
  ]);

  expect(await admin.refused(undoImport, { params: { id } })).toMatchObject({ status: 409 });
  const again = await upload(records);
  expect(await admin.call(readImport, { params: { id: again } })).toMatchObject({ successfulRecords: 5 });
  expect(await enrolmentOf(cohort.id)).toBe(5);
});

test('once somebody of it has been here the whole import stays, and the refusal names them', async () => {
  const records = [bulkRecordFor(cohort, { first_name: 'Ida', last_name: 'Wells' }), ...bulkRecordsFor(cohort, 2)];
  const id = await upload(records);
  expect((await accept(await tokenOf(records[0]?.email))).status).toBe(200);

  const refusal = await admin.refused(undoImport, { params: { id } });

  expect(refusal).toMatchObject({ status: 409, problem: { code: 'conflict' } });
  expect(refusal.problem.detail).toContain('Ida Wells has accepted the invitation or signed in');
  expect(
    await countOf(
      'auth.user',
      records.map(({ email }) => email),
    ),
  ).toEqual({ count: 3 });
  expect(await enrolmentOf(cohort.id)).toBe(3);
  expect(await admin.call(readImport, { params: { id } })).toMatchObject({
    can: { undo: false },
    undo: { refusal: refusal.problem.detail },
  });
});

test('of an undo and an invitation accepted at the same moment one wins, never half of each', async () => {
  for (let round = 0; round < 5; round += 1) {
    const records = bulkRecordsFor(cohort, 2);
    const id = await upload(records);
    const token = await tokenOf(records[0]?.email);
    const [undone, accepted] = await Promise.all([
      admin.fetch(`/api/imports/${id}/undo`, { method: 'POST' }),
      accept(token),
    ]);
    expect([
      [200, 404],
      [409, 200],
    ]).toContainEqual([undone.status, accepted.status]);
    const { count } = await countOf(
      'auth.user',
      records.map(({ email }) => email),
    );
    expect(count).toBe(undone.status === 200 ? 0 : 2);
  }
});

test('what a coach wrote to somebody of the import stays; a person who was removed before is left as they are', async () => {
  const coach = await buildCoach(server.db);
  const records = bulkRecordsFor(cohort, 2).map((record) => ({ ...record, coach_email: coach.email }));
  const id = await upload(records);
  const { rows } = await admin.call(listImportRows, { params: { id }, query: {} });
  const [written, removed] = rows.map(({ userId }) => userId ?? '');
  await (await server.as(coach)).call(sendMessage, {
    params: { id: written ?? '' },
    body: { clientKey: '00000000-0000-4000-8000-000000000001', text: 'Welcome!', fileId: null },
  });
  await sql`update profiles set deleted_at = now(), email = 'gone@deleted.invalid' where id = ${removed}`.execute(
    server.db,
  );

  expect(await undo(id)).toEqual({ accounts: 1 });

  const messages = server.db
    .selectFrom('coachMessages')
    .select('message')
    .where('recipientId', '=', written ?? '');
  expect(await messages.execute()).toEqual([{ message: 'Welcome!' }]);
  const after = await admin.call(listImportRows, { params: { id }, query: {} });
  expect(after.rows.map(({ state }) => state)).toEqual(['undone', 'deleted']);
});

test('an import that runs, brought nobody in or is unknown is not undone; neither by another role', async () => {
  const failed = await upload([bulkRecordFor(cohort, { email: 'wrong' })]);
  expect((await admin.refused(undoImport, { params: { id: failed } })).problem.detail).toContain('added nobody');
  const running = await server.db
    .insertInto('bulkImports')
    .values({ filename: 'running.csv', totalRecords: 1, createdBy: adminId })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect((await admin.refused(undoImport, { params: running })).problem.detail).toContain('still running');
  expect(await admin.refused(undoImport, { params: { id: cohort.id } })).toMatchObject({ status: 404 });
  const id = await upload(bulkRecordsFor(cohort, 1));
  const coach = await server.as(await buildCoach(server.db));
  expect(await coach.refused(undoImport, { params: { id } })).toMatchObject({ status: 403 });
  expect(await enrolmentOf(cohort.id)).toBe(1);
});

test('everybody of a large import is undone in one request', async () => {
  const count = sizeOf({ usual: 200, deep: 1000 });
  const id = await upload(bulkRecordsFor(cohort, count));
  await expect
    .poll(() => admin.call(readImport, { params: { id } }))
    .toMatchObject({ status: 'completed', successfulRecords: count });
  expect(await undo(id)).toEqual({ accounts: count });
  expect(await enrolmentOf(cohort.id)).toBe(0);
});

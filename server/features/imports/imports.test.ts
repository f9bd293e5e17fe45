import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { processBulkInvitations } from '#contract/documented-functions.ts';
import { readImport } from '#contract/import-results.ts';
import { listImportableCohorts, listImports } from '#contract/imports.ts';
import { buildCohort, buildCourse } from '#test/factories/cohorts.ts';
import { type BulkRecordInput, bulkRecordFor, bulkRecordsFor } from '#test/factories/imports.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { mailsTo } from '#test/support/sign-in.ts';
import { giveUpImport, importNextChunk } from './import-chunks.ts';

let server: TestApp;
let admin: Client;
let cohort: Awaited<ReturnType<typeof buildCohort>>;

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.as(await buildAdmin(server.db));
  await buildCourse(server.db);
  await server.runJobs();
});
afterAll(() => server.close());
beforeEach(async () => {
  cohort = await buildCohort(server.db, { capacity: 5000 });
});

function upload(records: BulkRecordInput[], filename = 'people.csv') {
  return admin.call(processBulkInvitations, { body: { records, filename } });
}

function profileOf(email: string | undefined) {
  return server.db
    .selectFrom('profiles')
    .selectAll()
    .where('email', '=', email ?? '')
    .executeTakeFirst();
}

test('DATA1-17 BULK-32 BULK-33 BULK-42 BULK-43 makes account, profile, membership and invitation of every kind of record', async () => {
  const coach = bulkRecordFor(cohort, { role: 'Coach', first_name: ' Łukasz ', last_name: "O'Hara" });
  const participant = bulkRecordFor(cohort, { track_type: 'self_learner', coach_email: coach.email });
  const plain = bulkRecordFor(cohort);

  const answer = await upload([participant, coach, plain]);

  expect(answer).toMatchObject({
    success: true,
    status: 'completed',
    total_records: 3,
    successful_records: 3,
    failed_records: 0,
    errors: [],
    webhook_sent: false,
    error: null,
  });
  const madeCoach = await profileOf(coach.email);
  const madeParticipant = await profileOf(participant.email);
  const madePlain = await profileOf(plain.email);
  expect(madeCoach).toMatchObject({ firstName: 'Łukasz', lastName: "O'Hara", role: 'coach', trackType: null });
  expect(madeParticipant).toMatchObject({ firstName: 'Nadia', role: 'participant', trackType: 'self_learner' });
  expect(madePlain).toMatchObject({ role: 'participant', trackType: 'fellowship' });

  const members = await server.db
    .selectFrom('cohortParticipants')
    .select(['participantId', 'status'])
    .where('cohortId', '=', cohort.id)
    .orderBy('participantId')
    .execute();
  expect(members).toEqual(
    [madeParticipant?.id, madePlain?.id].sort().map((participantId) => ({ participantId, status: 'active' })),
  );
  const courses = await server.db
    .selectFrom('userCourses')
    .select(['userId', 'coachId', 'status'])
    .where('userId', 'in', [madeParticipant?.id ?? '', madePlain?.id ?? ''])
    .execute();
  expect(courses).toContainEqual({ userId: madeParticipant?.id, coachId: madeCoach?.id, status: 'enrolled' });
  expect(courses).toContainEqual({ userId: madePlain?.id, coachId: null, status: 'enrolled' });
  const trail = await server.db
    .selectFrom('auditLog')
    .select(['action', 'after'])
    .where('subjectId', '=', madeParticipant?.id ?? '')
    .execute();
  expect(trail).toEqual([
    { action: 'user.create', after: { role: 'participant', importId: answer.import_id, coachId: madeCoach?.id } },
  ]);

  const addresses = [coach, participant, plain].map(({ email }) => email ?? '');
  const mails = (await Promise.all(addresses.map((address) => mailsTo(server.db, address)))).flat();
  expect(mails).toHaveLength(3);
  for (const mail of mails) {
    expect(mail.kind).toBe('invitation');
    expect(mail.textBody).toMatch(/\/set-password/);
  }
  const invitations = await server.db
    .selectFrom('invitations')
    .selectAll()
    .where('importId', '=', answer.import_id)
    .execute();
  expect(invitations).toHaveLength(3);
});

test('BULK-44 every rule of a row is applied again, and the good rows beside a bad one still get in', async () => {
  const good = bulkRecordFor(cohort);
  const answer = await upload([
    bulkRecordFor(cohort, { first_name: '  ' }),
    bulkRecordFor(cohort, { email: 'nobody@' }),
    good,
    bulkRecordFor(cohort, { role: 'owner' }),
    bulkRecordFor(cohort, { cohort: 'Nowhere' }),
    bulkRecordFor(cohort, { track_type: 'tourist' }),
    {},
  ]);

  expect(answer).toMatchObject({ success: true, total_records: 7, successful_records: 1, failed_records: 6 });
  expect(answer.errors.map(({ row, error }) => [row, error])).toEqual([
    [1, 'First name is required'],
    [2, 'Invalid email format'],
    [4, 'Role must be participant, coach, or admin'],
    [5, 'Invalid cohort "Nowhere" for program "fellowship". Please check available cohorts.'],
    [6, 'Track type must be fellowship, adult_mobilization, or self_learner'],
    [
      7,
      'First name is required; Last name is required; Email is required; Program is required; Cohort is required; Role is required',
    ],
  ]);
  expect(await profileOf(good.email)).toBeDefined();
});

test('BULK-20 BULK-21 a cohort of another programme, or neither active nor planning, is not one to come into', async () => {
  const planned = await buildCohort(server.db, { status: 'planning' });
  const finished = await buildCohort(server.db, { status: 'completed' });
  const cancelled = await buildCohort(server.db, { status: 'cancelled' });
  const adult = await buildCohort(server.db, { programType: 'adult_mobilization' });

  const answer = await upload([planned, finished, cancelled, adult].map((place) => bulkRecordFor(place)));

  expect(answer.successful_records).toBe(1);
  expect(answer.errors.map(({ row, error }) => [row, error])).toEqual(
    [finished, cancelled, adult].map(({ name }, index) => [
      index + 2,
      `Invalid cohort "${name}" for program "fellowship". Please check available cohorts.`,
    ]),
  );
  const { cohorts } = await admin.call(listImportableCohorts);
  const names = cohorts.map(({ name }) => name);
  expect(names).toContain(planned.name);
  expect(names).toContain(adult.name);
  expect(names).not.toContain(finished.name);
  expect(names).not.toContain(cancelled.name);
});

test('BULK-45 an email that has an account or is repeated counts as failed and changes nobody', async () => {
  const existing = await buildCoach(server.db, { email: 'taken@people.example', firstName: 'Before' });
  const once = bulkRecordFor(cohort, { email: 'Twice@people.example' });

  const answer = await upload([
    bulkRecordFor(cohort, { email: 'TAKEN@people.example', role: 'admin' }),
    once,
    bulkRecordFor(cohort, { email: 'twice@PEOPLE.example', role: 'admin' }),
  ]);

  expect(answer).toMatchObject({ successful_records: 1, failed_records: 2, total_records: 3 });
  expect(answer.errors).toEqual([
    { row: 1, email: 'taken@people.example', error: 'An account with this email already exists' },
    { row: 3, email: 'twice@people.example', error: 'This email is repeated in the file; its first record was used' },
  ]);
  expect(await profileOf('taken@people.example')).toEqual(existing);
  expect(await profileOf('twice@people.example')).toMatchObject({ role: 'participant' });
});

test('BULK-07 BULK-44 takes exactly 1000 records and refuses 1001 and none, writing nothing', async () => {
  const refused = await upload(bulkRecordsFor(cohort, 1001), 'refused.csv');
  expect(refused).toMatchObject({
    success: false,
    import_id: null,
    error: 'Maximum 1000 records allowed per upload',
    successful_records: 0,
  });
  expect(await upload([], 'refused.csv')).toMatchObject({ success: false, import_id: null, error: 'File is empty' });
  const { rows } = await admin.call(listImports, { query: {} });
  expect(rows.filter(({ filename }) => filename === 'refused.csv')).toEqual([]);

  const answer = await upload(bulkRecordsFor(cohort, 1000));
  expect(answer.total_records).toBe(1000);
  await expect
    .poll(() => stateOf(answer.import_id))
    .toMatchObject({
      status: 'completed',
      successfulRecords: 1000,
      failedRecords: 0,
    });
  const place = await server.db.selectFrom('cohorts').select('currentEnrollment').where('id', '=', cohort.id).execute();
  expect(place).toEqual([{ currentEnrollment: 1000 }]);
});

test('BULK-35 BULK-45 the same file a second time makes nobody twice and sends no second mail', async () => {
  const records = bulkRecordsFor(cohort, 12);
  expect(await upload(records)).toMatchObject({ success: true, successful_records: 12 });

  const again = await upload(records);

  expect(again).toMatchObject({ success: false, status: 'failed', successful_records: 0, failed_records: 12 });
  expect(again.error).toBe('No account was created: every record failed.');
  const mails = await server.db
    .selectFrom('deliveries')
    .select('address')
    .where(
      'address',
      'in',
      records.map(({ email }) => email ?? ''),
    )
    .execute();
  expect(mails).toHaveLength(12);
});

test('BULK-45 the same file twice at the same moment makes nobody twice', async () => {
  const records = bulkRecordsFor(cohort, 30);
  const answers = await Promise.all([upload(records), upload(records)]);
  expect(answers.map(({ successful_records }) => successful_records).sort()).toEqual([0, 30]);
  expect(answers.map(({ failed_records }) => failed_records).sort()).toEqual([0, 30]);
});

test('a participant whose coach is nobody, or in a full cohort, is failed with the reason', async () => {
  const small = await buildCohort(server.db, { capacity: 1 });
  const adult = await buildCohort(server.db, { programType: 'adult_mobilization' });
  const coach = await buildCoach(server.db);
  const answer = await upload([
    bulkRecordFor(cohort, { coach_email: 'ghost@people.example' }),
    bulkRecordFor(cohort, { coach_email: 'no address' }),
    bulkRecordFor(cohort, { role: 'coach', coach_email: coach.email }),
    bulkRecordFor(adult, { program: 'adult_mobilization', coach_email: coach.email }),
    bulkRecordFor(small),
    bulkRecordFor(small),
    bulkRecordFor(small, { role: 'coach' }),
  ]);
  expect(answer.successful_records).toBe(2);
  expect(answer.errors.map(({ row, error }) => [row, error])).toEqual([
    [1, 'No coach has the email "ghost@people.example"'],
    [2, 'Invalid coach email format'],
    [3, 'Only a participant can have a coach'],
    [4, 'Program "adult_mobilization" has no course, so we cannot assign a coach'],
    [6, `Cohort "${small.name}" is full: all 1 places are taken`],
  ]);
});

test('only an admin may bring people in or read what was brought in', async () => {
  const { import_id: importId } = await upload(bulkRecordsFor(cohort, 1));
  const record = bulkRecordFor(cohort);
  for (const person of [await buildParticipant(server.db), await buildCoach(server.db)]) {
    const client = await server.as(person);
    const body = { records: [record], filename: 'mine.csv' };
    expect(await client.refused(processBulkInvitations, { body })).toMatchObject({ status: 403 });
    expect(await client.refused(listImports, { query: {} })).toMatchObject({ status: 403 });
    expect(await client.refused(readImport, { params: { id: importId ?? '' } })).toMatchObject({ status: 403 });
  }
  const nobody = await server.as(null);
  const body = { records: [record], filename: 'mine.csv' };
  expect(await nobody.refused(processBulkInvitations, { body })).toMatchObject({ status: 401 });
  expect(await profileOf(record.email)).toBeUndefined();
});

test('what PostgreSQL cannot hold as text fails no upload', async () => {
  const record = bulkRecordFor(cohort, { first_name: 'Na\0dia', last_name: 'N\ud800g' });
  expect(await upload([record], 'nul\0.csv')).toMatchObject({ success: true, successful_records: 1 });
  expect(await profileOf(record.email)).toMatchObject({ firstName: 'Nadia', lastName: 'N\ufffdg' });
});

test('BULK-38 BULK-39 BULK-40 DATA1-18 the history shows each upload, newest first, with its error report', async () => {
  const first = await upload(bulkRecordsFor(cohort, 2), 'first.csv');
  const second = await upload([bulkRecordFor(cohort), bulkRecordFor(cohort, { email: 'wrong' })], 'second.csv');

  const { rows } = await admin.call(listImports, { query: {} });
  expect(rows.slice(0, 2).map(({ id }) => id)).toEqual([second.import_id, first.import_id]);
  expect(rows[0]).toEqual({
    id: second.import_id,
    filename: 'second.csv',
    status: 'completed',
    totalRecords: 2,
    successfulRecords: 1,
    failedRecords: 1,
    createdAt: expect.any(String),
    completedAt: expect.any(String),
    createdBy: { firstName: expect.any(String), lastName: expect.any(String) },
    undoneAt: null,
  });
  expect((await stateOf(second.import_id)).errorReport).toEqual([
    { row: 2, fileRow: 3, email: 'wrong', error: 'Invalid email format' },
  ]);
});

test('BULK-40 a killed upload keeps what is in, and the next process brings in the rest exactly once', async () => {
  const quiet = await startTestApp();
  const place = await buildCohort(quiet.db, { capacity: 5000 });
  const uploader = await quiet.as(await buildAdmin(quiet.db));
  const records = bulkRecordsFor(place, 250);
  const body = { records, filename: 'long.csv' };
  // No job process runs here yet. The answer comes after the waiting time, with nothing done.
  const answer = await uploader.call(processBulkInvitations, { body });
  const importId = answer.import_id ?? '';
  expect(answer).toMatchObject({ success: true, status: 'processing', successful_records: 0, failed_records: 0 });
  const readState = () => uploader.call(readImport, { params: { id: importId } });
  expect(await readState()).toMatchObject({ status: 'processing', completedAt: null });

  await quiet.db.transaction().execute((db) => importNextChunk(db, importId, quiet.app));
  const isKilled = new Error('killed');
  const killed = quiet.db.transaction().execute(async (db) => {
    await importNextChunk(db, importId, quiet.app);
    throw isKilled;
  });
  await expect(killed).rejects.toBe(isKilled);
  expect(await readState()).toMatchObject({ status: 'processing', successfulRecords: 100 });
  expect(await countMails()).toBe(100);

  const second = await openTestApp(quiet.connectionString, { DATA_DIR: quiet.app.config.dataDir });
  // The killed process still holds the job. Only the look at unfinished uploads brings a new one.
  await sql`delete from pgboss.job where name = 'run-import'`.execute(quiet.db);
  await second.runJobs();
  await expect.poll(readState).toMatchObject({
    status: 'completed',
    totalRecords: 250,
    successfulRecords: 250,
    failedRecords: 0,
    completedAt: expect.any(String),
  });
  expect(await countMails()).toBe(250);
  const people = await quiet.db.selectFrom('profiles').select('id').where('role', '=', 'participant').execute();
  expect(people).toHaveLength(250);
  expect(await quiet.db.transaction().execute((db) => importNextChunk(db, importId, quiet.app))).toBe(false);
  await second.close();
  await quiet.close();

  async function countMails() {
    return (await quiet.db.selectFrom('deliveries').select('id').where('kind', '=', 'invitation').execute()).length;
  }
});

test('BULK-40 an upload that breaks for good ends with what is in, and names what is not', async () => {
  const quiet = await startTestApp();
  const place = await buildCohort(quiet.db, { capacity: 5000 });
  const uploader = await quiet.as(await buildAdmin(quiet.db));
  const body = { records: bulkRecordsFor(place, 101), filename: 'broken.csv' };
  const answering = uploader.call(processBulkInvitations, { body });
  const readFirst = async () => (await uploader.call(listImports, { query: {} })).rows[0];
  await expect.poll(readFirst).toMatchObject({ status: 'processing' });
  const importId = (await readFirst())?.id ?? '';
  await quiet.db.transaction().execute((db) => importNextChunk(db, importId, quiet.app));

  await quiet.db.transaction().execute((db) => giveUpImport(db, importId));
  await quiet.db.transaction().execute((db) => giveUpImport(db, importId));

  const errors = [
    { row: 101, email: body.records[100]?.email, error: 'Processing broke off before this record; upload it again' },
  ];
  expect(await answering).toMatchObject({ status: 'completed', successful_records: 100, failed_records: 1, errors });
  expect(await uploader.call(readImport, { params: { id: importId } })).toMatchObject({
    status: 'completed',
    completedAt: expect.any(String),
    errorReport: [{ ...errors[0], fileRow: 102 }],
  });
  await quiet.close();
});

function stateOf(importId: string | null) {
  return admin.call(readImport, { params: { id: importId ?? '' } });
}

test('a file that makes coaches or admins needs a fresh proof of who sends it; one of participants does not', async () => {
  const sender = await buildAdmin(server.db);
  const client = await server.as(sender);
  await sql`update auth.session set proved_at = now() - interval '16 minutes' where user_id = ${sender.id}`.execute(
    server.db,
  );
  for (const role of ['admin', ' Coach ']) {
    const records = [bulkRecordFor(cohort), bulkRecordFor(cohort, { role })];
    const refusal = await client.refused(processBulkInvitations, { body: { records, filename: 'people.csv' } });
    expect(refusal.problem.code).toBe('proof_required');
    expect(await profileOf(records[0]?.email)).toBeUndefined();
  }
  const records = [bulkRecordFor(cohort)];
  const answer = await client.call(processBulkInvitations, { body: { records, filename: 'people.csv' } });
  expect(answer.successful_records).toBe(1);
});

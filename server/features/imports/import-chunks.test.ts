import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readImport } from '#contract/import-results.ts';
import { jobList } from '#server/job-list.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { bulkRecordFor, bulkRecordsFor } from '#test/factories/imports.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { openTestApp } from '#test/support/app.ts';
import { type ImportsWithoutJobs, startImportsWithoutJobs } from '#test/support/imports-without-jobs.ts';
import { toldBy } from '#test/support/live-news.ts';
import { mailsTo } from '#test/support/sign-in.ts';
import { giveUpImport, resumeRunningImports } from './import-chunks.ts';

let { server, admin, client, keep, next, finish } = {} as ImportsWithoutJobs;
let cohort: Awaited<ReturnType<typeof buildCohort>>;

beforeAll(async () => {
  ({ server, admin, client, keep, next, finish } = await startImportsWithoutJobs());
});
afterAll(() => server.close());
beforeEach(async () => {
  cohort = await buildCohort(server.db);
});

const giveUp = (importId: string) => inTransaction(server.db, (db) => giveUpImport(db, importId));
const stateOf = (importId: string) => client.call(readImport, { params: { id: importId } });

function profileOf(email: string | undefined) {
  return server.db
    .selectFrom('profiles')
    .select(['id', 'role', 'firstName'])
    .where('email', '=', email ?? '')
    .executeTakeFirst();
}

function membersOf({ id }: { id: string }) {
  const members = server.db.selectFrom('cohortParticipants').select('participantId');
  return members.where('cohortId', '=', id).execute();
}

function rowsOf(importId: string) {
  return server.db
    .selectFrom('bulkImportRows')
    .select(['rowNumber', 'status', 'userId', 'error', 'record'])
    .where('importId', '=', importId)
    .orderBy('rowNumber')
    .execute();
}

async function jobsOf(queue: string): Promise<unknown[]> {
  const found = await sql<{ data: unknown }>`select data from pgboss.job where name = ${queue}`.execute(server.db);
  return found.rows.map(({ data }) => data);
}

const brokeOff = 'Processing broke off before this record; upload it again';

test('a participant comes in after the coach of the same file, whatever the order, and the upload ends once', async () => {
  const coach = bulkRecordFor(cohort, { role: 'coach' });
  const participant = bulkRecordFor(cohort, { coach_email: coach.email });
  const id = await keep([participant, coach]);
  expect(await next(id)).toBe(true);
  expect((await rowsOf(id)).map(({ status }) => status)).toEqual(['waiting', 'succeeded']);
  expect(await membersOf(cohort)).toEqual([]);
  expect(await next(id)).toBe(true);
  expect(await stateOf(id)).toMatchObject({ status: 'processing', successfulRecords: 2, completedAt: null });
  expect(await next(id)).toBe(false);
  const ended = await stateOf(id);
  expect(ended).toMatchObject({ status: 'completed', successfulRecords: 2, failedRecords: 0 });
  const made = [await profileOf(participant.email), await profileOf(coach.email)];
  expect(await membersOf(cohort)).toEqual([{ participantId: made[0]?.id }]);
  // The profile has what the file said of a person. The row no longer does.
  expect(await rowsOf(id)).toEqual(
    made.map((person, index) => ({
      rowNumber: index + 1,
      status: 'succeeded',
      userId: person?.id,
      error: null,
      record: {},
    })),
  );
  expect(await next(id)).toBe(false);
  await giveUp(id);
  expect(await stateOf(id)).toEqual(ended);
});

test('an upload is on record at its begin with what was refused, at its end with what came of it, and with each person', async () => {
  const coach = await buildCoach(server.db);
  const records = [
    bulkRecordFor(cohort, { coach_email: coach.email }),
    bulkRecordFor(cohort),
    bulkRecordFor(cohort, { email: 'wrong' }),
  ];
  const importId = await keep(records);
  await finish(importId);
  const trailOf = (subjectId: string) =>
    server.db
      .selectFrom('auditLog')
      .select(['actorId', 'action', 'subjectType', 'before', 'after'])
      .where('subjectId', '=', subjectId)
      .orderBy('id')
      .execute();
  const line = { actorId: admin.id, subjectType: 'bulk_import', before: null };
  expect(await trailOf(importId)).toEqual([
    { ...line, action: 'import.start', after: { records: 3, refused: 1 } },
    {
      ...line,
      action: 'import.end',
      after: { status: 'completed', totalRecords: 3, successfulRecords: 2, failedRecords: 1 },
    },
  ]);
  const [coached, plain] = [await profileOf(records[0]?.email), await profileOf(records[1]?.email)];
  const created = { actorId: admin.id, subjectType: 'user', before: null, action: 'user.create' };
  const participant = { role: 'participant', importId };
  expect(await trailOf(coached?.id ?? '')).toEqual([{ ...created, after: { ...participant, coachId: coach.id } }]);
  expect(await trailOf(plain?.id ?? '')).toEqual([{ ...created, after: participant }]);
});

test('BULK-45 a person who got an account after the file was checked is left out, and all others of the chunk come in', async () => {
  const records = bulkRecordsFor(cohort, 3);
  const id = await keep(records);
  const [, taken] = records;
  const before = await buildParticipant(server.db, { email: taken?.email ?? '', firstName: 'Before' });
  await finish(id);
  expect(await stateOf(id)).toMatchObject({
    status: 'completed',
    successfulRecords: 2,
    failedRecords: 1,
    errorReport: [{ row: 2, email: taken?.email, error: 'An account with this email already exists' }],
  });
  expect((await rowsOf(id)).map(({ userId }) => userId !== null)).toEqual([true, false, true]);
  expect(await profileOf(taken?.email)).toMatchObject({ id: before.id, firstName: 'Before' });
  expect(await mailsTo(server.db, taken?.email ?? '')).toEqual([]);
  const { currentEnrollment } = await server.db
    .selectFrom('cohorts')
    .select('currentEnrollment')
    .where('id', '=', cohort.id)
    .executeTakeFirstOrThrow();
  expect(currentEnrollment).toBe(2);
});

test('of two files that overlap in one cohort, the people of the second get the places that are still free', async () => {
  const small = await buildCohort(server.db, { capacity: 4 });
  const records = bulkRecordsFor(small, 4);
  const first = await keep(records.slice(0, 3));
  // It is checked before the first file has made anybody.
  const second = await keep(records.slice(1));
  await finish(first);
  await finish(second);
  const error = 'An account with this email already exists';
  expect(await stateOf(second)).toMatchObject({
    successfulRecords: 1,
    failedRecords: 2,
    errorReport: [
      { row: 1, error },
      { row: 2, error },
    ],
  });
  const made = await Promise.all(records.map(({ email }) => profileOf(email)));
  const members = await membersOf(small);
  expect(members.map(({ participantId }) => participantId).sort()).toEqual(made.map((person) => person?.id).sort());
});

test('a file of which nobody comes in has failed, and each row says why', async () => {
  const records = bulkRecordsFor(cohort, 2);
  const id = await keep(records);
  await server.db.updateTable('cohorts').set({ status: 'completed' }).where('id', '=', cohort.id).execute();
  await finish(id);
  const error = 'The cohort is no longer active or planning';
  expect(await stateOf(id)).toMatchObject({
    status: 'failed',
    successfulRecords: 0,
    failedRecords: 2,
    errorReport: [
      { row: 1, error },
      { row: 2, error },
    ],
  });
  for (const { email } of records) {
    expect(await profileOf(email)).toBeUndefined();
    expect(await mailsTo(server.db, email ?? '')).toEqual([]);
  }
});

test('the other admins are told of the admins that a file makes, and of nobody else', async () => {
  const queue = 'tell-of-new-admins';
  await finish(await keep([bulkRecordFor(cohort), bulkRecordFor(cohort, { role: 'coach' })]));
  expect(await jobsOf(queue)).toEqual([]);
  const record = bulkRecordFor(cohort, { role: 'admin' });
  await finish(await keep([record, bulkRecordFor(cohort, { role: 'coach' })]));
  const made = await profileOf(record.email);
  expect(await jobsOf(queue)).toEqual([{ personIds: [made?.id], isInvited: true }]);
});

test('the screens of admins follow an upload from step to step, also if a step brings nobody in', async () => {
  const tells = async (act: () => Promise<unknown>) => (await toldBy(server, act))(admin);
  const coach = await buildCoach(server.db);
  let id = '';
  const kept = async () => {
    id = await keep([bulkRecordFor(cohort, { coach_email: coach.email })]);
  };
  expect(await tells(kept)).toContain('imports');
  const ofAll = ['coaches', 'enrolments', 'imports', 'people'];
  expect(await tells(() => next(id))).toEqual(expect.arrayContaining(ofAll));
  expect(await tells(() => next(id))).toContain('imports');
  expect(await tells(() => next(id))).toEqual([]);
  const late = await keep(bulkRecordsFor(cohort, 1));
  const broken = await keep(bulkRecordsFor(cohort, 1));
  await server.db.updateTable('cohorts').set({ status: 'completed' }).where('id', '=', cohort.id).execute();
  expect(await tells(() => next(late))).toContain('imports');
  expect(await tells(() => giveUp(broken))).toContain('imports');
  expect(await tells(() => giveUp(broken))).toEqual([]);
});

test('BULK-40 an upload that is given up counts what still waits as failed, keeps what is in, and says so only once', async () => {
  const coach = bulkRecordFor(cohort, { role: 'coach' });
  const waiting = bulkRecordFor(cohort);
  const id = await keep([waiting, coach, bulkRecordFor(cohort, { email: 'wrong', row: 9 })]);
  await next(id);
  await giveUp(id);
  const ended = await stateOf(id);
  expect(ended).toMatchObject({
    status: 'completed',
    successfulRecords: 1,
    failedRecords: 2,
    errorReport: [
      { row: 1, fileRow: 2, email: waiting.email, error: brokeOff },
      { row: 3, fileRow: 9, email: 'wrong', error: 'Invalid email format' },
    ],
  });
  const rows = await rowsOf(id);
  expect(rows.map(({ status }) => status)).toEqual(['failed', 'succeeded', 'failed']);
  expect(rows[0]?.record).toEqual({ email: waiting.email });
  expect(await profileOf(waiting.email)).toBeUndefined();
  await giveUp(id);
  expect(await next(id)).toBe(false);
  expect(await stateOf(id)).toEqual(ended);
});

test('BULK-40 each upload that still runs gets a job again, and one that has ended gets none', async () => {
  const ended = await keep(bulkRecordsFor(cohort, 1));
  await finish(ended);
  const running = await keep(bulkRecordsFor(cohort, 1));
  const jobs = async (importId: string) =>
    (await jobsOf('run-import')).filter((data) => (data as { importId: string }).importId === importId);
  expect([await jobs(ended), await jobs(running)]).toEqual([[{ importId: ended }], [{ importId: running }]]);
  await inTransaction(server.db, resumeRunningImports);
  expect([(await jobs(ended)).length, (await jobs(running)).length]).toEqual([1, 2]);
  await finish(running);
});

test('BULK-40 an upload whose step fails waits for the next try, and the last try ends it with what is in', async () => {
  const coach = bulkRecordFor(cohort, { role: 'coach' });
  const records = [coach, ...bulkRecordsFor(cohort, 2)];
  const importId = await keep(records);
  // The database refuses such a person.
  await sql`
    update bulk_import_rows set record = record || '{"trackType": "none of ours"}'
    where import_id = ${importId} and row_number = 3`.execute(server.db);
  const job = jobList.find(({ name }) => name === 'run-import');
  const run = (isLast: boolean) => job?.run(server.app, { importId }, { number: 1, isLast });
  await expect(run(false)).rejects.toThrow(/track_type/);
  expect(await stateOf(importId)).toMatchObject({ status: 'processing', successfulRecords: 1, failedRecords: 0 });
  await expect(run(true)).rejects.toThrow(/track_type/);
  expect(await stateOf(importId)).toMatchObject({ status: 'completed', successfulRecords: 1, failedRecords: 2 });
  expect((await rowsOf(importId)).map(({ error }) => error)).toEqual([null, brokeOff, brokeOff]);
  for (const { email } of records.slice(1)) expect(await profileOf(email)).toBeUndefined();
  const again = await keep(records);
  await job?.run(server.app, { importId: again }, { number: 1, isLast: true });
  expect(await stateOf(again)).toMatchObject({ status: 'completed', successfulRecords: 2, failedRecords: 1 });
});

test('each coach hears once how many participants a file gave them, and of the next file again', async () => {
  const [one, two, former] = [await buildCoach(server.db), await buildCoach(server.db), await buildCoach(server.db)];
  const id = await keep([one, two, two].map(({ email }) => bulkRecordFor(cohort, { coach_email: email })));
  await next(id);
  const news = await toldBy(server, () => next(id));
  for (const coach of [one, two]) expect(news(coach)).toEqual(expect.arrayContaining(['coaches', 'enrolments']));
  expect(news(former)).toEqual([]);
  const told = await server.db
    .selectFrom('notices')
    .innerJoin('noticeEvents', 'noticeEvents.id', 'notices.eventId')
    .select(['notices.userId', 'category', 'title', 'message', 'link'])
    .where('notices.kind', '=', 'coach_assignment')
    .where('notices.userId', 'in', [one.id, two.id, former.id])
    .execute();
  const line = { category: 'coach_messages', link: '/coach' };
  expect(told).toHaveLength(2);
  expect(told).toEqual(
    expect.arrayContaining([
      {
        ...line,
        userId: one.id,
        title: 'A participant was assigned to you',
        message: '1 new participant is with you now.',
      },
      {
        ...line,
        userId: two.id,
        title: 'Participants were assigned to you',
        message: '2 new participants are with you now.',
      },
    ]),
  );
  await finish(await keep([bulkRecordFor(cohort, { coach_email: one.email })]));
  const again = server.db.selectFrom('notices').select('id').where('kind', '=', 'coach_assignment');
  expect(await again.where('userId', '=', one.id).execute()).toHaveLength(2);
});

test('BULK-40 a process that begins to run jobs goes on with an upload whose job is lost, and looks for such every minute', async () => {
  const id = await keep(bulkRecordsFor(cohort, 1));
  await sql`delete from pgboss.job where name = 'run-import'`.execute(server.db);
  const second = await openTestApp(server.connectionString, { DATA_DIR: server.app.config.dataDir });
  await second.runJobs();
  expect(await jobsOf('resume-imports')).toContainEqual({});
  await expect.poll(() => stateOf(id), { interval: 50 }).toMatchObject({ status: 'completed', successfulRecords: 1 });
  await second.close();
  const plans = await sql`select cron from pgboss.schedule where name = 'resume-imports'`.execute(server.db);
  expect(plans.rows).toEqual([{ cron: '* * * * *' }]);
});

import { once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { processBulkInvitations } from '#contract/documented-functions.ts';
import type { Db } from '#server/db/database.ts';
import { buildCohort, buildCourse } from '#test/factories/cohorts.ts';
import { type BulkRecordInput, bulkRecordFor, bulkRecordsFor } from '#test/factories/imports.ts';
import { buildAdmin, buildCoach } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { sizeOf } from '#test/support/depth.ts';
import { killServerProcesses, openProcessSession, startServerProcess } from '#test/support/server-process.ts';
import { importNextChunk } from './import-chunks.ts';

let server: TestApp;
let cookie: string;
beforeAll(async () => {
  server = await startTestApp();
  await buildCourse(server.db);
  cookie = await openProcessSession(server, await buildAdmin(server.db));
});
afterAll(async () => {
  killServerProcesses();
  await server.close();
});

function send(url: string, records: BulkRecordInput[]) {
  return fetch(new URL(processBulkInvitations.path, url), {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ records, filename: 'people.csv' }),
  });
}

test('BULK-40 after kill -9 in the middle of an upload the next start brings in the rest; the file again makes nobody', async () => {
  const open = await buildCohort(server.db, { capacity: 5000 });
  const held = await buildCohort(server.db, { capacity: 5000 });
  const coaches = Array.from({ length: 100 }, () => bulkRecordFor(open, { role: 'coach' }));
  const records = [...coaches, ...bulkRecordsFor(held, sizeOf({ usual: 200, deep: 900 }))];
  const [doomed, killed] = await startServerProcess(server);
  let lost: Promise<unknown> | undefined;
  // While this transaction holds the cohort, the upload is halfway: coaches are in, participants wait.
  await server.db.transaction().execute(async (db) => {
    await db.selectFrom('cohorts').select('id').where('id', '=', held.id).forUpdate().execute();
    lost = send(doomed, records).catch((error: Error) => error);
    await vi.waitFor(async () => expect(await countPeople(records)).toBe(100), { interval: 50 });
    killed.kill('SIGKILL');
    await once(killed, 'exit');
  });
  expect(await lost).toBeInstanceOf(Error);
  expect(await countPeople(records)).toBe(100);
  expect(await countMails(records)).toBe(100);
  expect(await statusOfLast()).toBe('processing');

  const [url] = await startServerProcess(server);
  await vi.waitFor(async () => expect(await statusOfLast()).toBe('completed'), { interval: 200 });
  expect(await countPeople(records)).toBe(records.length);
  expect(await countMails(records)).toBe(records.length);
  expect(await (await send(url, records)).json()).toMatchObject({
    successful_records: 0,
    failed_records: records.length,
  });
  expect(await countPeople(records)).toBe(records.length);
  expect(await countMails(records)).toBe(records.length);
  killServerProcesses();
});

test('BULK-45 the same file sent to two processes at once makes everybody once', async () => {
  const cohort = await buildCohort(server.db, { capacity: 5000 });
  const records = bulkRecordsFor(cohort, 250);
  const [[one], [two]] = await Promise.all([startServerProcess(server), startServerProcess(server)]);
  await Promise.all([send(one, records), send(two, records.toReversed())]);
  await vi.waitFor(async () => expect(await countRunning()).toBe(0), { interval: 200 });
  expect(await countPeople(records)).toBe(250);
  expect(await countMails(records)).toBe(250);
  const uploads = await server.db
    .selectFrom('bulkImports')
    .select(['successfulRecords', 'failedRecords'])
    .orderBy('id', 'desc')
    .limit(2)
    .execute();
  expect(uploads.reduce((sum, { successfulRecords }) => sum + successfulRecords, 0)).toBe(250);
  expect(uploads.reduce((sum, { failedRecords }) => sum + failedRecords, 0)).toBe(250);
  killServerProcesses();
});

test('two that work on one upload at once bring everybody in once', async () => {
  const cohort = await buildCohort(server.db, { capacity: 5000 });
  const records = bulkRecordsFor(cohort, 250);
  const client = await server.as(await buildAdmin(server.db));
  const answering = client.call(processBulkInvitations, { body: { records, filename: 'people.csv' } });
  await expect.poll(countRunning).toBe(1);
  const upload = server.db.selectFrom('bulkImports').select('id').where('status', '=', 'processing');
  const { id: importId } = await upload.executeTakeFirstOrThrow();
  const work = async () => {
    const next = () => server.db.transaction().execute((db) => importNextChunk(db, importId, server.app));
    while (await next());
  };
  await Promise.all([work(), work(), work()]);
  expect(await answering).toMatchObject({ successful_records: 250, failed_records: 0 });
  expect(await statusOfLast()).toBe('completed');
  expect(await countPeople(records)).toBe(250);
  expect(await countMails(records)).toBe(250);
});

test('of a coach who loses that role at the same moment nobody is imported', async () => {
  const cohort = await buildCohort(server.db);
  const coach = await buildCoach(server.db);
  const client = await server.as(await buildAdmin(server.db));
  const record = bulkRecordFor(cohort, { coach_email: coach.email });
  const answering = client.call(processBulkInvitations, { body: { records: [record], filename: 'people.csv' } });
  await expect.poll(countRunning).toBe(1);
  const upload = server.db.selectFrom('bulkImports').select('id').where('status', '=', 'processing');
  const { id: importId } = await upload.executeTakeFirstOrThrow();
  let importing: Promise<boolean> = Promise.resolve(true);
  await server.db.transaction().execute(async (demotion) => {
    await demotion.updateTable('profiles').set({ role: 'participant' }).where('id', '=', coach.id).execute();
    let isDone = false;
    const next = (db: Db) => importNextChunk(db, importId, server.app);
    importing = server.db
      .transaction()
      .execute(next)
      .finally(() => {
        isDone = true;
      });
    await expect.poll(async () => isDone || (await isSomebodyWaiting())).toBe(true);
  });
  await importing;
  await server.db.transaction().execute((db) => importNextChunk(db, importId, server.app));
  expect(await answering).toMatchObject({
    successful_records: 0,
    errors: [{ row: 1, error: `No coach has the email "${coach.email}"` }],
  });
});

async function isSomebodyWaiting(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_locks where not granted and pid in
      (select pid from pg_stat_activity where datname = current_database())`.execute(server.db);
  return rows.length > 0;
}

function emailsOf(records: BulkRecordInput[]): string[] {
  return records.map(({ email }) => email ?? '');
}

async function countPeople(records: BulkRecordInput[]): Promise<number> {
  return (await server.db.selectFrom('profiles').select('id').where('email', 'in', emailsOf(records)).execute()).length;
}

async function countMails(records: BulkRecordInput[]): Promise<number> {
  return (
    await server.db
      .selectFrom('deliveries')
      .select('id')
      .where('kind', '=', 'invitation')
      .where('address', 'in', emailsOf(records))
      .execute()
  ).length;
}

async function statusOfLast(): Promise<string | undefined> {
  const found = await server.db.selectFrom('bulkImports').select('status').orderBy('id', 'desc').limit(1).execute();
  return found[0]?.status;
}

async function countRunning(): Promise<number> {
  return (await server.db.selectFrom('bulkImports').select('id').where('status', '=', 'processing').execute()).length;
}

import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { downloadFile } from '#contract/files.ts';
import { deleteUserFile, listUserFiles } from '#contract/user-files.ts';
import { pdfOf } from '#test/factories/files.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { startS3, type TestS3 } from '#test/support/s3.ts';
import { askOffset, beginUpload, idOf, sendBytes, uploadFile } from '#test/support/uploads.ts';
import { removeStoredFileJob } from './file-jobs.ts';
import { removeStoredFileQueue } from './stored-file-queue.ts';

const notSetUp = 'The file storage is not set up: its bucket is missing. Please tell an administrator.';
const notAllowed = 'The file storage refused this by its permissions policy. Please tell an administrator.';
const notReached = 'The file storage could not be reached because of a network issue. Please try again.';

let s3: TestS3;
let server: TestApp;
let client: Client;
let fileId: string;
beforeAll(async () => {
  s3 = await startS3();
  server = await startTestApp(s3.env);
  client = await server.as(await buildParticipant(server.db));
  fileId = await uploadFile(client, { area: 'my_files', name: 'kept.txt' }, 'kept');
});
afterAll(async () => {
  await server.close();
  await s3.close();
});

const download = () => client.fetch(downloadFile.path.replace(':id', fileId));
const upload = () => beginUpload(client, { area: 'my_files', name: 'new.txt', size: 4 });
const saysOf = async (answer: Response) => ({ status: answer.status, says: (await problemOf(answer)).detail });

describe('a storage that fails', () => {
  test('ERR-04 each cause is named at download and upload, and the same works when it is mended', async () => {
    for (const [code, says] of [
      ['NoSuchBucket', notSetUp],
      ['AccessDenied', notAllowed],
      ['InvalidAccessKeyId', notAllowed],
    ] as const) {
      s3.failWith(code);
      expect(await saysOf(await download()), code).toEqual({ status: 503, says });
      expect(await saysOf(await upload()), code).toEqual({ status: 503, says });
    }
    s3.failWith(null);
    expect(await (await download()).text()).toBe('kept');
    const list = await client.call(listUserFiles);
    expect(list).toMatchObject({ rows: [{ name: 'kept.txt' }], unfinished: [], usedBytes: 4 });
    expect((await upload()).status).toBe(201);
  });

  test('ERR-04 a storage out of reach is told as a network issue', async () => {
    const gone = await startS3();
    const elsewhere = await startTestApp(gone.env);
    const visitor = await elsewhere.as(await buildParticipant(elsewhere.db));
    const id = await uploadFile(visitor, { area: 'my_files', name: 'kept.txt' }, 'kept');
    await gone.close();
    const answer = await visitor.fetch(downloadFile.path.replace(':id', id));
    expect(await saysOf(answer)).toEqual({ status: 503, says: notReached });
    await elsewhere.close();
  });
});

describe('a bucket whose server has trouble in the middle of an upload', () => {
  const content = pdfOf(6 * 1024 * 1024);
  const size = content.length;
  const cannotAnswer = 'The file storage cannot answer at the moment. Please try again.';
  const begin = () => beginUpload(client, { area: 'my_files', name: 'report.pdf', size });
  const send = (id: string, offset: number) => sendBytes(client, id, offset, new Uint8Array(content.subarray(offset)));
  const reportOf = async () => (await client.call(listUserFiles, { query: { search: 'report' } })).rows;
  const removeReport = async () => {
    for (const { id } of await reportOf()) await client.call(deleteUserFile, { params: { id } });
  };
  afterEach(async () => {
    s3.failWhen(null);
    await removeReport();
  });

  test('an upload that it did not begin is refused with a sentence, and leaves neither a row nor anything in the bucket', async () => {
    const before = s3.openUploads();
    s3.failWhen(({ method, key }) => (method === 'PUT' && key.endsWith('.info') ? 'refuse' : null));
    expect(await saysOf(await begin())).toEqual({ status: 503, says: cannotAnswer });
    expect(s3.openUploads()).toHaveLength(before.length + 1);
    expect((await client.call(listUserFiles)).unfinished.filter(({ name }) => name === 'report.pdf')).toEqual([]);
    s3.failWhen(null);
    // It waits, because the bucket may take the beginning a little later.
    const { rows } = await sql<{ data: object; waits: boolean }>`
      select data, start_after > now() as waits from pgboss.job
      where name = ${removeStoredFileJob.name} order by created_on desc limit 1`.execute(server.db);
    expect(rows).toMatchObject([{ waits: true }]);
    await removeStoredFileJob.run(server.app, rows[0]?.data, { number: 1, isLast: false });
    expect(s3.openUploads()).toEqual(before);
  });

  test('a question where to go on is answered when it is back, and the upload is whole', async () => {
    const id = idOf(await begin());
    s3.failWhen(({ method, search }) => (method === 'PUT' && search.has('partNumber') ? 'refuse' : null));
    expect(await saysOf(await send(id, 0))).toEqual({ status: 503, says: cannotAnswer });
    s3.failWhen(() => 'refuse');
    expect((await askOffset(client, id)).status).toBe(503);
    s3.failWhen(null);
    expect((await askOffset(client, id)).headers.get('upload-offset')).toBe('0');
    expect((await send(id, 0)).status).toBe(204);
    expect(await reportOf()).toMatchObject([{ name: 'report.pdf', size }]);
  });

  test('the bytes are all there and were never put together: the next question does, and the file is in the list', async () => {
    const id = idOf(await begin());
    s3.failWhen(({ method, search }) => (method === 'POST' && search.has('uploadId') ? 'refuse' : null));
    expect((await send(id, 0)).status).toBe(503);
    expect(await reportOf()).toEqual([]);
    s3.failWhen(null);
    expect((await askOffset(client, id)).headers.get('upload-offset')).toBe(String(size));
    const [report] = await reportOf();
    const answer = await client.fetch(downloadFile.path.replace(':id', report?.fileId ?? ''));
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
  });
});

test('an upload that neither the storage nor the database takes is answered all the same', async () => {
  await sql`
    create function keep_row() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(server.db);
  await sql`create trigger keeps_rows before delete on stored_files execute function keep_row()`.execute(server.db);
  s3.failWhen(() => 'refuse');
  expect((await saysOf(await upload())).status).toBe(503);
  s3.failWhen(null);
  await sql`drop trigger keeps_rows on stored_files`.execute(server.db);
});

test('ERR1-11 a deletion that fails half-way leaves everything as it was, and can be tried again', async () => {
  const [row] = (await client.call(listUserFiles)).rows;
  const input = { params: { id: row?.id ?? '' } };
  await sql`
    alter table pgboss.job_common add constraint takes_no_removals
    check (name <> ${sql.lit(removeStoredFileQueue.name)}) not valid`.execute(server.db);
  expect(await client.refused(deleteUserFile, input)).toMatchObject({ status: 500, problem: { code: 'internal' } });
  expect((await client.call(listUserFiles)).rows).toEqual([row]);
  expect(await (await download()).text()).toBe('kept');

  await sql`alter table pgboss.job_common drop constraint takes_no_removals`.execute(server.db);
  await server.runJobs();
  await client.call(deleteUserFile, input);
  expect((await client.call(listUserFiles)).rows).toEqual([]);
  expect((await download()).status).toBe(404);
});

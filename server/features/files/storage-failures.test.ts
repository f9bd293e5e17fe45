import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { downloadFile } from '#contract/files.ts';
import { deleteUserFile, listUserFiles } from '#contract/user-files.ts';
import type { Config, S3Config } from '#server/config.ts';
import { storageRefusal } from '#server/platform/storage-errors.ts';
import { openS3Storage } from '#server/platform/storage-s3.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { startS3, type TestS3 } from '#test/support/s3.ts';
import { beginUpload, uploadFile } from '#test/support/uploads.ts';
import { removeStoredFileQueue } from './stored-file-queue.ts';

const notSetUp = 'The file storage is not set up: its bucket is missing. Please tell an administrator.';
const notAllowed = 'The file storage refused this by its permissions policy. Please tell an administrator.';
const notReached = 'The file storage could not be reached because of a network issue. Please try again.';
const outOfOrder = 'The file storage is not working right now. Please try again.';

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
      ['SlowDown', outOfOrder],
      ['InternalError', outOfOrder],
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

  test('a storage that never answers is given up, and the next request goes through', async () => {
    const storage = openS3Storage(requireS3(server.app.config), 200);
    let path = '';
    for await (const stored of storage.paths()) path = stored;
    s3.fault = 'stalls';
    const refusal = storageRefusal(await storage.read(path).catch((error: unknown) => error));
    expect(refusal).toMatchObject({ code: 'unavailable', message: notReached });
    s3.fault = null;
    expect(await storage.read(path)).toMatchObject({ size: expect.any(Number) });
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

function requireS3({ s3: config }: Config): S3Config {
  if (!config) throw new Error('The server has no bucket.');
  return config;
}

test('what a storage has taken of an upload that it refused is removed from it', async () => {
  const before = [...s3.objects.keys()];
  Object.assign(s3, { fault: 'does it, then fails', faultOn: /^PUT .*[.]info/ });
  expect(await saysOf(await upload())).toEqual({ status: 503, says: outOfOrder });
  expect([...s3.objects.keys()]).toHaveLength(before.length + 1);
  expect(await client.call(listUserFiles)).toMatchObject({ unfinished: [{ name: 'new.txt' }] });
  Object.assign(s3, { fault: null, faultOn: /./ });
  await server.runJobs();
  await expect.poll(() => [...s3.objects.keys()]).toEqual(before);
});

test('an upload that neither the storage nor the database takes is answered all the same', async () => {
  await sql`
    create function keep_row() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(server.db);
  await sql`create trigger keeps_rows before delete on stored_files execute function keep_row()`.execute(server.db);
  s3.fault = 'fails';
  expect(await saysOf(await upload())).toEqual({ status: 503, says: outOfOrder });
  s3.fault = null;
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

import { randomUUID } from 'node:crypto';
import { rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readReadiness } from '#contract/health.ts';
import { sendMessage } from '#contract/messages.ts';
import { listUserFiles } from '#contract/user-files.ts';
import { buildPair } from '#test/factories/messages.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { startS3 } from '#test/support/s3.ts';
import { beginUpload, idOf, sendBytes } from '#test/support/uploads.ts';

/** The device takes no byte, as a full disk does. */
const fullDevice = '/dev/full';
const words = /^Storage is full, so this was not saved\. /;

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
  await sql`
    create function refuse_for_want_of_space() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(server.db);
});
afterAll(() => server.close());

async function fill(table: string): Promise<() => Promise<unknown>> {
  await sql`create trigger is_full before insert or update on ${sql.table(table)}
    execute function refuse_for_want_of_space()`.execute(server.db);
  return () => sql`drop trigger is_full on ${sql.table(table)}`.execute(server.db);
}

/** The server keeps a result for a moment, so the test waits for the next one. */
async function expectReadiness(anybody: Client, expected: object): Promise<void> {
  const read = async () => readReadiness.response.parse(await (await anybody.fetch(readReadiness.path)).json());
  await vi.waitFor(async () => expect(await read()).toMatchObject(expected));
}

test('a database that reads but takes no write is not ready', async () => {
  const anybody = await server.as(null);
  await expectReadiness(anybody, { status: 'ok', database: 'ok' });
  const empty = await fill('readiness_checks');
  await expectReadiness(anybody, { status: 'failed', database: 'failed', storage: 'ok' });
  await empty();
  await expectReadiness(anybody, { status: 'ok', database: 'ok' });
});

test('a folder of files on a full disk is not ready, and leaves nothing of the trial', async () => {
  const anybody = await server.as(null);
  await expectReadiness(anybody, { storage: 'ok' });
  const trial = path.join(server.app.config.dataDir, 'files', '.readiness');
  await symlink(fullDevice, trial);
  await expectReadiness(anybody, { status: 'failed', database: 'ok', storage: 'failed' });
  await expectReadiness(anybody, { status: 'ok', storage: 'ok' });
});

test('a bucket that takes no more is not ready, and an upload to it says why', async () => {
  const s3 = await startS3();
  const other = await startTestApp(s3.env);
  const anybody = await other.as(null);
  await expectReadiness(anybody, { status: 'ok', storage: 'ok' });
  s3.failWith('QuotaExceeded');
  await expectReadiness(anybody, { status: 'failed', storage: 'failed' });
  const client = await other.as(await buildParticipant(other.db));
  const refused = await beginUpload(client, { area: 'my_files', name: 'a.txt', size: 4 });
  expect({ ...(await problemOf(refused)), status: refused.status }).toMatchObject({
    status: 507,
    code: 'storage_full',
  });
  expect(s3.objects.size).toBe(0);
  await other.close();
  await s3.close();
});

test('an upload that finds the disk full says so, and is taken once there is room', async () => {
  const robin = await buildParticipant(server.db);
  const client = await server.as(robin);
  const id = idOf(await beginUpload(client, { area: 'my_files', name: 'notes.txt', size: 4 }));
  const place = path.join(server.app.config.dataDir, 'files', robin.id, id);
  await rm(place);
  await symlink(fullDevice, place);
  const refused = await sendBytes(client, id, 0, new Uint8Array(Buffer.from('kept')));
  expect(refused.status).toBe(507);
  expect(await refused.json()).toMatchObject({ code: 'storage_full', detail: expect.stringMatching(words) });

  await rm(place);
  const again = await beginUpload(client, { area: 'my_files', name: 'notes.txt', size: 4 });
  expect((await sendBytes(client, idOf(again), 0, new Uint8Array(Buffer.from('kept')))).status).toBe(204);
  expect((await client.call(listUserFiles)).rows).toMatchObject([{ name: 'notes.txt' }]);
});

test('a message that the database has no room for says so, and the same is sent once there is', async () => {
  const { coach, participant } = await buildPair(server.db);
  const client = await server.as(participant);
  const message = { params: { id: coach.id }, body: { clientKey: randomUUID(), text: 'Hello', fileId: null } };
  const empty = await fill('coach_messages');
  const { status, problem } = await client.refused(sendMessage, message);
  expect({ status, code: problem.code }).toEqual({ status: 507, code: 'storage_full' });
  expect(problem.detail).toMatch(words);
  await empty();
  expect(await client.call(sendMessage, message)).toMatchObject({ text: 'Hello' });
});

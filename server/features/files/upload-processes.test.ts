import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { downloadFile } from '#contract/files.ts';
import { pdfOf } from '#test/factories/files.ts';
import { type BuiltPerson, buildParticipant } from '#test/factories/people.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { killServerProcesses, openProcessSession, startServerProcess } from '#test/support/server-process.ts';
import { askOffset, beginUpload, idOf, sendBytes, sendPart } from '#test/support/uploads.ts';

const mebibyte = 1024 * 1024;
const patience = { timeout: 10_000, interval: 20 };

let first: TestApp;
let second: TestApp;
let robin: BuiltPerson;
beforeAll(async () => {
  first = await startTestApp();
  second = await openTestApp(first.connectionString, { DATA_DIR: first.app.config.dataDir });
  robin = await buildParticipant(first.db);
});
afterAll(async () => {
  killServerProcesses();
  await second.close();
  await first.close();
});

test('a browser that comes back by another process takes its upload over from the connection that hangs', async () => {
  const content = pdfOf(3 * mebibyte);
  const client = await first.as(robin);
  const id = idOf(await beginUpload(client, { area: 'submissions', name: 'a.pdf', size: content.length }));
  const hanging = sendPart(first.url, client.cookie, { id, bytes: content, sent: mebibyte });
  await vi.waitFor(async () => expect(await storedBytes(id)).toBe(mebibyte), patience);

  const onSecond = await second.as(robin);
  const asked = await askOffset(onSecond, id);
  expect(asked.headers.get('upload-offset')).toBe(String(mebibyte));
  expect((await sendBytes(onSecond, id, mebibyte, new Uint8Array(content.subarray(mebibyte)))).status).toBe(204);
  hanging.destroy();
  expect((await download(onSecond, id)).equals(content)).toBe(true);
});

test('an upload goes on after kill -9 of the server, and is equal byte for byte', async () => {
  const content = pdfOf(6 * mebibyte);
  const [doomed, killed] = await startServerProcess(first);
  const client = await clientOf(doomed);
  const id = idOf(await beginUpload(client, { area: 'submissions', name: 'b.pdf', size: content.length }));
  sendPart(doomed, client.cookie, { id, bytes: content, sent: 2 * mebibyte });
  await vi.waitFor(async () => expect(await storedBytes(id)).toBe(2 * mebibyte), patience);
  killed.kill('SIGKILL');
  await once(killed, 'exit');

  const [url] = await startServerProcess(first);
  const again = {
    ...client,
    fetch: (address: string, init: RequestInit = {}) => fetchAs(url, client.cookie, address, init),
  };
  const offset = Number((await askOffset(again, id)).headers.get('upload-offset'));
  expect(offset).toBe(2 * mebibyte);
  expect((await sendBytes(again, id, offset, new Uint8Array(content.subarray(offset)))).status).toBe(204);
  expect((await download(again, id)).equals(content)).toBe(true);
}, 60_000);

async function storedBytes(id: string): Promise<number> {
  return (await first.app.storage.tusStore.getUpload(`${robin.id}/${id}`)).offset;
}

async function download(client: { fetch(address: string): Promise<Response> }, id: string): Promise<Buffer> {
  const answer = await client.fetch(downloadFile.path.replace(':id', id));
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

async function clientOf(url: string) {
  const cookie = await openProcessSession(first, robin);
  const signedIn = await first.as(robin);
  return {
    ...signedIn,
    cookie,
    fetch: (address: string, init: RequestInit = {}) => fetchAs(url, cookie, address, init),
  };
}

function fetchAs(url: string, cookie: string, address: string, init: RequestInit): Promise<Response> {
  return fetch(new URL(address, url), { ...init, headers: { cookie, ...init.headers } });
}

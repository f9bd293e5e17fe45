import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { downloadFile } from '#contract/files.ts';
import { pdfOf } from '#test/factories/files.ts';
import { type BuiltPerson, buildParticipant } from '#test/factories/people.ts';
import { type Client, openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { killServerProcesses, openProcessSession, startServerProcess } from '#test/support/server-process.ts';
import { askOffset, beginUpload, idOf, sendBytes, sendPart } from '#test/support/uploads.ts';

const mebibyte = 1024 * 1024;
const patience = { interval: 20 };

let first: TestApp;
let second: TestApp;
let robin: BuiltPerson;
let nobody: Client;
beforeAll(async () => {
  first = await startTestApp();
  second = await openTestApp(first.connectionString, { DATA_DIR: first.app.config.dataDir });
  robin = await buildParticipant(first.db);
  nobody = await first.as(null);
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

test('an upload of 50 MB is complete and equal byte for byte, though the server was killed twice on the way', async () => {
  const content = pdfOf(50 * mebibyte);
  let sent = 0;
  let id = '';
  let cookie: string | null = null;
  for (const stop of [17 * mebibyte, 39 * mebibyte]) {
    const [url, server] = await startServerProcess(first);
    cookie ??= (await clientOf(url)).cookie;
    const client = clientAt(url, cookie);
    if (!id) id = idOf(await beginUpload(client, { area: 'submissions', name: 'c.pdf', size: content.length }));
    expect(Number((await askOffset(client, id)).headers.get('upload-offset'))).toBe(sent);
    sendPart(url, cookie, { id, bytes: content.subarray(sent), sent: stop - sent, offset: sent });
    await vi.waitFor(async () => expect(await storedBytes(id)).toBe(stop), patience);
    server.kill('SIGKILL');
    await once(server, 'exit');
    sent = stop;
  }
  const [url] = await startServerProcess(first);
  const client = clientAt(url, cookie ?? '');
  expect(Number((await askOffset(client, id)).headers.get('upload-offset'))).toBe(sent);
  expect((await sendBytes(client, id, sent, new Uint8Array(content.subarray(sent)))).status).toBe(204);
  expect((await download(client, id)).equals(content)).toBe(true);
});

async function storedBytes(id: string): Promise<number> {
  return (await first.app.storage.tusStore.getUpload(`${robin.id}/${id}`)).offset;
}

async function download(client: { fetch(address: string): Promise<Response> }, id: string): Promise<Buffer> {
  const answer = await client.fetch(downloadFile.path.replace(':id', id));
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

async function clientOf(url: string) {
  return clientAt(url, await openProcessSession(first, robin));
}

function clientAt(url: string, cookie: string): Client {
  const fetchThere = (address: string, init: RequestInit = {}) =>
    fetch(new URL(address, url), { ...init, headers: { cookie, ...init.headers } });
  return { ...nobody, cookie, fetch: fetchThere };
}

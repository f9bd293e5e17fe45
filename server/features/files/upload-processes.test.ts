import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { downloadFile } from '#contract/files.ts';
import { sessionCookie } from '#server/platform/auth-cookie.ts';
import { pdfOf } from '#test/factories/files.ts';
import { type BuiltPerson, buildParticipant } from '#test/factories/people.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { askOffset, beginUpload, idOf, sendBytes, sendPart } from '#test/support/uploads.ts';

const mebibyte = 1024 * 1024;
const patience = { timeout: 10_000, interval: 20 };
const secret = randomBytes(32).toString('hex');

let first: TestApp;
let second: TestApp;
let robin: BuiltPerson;
const children: ChildProcess[] = [];
beforeAll(async () => {
  first = await startTestApp();
  second = await openTestApp(first.connectionString, { DATA_DIR: first.app.config.dataDir });
  robin = await buildParticipant(first.db);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
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
  const [doomed, killed] = await startServer();
  const client = await clientOf(doomed);
  const id = idOf(await beginUpload(client, { area: 'submissions', name: 'b.pdf', size: content.length }));
  sendPart(doomed, client.cookie, { id, bytes: content, sent: 2 * mebibyte });
  await vi.waitFor(async () => expect(await storedBytes(id)).toBe(2 * mebibyte), patience);
  killed.kill('SIGKILL');
  await once(killed, 'exit');

  const [url] = await startServer();
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

/** The product itself, as it is started, on the database and folder of the test. */
async function startServer(): Promise<[url: string, child: ChildProcess]> {
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATABASE_URL: first.connectionString,
      DATA_DIR: first.app.config.dataDir,
      AUTH_SECRET: secret,
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /ready at (http\S+)/.exec(line)?.[1];
    if (url) return [url, child];
  }
  throw new Error('The server ended before it was ready.');
}

async function clientOf(url: string) {
  const token = randomBytes(24).toString('base64url');
  const expiresAt = new Date(Date.now() + 3_600_000);
  await first.db.insertInto('auth.session').values({ userId: robin.id, token, expiresAt }).execute();
  const cookie = sessionCookie(token, first.app.config.publicUrl, secret).split(';')[0] ?? '';
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

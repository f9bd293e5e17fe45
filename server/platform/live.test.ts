import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listenLive } from '#contract/live.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { openStream, openStreamOf } from '#test/support/live-stream.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { showNotice } from './live.ts';
import { changed } from './telling.ts';

const patience = { interval: 20 };

let first: TestApp;
let second: TestApp;
let dataDir: string;
beforeAll(async () => {
  first = await startTestApp();
  dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-test-'));
  second = await openTestApp(first.connectionString, { DATA_DIR: dataDir });
});
afterAll(async () => {
  await second.close();
  await first.close();
  await rm(dataDir, { recursive: true, force: true });
});

test('an event made through one server process reaches that person on another, and nobody else', async () => {
  const [robin, other] = [await buildParticipant(first.db), await buildParticipant(first.db)];
  const onSecond = await openStream(second, robin);
  const onFirst = await openStream(first, robin);
  const foreign = await openStream(second, other);
  await first.db.transaction().execute(async (transaction) => {
    await changed(transaction, 'files', [robin.id]);
    await showNotice(transaction, [robin.id], { type: 'info', title: 'Your work was reviewed' });
  });
  await changed(first.db, 'notices', [other.id]);
  for (const stream of [onSecond, onFirst]) {
    await vi.waitFor(() => expect(stream.events()).toHaveLength(2), patience);
    expect(stream.events()).toEqual([
      { event: 'changed', data: { facts: ['files'], act: null } },
      { event: 'notice', data: { type: 'info', title: 'Your work was reviewed', message: null } },
    ]);
  }
  await vi.waitFor(() => expect(foreign.events()).toHaveLength(1), patience);
  expect(foreign.events()).toEqual([{ event: 'changed', data: { facts: ['notices'], act: null } }]);
  for (const stream of [onSecond, onFirst, foreign]) stream.close();
});

test('nothing is told when the transaction fails, and a crowd is told in several messages', async () => {
  const robin = await buildParticipant(first.db);
  const stream = await openStream(second, robin);
  const failing = first.db.transaction().execute(async (transaction) => {
    await changed(transaction, 'files', [robin.id]);
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  const crowd = Array.from({ length: 1000 }, () => crypto.randomUUID());
  await changed(first.db, 'notices', [...crowd, robin.id]);
  await vi.waitFor(() => expect(stream.events()).toHaveLength(1), patience);
  expect(stream.events()[0]?.data).toEqual({ facts: ['notices'], act: null });
  stream.close();
});

test('after the listener lost the database, and after a browser reconnects, everything is to be read again', async () => {
  const robin = await buildParticipant(first.db);
  const stream = await openStream(second, robin);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'switchyard live' and datname = current_database()`.execute(first.db);
  await vi.waitFor(() => expect(stream.events()).toEqual([{ event: 'resync', data: {} }]), patience);
  await changed(first.db, 'files', [robin.id]);
  await vi.waitFor(() => expect(stream.events()).toHaveLength(2), patience);
  stream.close();

  const reconnected = await openStream(second, robin, { 'last-event-id': '0' });
  await vi.waitFor(() => expect(reconnected.events()).toEqual([{ event: 'resync', data: {} }]), patience);
  reconnected.close();
});

test('only a signed-in person gets a stream, and it ends when the session does', async () => {
  const anybody = await first.as(null);
  expect((await anybody.fetch(listenLive.path)).status).toBe(401);

  const robin = await buildParticipant(first.db);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const stream = await openStream(first, robin);
    await vi.advanceTimersByTimeAsync(20_000);
    await vi.waitFor(() => expect(stream.text()).toContain(': beat'), patience);
    expect(stream.isEnded()).toBe(false);
    await first.db.deleteFrom('auth.session').where('userId', '=', robin.id).execute();
    await vi.advanceTimersByTimeAsync(20_000);
    await stream.ended;
  } finally {
    vi.useRealTimers();
  }
});

test('streams close when the server stops', async () => {
  const robin = await buildParticipant(first.db);
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-test-'));
  const third = await openTestApp(first.connectionString, { DATA_DIR: folder });
  const stream = await openStream(third, robin);
  await third.app.http.close();
  await stream.ended;
  await third.close();
  await rm(folder, { recursive: true, force: true });
});

test('a session has ten streams of a process; one more is refused for a while, another session is not', async () => {
  const robin = await buildParticipant(first.db);
  const client = await first.as(robin);
  const streams = [];
  for (let index = 0; index < 10; index += 1) streams.push(await openStreamOf(client));
  const refused = await client.fetch(listenLive.path);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
  expect((await problemOf(refused)).code).toBe('too_many_requests');
  const onAnother = await openStream(first, robin);
  expect(streams.some(({ isEnded }) => isEnded())).toBe(false);

  streams[0]?.close();
  await vi.waitFor(async () => streams.push(await openStreamOf(client)), patience);
  for (const stream of [...streams, onAnother]) stream.close();
});

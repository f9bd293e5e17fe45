import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readSession, signIn } from '#contract/accounts.ts';
import { Problem } from '#contract/errors.ts';
import { readHealth, readReadiness } from '#contract/health.ts';
import { listContacts, sendMessage } from '#contract/messages.ts';
import { openDatabase } from '#server/db/database.ts';
import { buildPair } from '#test/factories/messages.ts';
import { type Client, openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#test/support/database-proxy.ts';
import { waitInMs } from '#test/support/patience.ts';

let server: TestApp;
let proxy: DatabaseProxy;
beforeAll(async () => {
  server = await startTestApp();
  proxy = await startDatabaseProxy(server.connectionString);
});
afterAll(async () => {
  await proxy.close();
  await server.close();
});

const openBehindProxy = (answerLimitInMs?: number) =>
  openTestApp(proxy.connectionString, { DATA_DIR: server.app.config.dataDir }, undefined, { answerLimitInMs });

async function expectUnavailable(asked: Promise<Response>): Promise<void> {
  const answer = await asked;
  const problem = Problem.parse(await answer.json());
  expect(problem).toMatchObject({ status: 503, code: 'unavailable' });
  expect(problem.detail).not.toMatch(/saved|database/);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

const post = (client: Client, address: string, body: object) =>
  client.fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('while the database answers nothing every request is refused in time, and all works again when it answers', async () => {
  const { coach, participant } = await buildPair(server.db);
  const behind = await openBehindProxy(1_500);
  const client = await behind.as(participant);
  const anybody = await behind.as(null);
  const write = () =>
    post(client, sendMessage.path.replace(':id', coach.id), { clientKey: randomUUID(), text: 'Hi', fileId: null });
  const read = () => client.fetch(listContacts.path);
  // All of the pool's connections are open and in use when the freeze begins.
  await Promise.all(Array.from({ length: 8 }, () => sql`select pg_sleep(0.01)`.execute(behind.db)));

  proxy.freeze();
  const more = Array.from({ length: 12 }, () => [write(), read()]).flat();
  const signsIn = post(anybody, signIn.path, { email: participant.email, password: 'Not-This-One-1' });
  await Promise.all([...more, signsIn, client.fetch(readSession.path)].map(expectUnavailable));
  expect((await client.fetch(readHealth.path)).status).toBe(200);

  proxy.thaw();
  for (const ask of [read, write]) {
    await vi.waitFor(async () => expect((await ask()).status).toBe(200));
  }
  expect(behind.app.pool.totalCount).toBeLessThanOrEqual(8);
  await behind.close();
});

test('whether the process is ready is answered long before a request gives the database up', async () => {
  const { participant } = await buildPair(server.db);
  const behind = await openBehindProxy(25_000);
  const client = await behind.as(participant);
  proxy.freeze();
  let isAnswered = false;
  const request = client.fetch(readSession.path).then((answer) => {
    isAnswered = true;
    return answer;
  });
  const answers = await Promise.all(Array.from({ length: 10 }, () => client.fetch(readReadiness.path)));
  for (const answer of answers) {
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ status: 'failed', database: 'failed', storage: 'ok' });
  }
  expect(isAnswered).toBe(false);
  proxy.thaw();
  expect((await request).status).toBe(200);
  await behind.close();
});

test('a database that takes no connection is no fault of ours: every kind of request is refused as unavailable', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-away-'));
  const away = await openTestApp('postgres://nobody@127.0.0.1:1/away', { DATA_DIR: dataDir });
  const anybody = await away.as(null);
  const { cookie } = await server.as((await buildPair(server.db)).participant);
  await expectUnavailable(anybody.fetch(readSession.path, { headers: { cookie } }));
  await expectUnavailable(post(anybody, signIn.path, { email: 'a@people.example', password: 'Not-This-One-1' }));
  await away.close();
  await rm(dataDir, { recursive: true });
});

test('what takes too long ends its own connection only, and work that nobody waits for may take longer', async () => {
  const answerLimitInMs = 300;
  const { db, patientDb, pool, close } = openDatabase(server.connectionString, { max: 1, answerLimitInMs });
  // A new connection is not in question here, so it may take longer.
  pool.options.connectionTimeoutMillis = waitInMs;
  const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(patientDb)).rows[0]?.pid;
  const first = await pid();
  await sql`select pg_sleep(${(2 * answerLimitInMs) / 1000})`.execute(patientDb);
  expect(await pid()).toBe(first);

  const slow = sql`select pg_sleep(600)`.execute(db);
  await expect(slow).rejects.toMatchObject({ code: 'unavailable' });
  expect(await pid()).not.toBe(first);
  const inTransaction = db.transaction().execute((transaction) => sql`select pg_sleep(600)`.execute(transaction));
  await expect(inTransaction).rejects.toMatchObject({ code: 'unavailable' });
  expect(await pid()).not.toBe(first);
  expect(pool.totalCount).toBe(1);
  await close();
});

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { sendMessage } from '#contract/messages.ts';
import { buildPair } from '#test/factories/messages.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#test/support/database-proxy.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { killServerProcesses, openProcessSession, startServerProcess } from '#test/support/server-process.ts';

const often = { interval: 20 };

let server: TestApp;
let proxy: DatabaseProxy;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());
beforeEach(async () => {
  proxy = await startDatabaseProxy(server.connectionString);
});
afterEach(async () => {
  killServerProcesses();
  await proxy.close();
});

test('a process outlives that all its connections to the database are reset while it writes, and every answered write is there', async () => {
  const { coach, participant } = await buildPair(server.db);
  const cookie = await openProcessSession(server, participant);
  const [url, child] = await startServerProcess({ ...server, connectionString: proxy.connectionString });
  const address = new URL(sendMessage.path.replace(':id', coach.id), url);
  const acknowledged: string[] = [];
  const refusals = new Set<string>();
  let isOver = false;
  const write = async () => {
    while (!isOver) {
      const key = randomUUID();
      const answer = await fetch(address, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ clientKey: key, text: key, fileId: null }),
      });
      if (answer.ok) acknowledged.push(key);
      else refusals.add(`${answer.status} ${(await problemOf(answer)).code}`);
    }
  };
  const writers = Promise.all(Array.from({ length: 6 }, write));
  for (let round = 1; round <= 5; round += 1) {
    const before = acknowledged.length;
    await Promise.race([writers, vi.waitUntil(() => acknowledged.length > before + 12, often)]);
    proxy.reset();
  }
  isOver = true;
  await writers;

  expect(child.exitCode).toBeNull();
  expect([...refusals]).toEqual(['503 unavailable']);
  const kept = await server.db
    .selectFrom('coachMessages')
    .select('clientKey')
    .where('senderId', '=', participant.id)
    .execute();
  expect(acknowledged.filter((key) => !kept.some(({ clientKey }) => clientKey === key))).toEqual([]);
});

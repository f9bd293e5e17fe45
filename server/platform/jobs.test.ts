import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import {
  defineJob,
  defineQueue,
  enqueue,
  type JobAttempt,
  prepareJobQueues,
  type RunningJobs,
  startJobs,
} from './jobs.ts';

const seen: { word: string; attempt: JobAttempt }[] = [];
const noteQueue = defineQueue('note', z.object({ word: z.string() }));
const noteJob = defineJob({
  ...noteQueue,
  retryLimit: 1,
  retryDelay: 1,
  run: async (_app, { word }, attempt) => {
    seen.push({ word, attempt });
    if (word === 'fails once' && attempt.number === 1) throw new Error('not yet');
    if (word === 'always fails') throw new Error('never');
  },
});

let server: TestApp;
let running: RunningJobs;
beforeAll(async () => {
  server = await startTestApp();
  await prepareJobQueues(server.connectionString, [noteJob]);
});
afterAll(() => server.close());

test('a job exists only when the transaction that enqueued it commits, and needs no job process for that', async () => {
  const rolledBack = server.db.transaction().execute(async (transaction) => {
    await enqueue(transaction, noteQueue, { word: 'rolled back' });
    throw new Error('changed my mind');
  });
  await expect(rolledBack).rejects.toThrow('changed my mind');
  await server.db.transaction().execute((transaction) => enqueue(transaction, noteQueue, { word: 'kept' }));
  expect(await countJobs()).toBe(1);
});

test('many jobs are enqueued by one call, and an unknown queue is refused', async () => {
  const words = Array.from({ length: 250 }, (_, index) => ({ word: `word ${index}` }));
  await enqueue(server.db, noteQueue, words);
  expect(await countJobs()).toBe(251);
  await expect(enqueue(server.db, { ...noteQueue, name: 'nobody-prepared-this' }, { word: 'lost' })).rejects.toThrow(
    'does not exist',
  );
});

test('two processes prepare the queues at once, and again', async () => {
  await Promise.all([
    prepareJobQueues(server.connectionString, [noteJob]),
    prepareJobQueues(server.connectionString, [{ ...noteJob, retryDelayMax: 60 }]),
  ]);
});

test('jobs run with their data, are tried again when they fail, and know their last attempt', async () => {
  running = await startJobs(server.app, [noteJob]);
  expect(running.isHealthy()).toBe(true);
  await enqueue(server.db, noteQueue, [{ word: 'fails once' }, { word: 'always fails' }]);
  // @ts-expect-error A wrong job does not compile. If it comes from elsewhere, it fails.
  await enqueue(server.db, noteQueue, { word: 7 });
  await vi.waitFor(
    () => {
      expect(attemptsOf('fails once')).toEqual([1, 2]);
      expect(attemptsOf('always fails')).toEqual([1, 2]);
    },
    { interval: 100 },
  );
  expect(attemptsOf('kept')).toEqual([1]);
  expect(attemptsOf('word 249')).toEqual([1]);
  expect(seen.filter(({ attempt }) => attempt.isLast).map(({ attempt }) => attempt.number)).toEqual([2, 2]);
  expect(seen.every(({ word }) => typeof word === 'string')).toBe(true);
});

test('a job starts when its transaction commits', async () => {
  await enqueue(server.db, noteQueue, { word: 'now' });
  await vi.waitFor(() => expect(attemptsOf('now')).toEqual([1]), { interval: 20 });
});

test('after a stop the jobs no longer pass for healthy', async () => {
  await running.stop();
  expect(running.isHealthy()).toBe(false);
});

async function countJobs(): Promise<number> {
  const counted = await sql<{ n: number }>`select count(*)::integer as n from pgboss.job where name = 'note'`.execute(
    server.db,
  );
  return counted.rows[0]?.n ?? 0;
}

function attemptsOf(word: string): number[] {
  return seen.filter((entry) => entry.word === word).map((entry) => entry.attempt.number);
}

import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { processBulkInvitations } from '#contract/functions.ts';
import { buildCohort, buildCourse } from '#test/factories/cohorts.ts';
import { bulkRecordsFor } from '#test/factories/imports.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { killServerProcesses, openProcessSession, startServerProcess } from '#test/support/server-process.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(async () => {
  killServerProcesses();
  await server.close();
});

test('BULK-40 after kill -9 in the middle of an upload the next start brings in the rest; the file again makes nobody', async () => {
  await buildCourse(server.db);
  const cohort = await buildCohort(server.db, { capacity: 5000 });
  const cookie = await openProcessSession(server, await buildAdmin(server.db));
  const records = bulkRecordsFor(cohort, 1000);
  const send = (url: string) =>
    fetch(new URL(processBulkInvitations.path, url), {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ records, filename: 'thousand.csv' }),
    });

  const [doomed, killed] = await startServerProcess(server);
  const lost = send(doomed).catch((error: Error) => error);
  await vi.waitFor(async () => expect(await countPeople()).toBeGreaterThan(0), { timeout: 30_000, interval: 5 });
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(await lost).toBeInstanceOf(Error);
  expect(await countPeople()).toBeLessThan(1000);
  expect(await countMails()).toBe(await countPeople());

  const [url] = await startServerProcess(server);
  await vi.waitFor(async () => expect(await countPeople()).toBe(1000), { timeout: 90_000, interval: 200 });
  expect(await countMails()).toBe(1000);
  expect(await (await send(url)).json()).toMatchObject({ successful_records: 0, failed_records: 1000 });
  expect(await countPeople()).toBe(1000);
  expect(await countMails()).toBe(1000);
}, 150_000);

async function countPeople(): Promise<number> {
  return (await server.db.selectFrom('profiles').select('id').where('role', '=', 'participant').execute()).length;
}

async function countMails(): Promise<number> {
  return (await server.db.selectFrom('deliveries').select('id').where('kind', '=', 'invitation').execute()).length;
}

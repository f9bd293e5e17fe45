import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { houseZone } from '#contract/house-zone.ts';
import { dayAt } from '#contract/weeks.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { pdfOf } from '#test/factories/files.ts';
import { busyness } from '#test/support/patience.ts';
import { createDatabaseOn, openTestServer } from '#test/support/test-server.ts';
import { type InstanceInOwnProcess, startInOwnProcess } from './own-process.ts';
import { demoPassword, expect, signIn, signInByForm, test } from './support.ts';

const mebibyte = 1024 * 1024;
const today = dayAt(new Date(), houseZone);

let server: Awaited<ReturnType<typeof openTestServer>>;
let database: Awaited<ReturnType<typeof createDatabaseOn>>;
let env: Record<string, string>;
const running: InstanceInOwnProcess[] = [];
let count = 0;

test.beforeAll(async () => {
  server = await openTestServer();
  database = await createDatabaseOn(server);
  env = {
    DATABASE_URL: database.connectionString,
    DATA_DIR: await mkdtemp(path.join(tmpdir(), 'switchyard-processes-')),
  };
});
test.afterEach(async () => {
  for (const instance of running.splice(0)) await instance.stop();
});
test.afterAll(async () => {
  await database.leave();
  await server.close();
  await rm(env.DATA_DIR ?? '', { recursive: true, force: true });
});

/** Starts one more process on the same database and stored files. */
async function start(more: Record<string, string> = {}): Promise<InstanceInOwnProcess> {
  const instance = await startInOwnProcess({ ...env, ...more });
  running.push(instance);
  return instance;
}

async function person(role: 'participant' | 'admin'): Promise<{ id: string; email: string }> {
  count += 1;
  const email = `${role}-${count}@people.example`;
  await createSignInWithPassword(database.db, {
    firstName: 'Robin',
    lastName: 'Reyes',
    email,
    role,
    trackType: role === 'participant' ? 'fellowship' : null,
    password: demoPassword,
  });
  return database.db
    .selectFrom('profiles')
    .select(['id', 'email'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
}

async function signInOpeningLiveNews(page: Page, instance: InstanceInOwnProcess, email: string): Promise<void> {
  const live = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/live');
  await signInByForm(page, instance.url, email);
  expect((await live).status()).toBe(200);
}

test('what is done by one process reaches a browser on the other without a reload; both count tries together', async ({
  page,
  request,
}) => {
  const asUsual = { RATE_LIMIT_FACTOR: '1' };
  const [first, second] = [await start(asUsual), await start(asUsual)];
  const participant = await person('participant');
  const admin = await person('admin');
  const cohort = await buildCohort(database.db, { startDate: today });
  await signInOpeningLiveNews(page, second, participant.email);
  await expect(page.getByText('No Active Enrollment')).toBeVisible();

  const headers = { origin: first.url };
  const signedIn = await request.post(`${first.url}/api/auth/sign-in/email`, {
    headers,
    data: { email: admin.email, password: demoPassword },
  });
  expect(signedIn.ok(), await signedIn.text()).toBe(true);
  const enrolled = await request.post(`${first.url}/api/fellowship-enrolments`, {
    headers,
    data: { userId: participant.id },
  });
  expect(enrolled.ok(), await enrolled.text()).toBe(true);
  await expect(page.getByText('Week 1 of 16')).toBeVisible();
  expect((await enrolled.json()).cohortName).toBe(cohort.name);

  const statuses: number[] = [];
  for (const { url } of [first, second, first, second, first, second, first]) {
    const answer = await request.post(`${url}/api/auth/request-password-reset`, {
      headers: { origin: url },
      data: { email: participant.email },
    });
    statuses.push(answer.status());
    if (answer.status() === 429) expect(Number(answer.headers()['retry-after'])).toBeGreaterThan(0);
  }
  expect(statuses, 'five in ten minutes for an account').toEqual([200, 200, 200, 200, 200, 429, 429]);
});

test('an upload in a browser outlives kill -9 of the server, and goes on where it was', async ({
  pageInNewBrowser: page,
}) => {
  const instance = await start();
  const participant = await person('participant');
  const cohort = await buildCohort(database.db, { startDate: today });
  await enrol(database.db, { cohortId: cohort.id, participantId: participant.id });
  const activity = await buildActivity(database.db, { cohortId: cohort.id });
  const assignment = await buildAssignment(database.db, { trainingActivityId: activity.id });
  await signIn(page, instance.url, participant.email);
  await page.goto(`${instance.url}/assignment/${assignment.id}`);
  const network = await page.context().newCDPSession(page);
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 4 * mebibyte,
  });

  const piece = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'feeder.pdf', mimeType: 'application/pdf', buffer: pdfOf(14 * mebibyte) });
  expect((await piece).status()).toBe(204);
  await instance.kill();

  const offsets: number[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']));
  });
  const resumed = page.waitForResponse(
    (response) => response.request().method() === 'PATCH' && response.status() === 204,
  );
  await start({ PORT: new URL(instance.url).port });
  await resumed;
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await expect(page.getByText('feeder.pdf').first()).toBeVisible();
  expect(Math.min(...offsets)).toBeGreaterThanOrEqual(5 * mebibyte);
});

test('SIGTERM ends a process within 10 seconds, also with a browser that listens and a connection that asks nothing', async ({
  page,
}) => {
  const before = Date.now();
  const instance = await start();
  test.info().annotations.push({ type: 'ready after', description: `${Date.now() - before} ms` });
  const participant = await person('participant');
  await signInOpeningLiveNews(page, instance, participant.email);
  const silent = connect(Number(new URL(instance.url).port), '127.0.0.1');
  await once(silent, 'connect');
  silent.on('error', () => undefined);
  const asked = Date.now();
  await instance.stop();
  const took = Date.now() - asked;
  test.info().annotations.push({ type: 'stopped after', description: `${took} ms` });
  expect(took).toBeLessThan(10_000 * busyness());
});

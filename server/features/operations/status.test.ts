import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStatus } from '#contract/operations.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { sendMailQueue } from '#server/platform/mailer.ts';
import { buildGivenUpDelivery } from '#test/factories/deliveries.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { keepInspection } from './inspection-queries.ts';

let server: TestApp;
let ada: BuiltPerson;
let admin: Client;
beforeAll(async () => {
  server = await startTestApp();
  ada = await buildAdmin(server.db);
  admin = await server.as(ada);
});
afterAll(() => server.close());

test('an admin reads how the installation is, and nobody else does', async () => {
  const status = await admin.call(readStatus);
  expect(status).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    database: { version: expect.stringMatching(/^1\d/), isEmbedded: false, replicas: 0 },
    queues: [],
    givenUp: { deliveries: 0, handovers: 0 },
    storage: { kind: 'folder' },
    inspectedAt: null,
    ledger: null,
    backup: null,
    admins: [{ id: ada.id, name: 'Ada Admin', sessions: 1, hasSecondFactor: false }],
  });
  expect(status.database.bytes).toBeGreaterThan(1_000_000);
  expect(status.storage.freeBytes).toBeLessThanOrEqual(status.storage.diskBytes);
  for (const person of [await buildCoach(server.db), await buildParticipant(server.db)]) {
    expect((await (await server.as(person)).refused(readStatus)).status).toBe(403);
  }
  expect((await (await server.as(null)).refused(readStatus)).status).toBe(401);
});

test('what waits, what was given up, who is signed in, and what costly looks found last', async () => {
  const { db } = server;
  await enqueue(db, sendMailQueue, { deliveryId: '0190b7a0-0000-7000-8000-000000000001' });
  await buildGivenUpDelivery(db);
  const gone = {
    code: 'mail-away',
    severity: 'error',
    problem: 'The mail server is away.',
    remedy: 'Call it.',
  } as const;
  await keepInspection(db, [gone]);
  await db
    .insertInto('ledgerVerifications')
    .values({ lines: 3, lastHash: 'h', problems: 0, differences: 1, firstProblem: null })
    .execute();
  const [startedAt, endedAt] = ['2026-07-08T07:00:00.000Z', '2026-07-08T07:02:00.000Z'];
  await db
    .insertInto('backups')
    .values({
      name: 'one',
      place: '/backups',
      startedAt,
      endedAt,
      outcome: 'done',
      sizeBytes: 7,
      missingFiles: 0,
      isScheduled: true,
    })
    .execute();
  const other = await buildAdmin(db, { firstName: 'Zoe' });
  await server.as(other);
  await server.as(other);

  const status = await admin.call(readStatus);
  expect(status.queues).toMatchObject([{ name: 'send-mail', waiting: 1, running: 0 }]);
  expect(status.givenUp.deliveries).toBe(1);
  expect(status.findings).toContainEqual(gone);
  expect(status.findings.map(({ code }) => code)).toContain('messages-undelivered');
  const severities = status.findings.map(({ severity }) => severity);
  expect(severities).toEqual(severities.toSorted());
  expect(status.inspectedAt).not.toBeNull();
  expect(status.ledger).toMatchObject({ lines: 3, problems: 0, differences: 1 });
  expect(status.backup).toEqual({ startedAt, outcome: 'done', lastDoneAt: startedAt, bytes: 7 });
  expect(status.admins.find(({ id }) => id === other.id)).toMatchObject({ sessions: 2 });
});

test('the jobs of the night verify the ledger and keep what they find', async () => {
  const { operationJobs } = await import('./operation-jobs.ts');
  const { paymentJobs } = await import('#server/features/payments/payment-jobs.ts');
  const attempt = { number: 1, isLast: false };
  for (const job of [...operationJobs, ...paymentJobs].filter(({ name }) => name !== 'send-handover')) {
    await job.run({ ...server.app, db: server.app.patientDb }, {}, attempt);
  }
  const status = await admin.call(readStatus);
  expect(status.ledger).toMatchObject({ lines: 0, problems: 0 });
  expect(status.findings.map(({ code }) => code)).not.toContain('mail-away');
});

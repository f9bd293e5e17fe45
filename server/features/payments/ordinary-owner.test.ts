import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { handOverWeek, markStipendPaid, takePaymentBack } from '#contract/payments.ts';
import { readStipend } from '#contract/stipends.ts';
import { deleteUser } from '#contract/user-management.ts';
import { migrate } from '#server/db/migrate.ts';
import { jobList } from '#server/job-list.ts';
import { newId } from '#server/platform/ids.ts';
import { prepareJobQueues } from '#server/platform/jobs.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { type Client, openTestApp, type TestApp } from '#test/support/app.ts';
import { createOwnedDatabase } from '#test/support/owned-database.ts';
import { sendConfirmation, startPaymentSystem } from '#test/support/payment-system.ts';

const secret = 'a secret of the payment system';
let owned: Awaited<ReturnType<typeof createOwnedDatabase>>;
let receiver: Awaited<ReturnType<typeof startPaymentSystem>>;
let dataDir: string;
let app: TestApp;
let admin: Client;

beforeAll(async () => {
  owned = await createOwnedDatabase(inject('testServer').connectionString);
  await migrate(owned.connectionString);
  await prepareJobQueues(owned.connectionString, jobList);
  receiver = await startPaymentSystem();
  dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-test-'));
  app = await openTestApp(owned.connectionString, {
    DATA_DIR: dataDir,
    STIPEND_WEBHOOK_URL: receiver.url,
    STIPEND_WEBHOOK_SECRET: secret,
    STIPEND_WEBHOOK_ALLOW_PRIVATE: '1',
  });
  admin = await app.as(await buildAdmin(app.db));
});
afterAll(async () => {
  await app.close();
  await receiver.close();
  await owned.drop();
  await rm(dataDir, { recursive: true, force: true });
});

test('an owner that is no superuser writes confirmations and reversals and forgets people, and changes nothing of them', async () => {
  const { id } = await buildStipend(app.db, { paymentStatus: 'approved' });
  const { handoverId } = await admin.call(handOverWeek, { body: { weekNumber: 1 } });
  const { version } = await admin.call(readStipend, { params: { id } });
  const marked = await admin.call(markStipendPaid, { params: { id }, body: { version, reference: 'CHK 1' } });
  const back = { params: { id }, body: { version: marked.version, reason: 'Another person' } };
  expect(await admin.call(takePaymentBack, back)).toMatchObject({ paymentStatus: 'approved' });
  const body = { handover_id: handoverId, reference: 'PAY-1' };
  const answer = await sendConfirmation(app.url, { body, messageId: newId(), secret });
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status: 200, body: { paid: 1 } });
  const undecided = await buildStipend(app.db);
  await admin.call(deleteUser, { params: { id: undecided.fellowId } });
  const left = app.db.selectFrom('stipendEligibility').select('id').where('id', '=', undecided.id);
  expect(await left.execute()).toEqual([]);

  const changes = [
    'update stipend_ledger set position = position',
    'update stipend_confirmations set id = id',
    'update stipend_confirmation_rows set confirmation_id = confirmation_id',
    'update stipend_payment_parts set id = id',
    'update stipend_payment_reversals set payment_id = payment_id',
  ];
  for (const change of changes) await expect(app.app.pool.query(change)).rejects.toThrow('append-only');
  const untouched = ['update stipend_ledger set paid_cents = 0', 'delete from stipend_confirmations'];
  for (const change of untouched) await expect(app.app.pool.query(change)).rejects.toThrow('permission denied');
});

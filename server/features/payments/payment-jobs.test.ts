import { afterAll, beforeAll, expect, test } from 'vitest';
import { handOverWeek, recallHandover } from '#contract/payments.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import type { Client, TestApp } from '#test/support/app.ts';
import { startPayingAppOfAda } from '#test/support/paying-app.ts';
import type { PaymentSystem } from '#test/support/payment-system.ts';
import { sendHandoverQueue } from './handover-queue.ts';
import { verifyLedger } from './ledger.ts';
import { paymentJobs } from './payment-jobs.ts';

let receiver: PaymentSystem;
let app: TestApp;
let admin: Client;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ app, receiver, admin, close } = await startPayingAppOfAda());
});
afterAll(() => close());

function jobNamed(name: string) {
  const job = paymentJobs.find((one) => one.name === name);
  if (!job) throw new Error(`There is no job ${name}.`);
  return job;
}

const send = (handoverId: string, isLast = false) =>
  jobNamed(sendHandoverQueue.name).run(app.app, { handoverId }, { number: 1, isLast });

async function refused(weekNumber: number): Promise<string> {
  await buildStipend(app.db, { weekNumber, paymentStatus: 'approved' });
  receiver.answers.push({ status: 500 });
  const { handoverId } = await admin.call(handOverWeek, { body: { weekNumber } });
  return handoverId ?? '';
}

const change = (id: string) => app.db.updateTable('stipendHandovers').where('id', '=', id);
const statusOf = async (id: string) =>
  (await app.db.selectFrom('stipendHandovers').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;

test('a batch is tried 20 times more, first after a minute and later every six hours; the ledger is verified each night', () => {
  expect(jobNamed('send-handover')).toMatchObject({ retryLimit: 20, retryDelay: 60, retryDelayMax: 21_600 });
  expect(jobNamed('verify-ledger')).toMatchObject({ cron: '20 4 * * *', retryLimit: 1, expireInSeconds: 3_600 });
});

test('the job is tried again until the batch is accepted, and leaves it to a person after the last try', async () => {
  const id = await refused(1);
  receiver.answers.push({ status: 503 }, { status: 504 });
  await expect(send(id)).rejects.toThrow('Webhook failed: 503');
  expect(await statusOf(id)).toBe('failed');
  await expect(send(id, true)).rejects.toThrow('Webhook failed: 504');
  expect(await statusOf(id)).toBe('given_up');
  await send(id);
  expect(await statusOf(id)).toBe('sent');
  const count = receiver.received.length;
  await send(id, true);
  expect(receiver.received).toHaveLength(count);
});

test('the job comes back to a batch that is being sent elsewhere, and is done with one that was recalled', async () => {
  const id = await refused(2);
  await change(id)
    .set({ claimedUntil: new Date(Date.now() + 600_000) })
    .execute();
  await expect(send(id)).rejects.toThrow('is being sent at this moment');
  await change(id).set({ claimedUntil: null }).execute();
  await admin.call(recallHandover, { params: { id }, body: { reason: 'Out of order' } });
  await send(id, true);
  expect(await statusOf(id)).toBe('recalled');
});

test('the job refuses what names no batch', async () => {
  await expect(send('the last one')).rejects.toThrow(/UUID/i);
  await expect(jobNamed('send-handover').run(app.app, {}, { number: 1, isLast: false })).rejects.toThrow(/handoverId/);
});

test('what the nightly verification found is kept', async () => {
  await jobNamed('verify-ledger').run(app.app, {}, { number: 1, isLast: false });
  const { lines, lastHash } = await verifyLedger(app.db);
  const kept = app.db.selectFrom('ledgerVerifications').select(['lines', 'lastHash', 'problems']);
  expect(await kept.execute()).toEqual([{ lines, lastHash, problems: 0 }]);
});

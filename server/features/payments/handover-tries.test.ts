import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { handOverWeek } from '#contract/payments.ts';
import { changeStipendAmount, readStipend } from '#contract/stipends.ts';
import { newId } from '#server/platform/ids.ts';
import { handoversTried } from '#server/platform/metrics.ts';
import type { BuiltPerson } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { type Client, openTestApp, type TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { startPayingAppOfAda } from '#test/support/paying-app.ts';
import type { PaymentAnswer, PaymentSystem } from '#test/support/payment-system.ts';
import { giveUpHandover, tryHandover } from './handover-tries.ts';

let receiver: PaymentSystem;
let app: TestApp;
let ada: BuiltPerson;
let admin: Client;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ app, receiver, ada, admin, close } = await startPayingAppOfAda());
});
afterAll(() => close());
beforeEach(() => {
  receiver.received.length = 0;
});
afterEach(() => {
  expect(receiver.answers).toEqual([]);
});

const approved = (weekNumber: number) => buildStipend(app.db, { weekNumber, paymentStatus: 'approved' });

async function refused(weekNumber: number, answer: PaymentAnswer = { status: 500 }): Promise<string> {
  await approved(weekNumber);
  receiver.answers.push(answer);
  const { handoverId } = await admin.call(handOverWeek, { body: { weekNumber } });
  return handoverId ?? '';
}

const batch = (id: string) =>
  app.db
    .selectFrom('stipendHandovers')
    .select(['status', 'claimedUntil'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

const triesOf = (handoverId: string) =>
  app.db
    .selectFrom('stipendHandoverTries')
    .select(['responseStatus', 'error', 'mayHaveArrived', 'finishedAt'])
    .where('handoverId', '=', handoverId)
    .orderBy('triedAt')
    .execute();

async function countedTries(): Promise<Record<string, number>> {
  const { values } = await handoversTried.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
}

test('a batch that nobody made is not found', async () => {
  await expect(tryHandover(app.app, newId())).rejects.toMatchObject({
    code: 'not_found',
    message: 'This batch was not found.',
  });
});

test('an answer from 200 to 299 accepts a batch, and no other does; each try is counted by its outcome', async () => {
  const before = await countedTries();
  const handoverId = await refused(1, { status: 300 });
  expect(await batch(handoverId)).toEqual({ status: 'failed', claimedUntil: null });
  receiver.answers.push({ status: 299 });
  expect(await tryHandover(app.app, handoverId)).toEqual({ status: 'sent' });
  expect(await batch(handoverId)).toEqual({ status: 'sent', claimedUntil: null });
  const counted = await countedTries();
  expect(counted).toEqual({ failed: (before.failed ?? 0) + 1, sent: (before.sent ?? 0) + 1 });
  const finishedAt = expect.any(Date);
  expect(await triesOf(handoverId)).toEqual([
    { responseStatus: 300, error: 'Webhook failed: 300', mayHaveArrived: true, finishedAt },
    { responseStatus: 299, error: null, mayHaveArrived: true, finishedAt },
  ]);
});

test('a try without an answer may have arrived, and one without a receiver has not', async () => {
  const handoverId = await refused(2, 'cut');
  expect(await triesOf(handoverId)).toMatchObject([{ responseStatus: null, mayHaveArrived: true }]);
  const unset = await openTestApp(app.connectionString, {});
  await tryHandover(unset.app, handoverId).finally(() => unset.close());
  expect((await triesOf(handoverId)).at(-1)).toMatchObject({
    mayHaveArrived: false,
    error: 'No receiver is set up: STIPEND_WEBHOOK_URL and STIPEND_WEBHOOK_SECRET are not set.',
  });
});

test('only a batch that failed is given up, and the admins are told', async () => {
  const handoverId = await refused(3);
  const told = await toldBy(app, () => giveUpHandover(app.db, handoverId));
  expect(told(ada)).toEqual(['payments']);
  expect((await batch(handoverId)).status).toBe('given_up');
  expect(await tryHandover(app.app, handoverId)).toEqual({ status: 'sent' });
  await giveUpHandover(app.db, handoverId);
  expect((await batch(handoverId)).status).toBe('sent');
});

test('what was taken back by itself says why in its own words, at the time and later', async () => {
  const handoverId = await refused(4);
  const { stipendId: id } = await app.db
    .selectFrom('stipendHandoverRows')
    .select('stipendId')
    .where('handoverId', '=', handoverId)
    .executeTakeFirstOrThrow();
  const { version } = await admin.call(readStipend, { params: { id } });
  const body = { version, amountCents: 40_000, reason: 'Counted anew' };
  await admin.call(changeStipendAmount, { params: { id }, body });
  const said = {
    status: 'recalled',
    error:
      'This batch would pay more than is now owed, and the payment system has not accepted it, so the batch was taken back. You can send what is owed again.',
  };
  expect(await tryHandover(app.app, handoverId)).toEqual(said);
  expect(await tryHandover(app.app, handoverId)).toEqual(said);
});

/** Makes a try that another one, of another process, overtakes before it has its answer. */
async function overtaken(handoverId: string, answer: PaymentAnswer) {
  const triedAt = new Date(Date.now() + 60_000);
  await app.db.insertInto('stipendHandoverTries').values({ id: newId(), handoverId, triedAt }).execute();
  receiver.answers.push(answer);
  const { status } = await tryHandover(app.app, handoverId);
  return { status, batch: await batch(handoverId) };
}

test('a late failure of an older try leaves the batch to the younger one, and a late acceptance settles it', async () => {
  const handoverId = await refused(5);
  const failedLate = await overtaken(handoverId, { status: 500 });
  expect(failedLate).toEqual({ status: 'failed', batch: { status: 'failed', claimedUntil: expect.any(Date) } });
  await app.db.updateTable('stipendHandovers').set({ claimedUntil: null }).where('id', '=', handoverId).execute();
  const acceptedLate = await overtaken(handoverId, { status: 200 });
  expect(acceptedLate).toEqual({ status: 'sent', batch: { status: 'sent', claimedUntil: null } });
});

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { handOverWeek, recallHandover } from '#contract/payments.ts';
import { changeStipendAmount, readStipend } from '#contract/stipends.ts';
import { newId } from '#server/platform/ids.ts';
import { handoversTried } from '#server/platform/metrics.ts';
import type { BuiltPerson } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { type Client, openTestApp, type TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { startPayingAppOfAda } from '#test/support/paying-app.ts';
import {
  type PaymentAnswer,
  type PaymentSystem,
  paymentSecret,
  sendConfirmation,
} from '#test/support/payment-system.ts';
import { figuresOf } from '#test/support/stipend-figures.ts';
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
  expect(await countedTries()).toEqual({ ...before, failed: (before.failed ?? 0) + 1 });
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

const busy = 'This batch is being sent at this moment. Please look again in a minute.';
const paidOtherwise =
  'A stipend of this batch was paid in another way, so the batch was taken back. You can send its other stipends again.';

const claim = (handoverId: string, claimedUntil: Date | null) =>
  app.db.updateTable('stipendHandovers').set({ claimedUntil }).where('id', '=', handoverId).execute();

/** Makes a try. While the payment system has it and has not answered, something else happens. */
async function whileSent(handoverId: string, status: number, act: () => Promise<unknown>) {
  const { promise: after, resolve: answer } = Promise.withResolvers<void>();
  receiver.answers.push({ status, after });
  const arrived = receiver.nextRequest();
  const running = tryHandover(app.app, handoverId);
  await arrived;
  await act();
  answer();
  return running;
}

/** A batch that was sent, and another one with the same stipend that was refused. */
async function sentAndRefused(weekNumber: number) {
  await approved(weekNumber);
  const sent = await admin.call(handOverWeek, { body: { weekNumber } });
  const { sentUnpaid: seen } = await figuresOf(admin, { week: weekNumber });
  receiver.answers.push({ status: 500 });
  const again = await admin.call(handOverWeek, { body: { weekNumber, again: true, seen } });
  const confirm = async () => {
    const body = { handover_id: sent.handoverId, reference: `PAY-${weekNumber}` };
    const reply = await sendConfirmation(app.url, { body, messageId: newId(), secret: paymentSecret });
    expect(reply.status).toBe(200);
  };
  return { handoverId: again.handoverId ?? '', confirm };
}

test('a batch that is being sent elsewhere, or that a person took back, is not sent', async () => {
  const handoverId = await refused(6);
  await claim(handoverId, new Date(Date.now() + 600_000));
  expect(await tryHandover(app.app, handoverId)).toEqual({ status: 'busy', error: busy });
  await claim(handoverId, null);
  await admin.call(recallHandover, { params: { id: handoverId }, body: { reason: 'Wrong week' } });
  const said = { status: 'recalled', error: 'This batch was recalled: Wrong week' };
  expect(await tryHandover(app.app, handoverId)).toEqual(said);
  expect(receiver.received).toHaveLength(1);
});

test('a batch with more than is owed is left to a person if a try had no answer', async () => {
  const handoverId = await refused(7, 'cut');
  const rows = app.db.selectFrom('stipendHandoverRows').select('stipendId').where('handoverId', '=', handoverId);
  const { stipendId: id } = await rows.executeTakeFirstOrThrow();
  const { version } = await admin.call(readStipend, { params: { id } });
  const body = { version, amountCents: 40_000, reason: 'Counted anew' };
  await admin.call(changeStipendAmount, { params: { id }, body });
  expect(await tryHandover(app.app, handoverId)).toEqual({
    status: 'given_up',
    error:
      'This batch hands over more than is owed by now, and an earlier try of it got no answer, so it is not sent again. Ask the payment system whether it has the batch; if not, recall it in Reconciliation.',
  });
  expect(receiver.received).toHaveLength(1);
});

test('a batch whose stipend was paid otherwise is taken back before it is sent once more, or after it was refused', async () => {
  const said = { status: 'recalled', error: paidOtherwise };
  const died = await sentAndRefused(8);
  await claim(died.handoverId, new Date(Date.now() + 600_000));
  await died.confirm();
  await claim(died.handoverId, null);
  receiver.received.length = 0;
  expect(await tryHandover(app.app, died.handoverId)).toEqual(said);
  expect(await tryHandover(app.app, died.handoverId)).toEqual(said);
  expect(receiver.received).toEqual([]);

  const running = await sentAndRefused(9);
  expect(await whileSent(running.handoverId, 500, running.confirm)).toEqual(said);
  expect((await batch(running.handoverId)).status).toBe('recalled');

  const overtakenOne = await sentAndRefused(10);
  const { handoverId } = overtakenOne;
  const pay = async () => {
    const triedAt = new Date(Date.now() + 60_000);
    await app.db.insertInto('stipendHandoverTries').values({ id: newId(), handoverId, triedAt }).execute();
    await overtakenOne.confirm();
  };
  expect(await whileSent(handoverId, 500, pay)).toEqual({ status: 'failed', error: 'Webhook failed: 500' });
  expect(await batch(handoverId)).toEqual({ status: 'failed', claimedUntil: expect.any(Date) });
});

test('who is in a batch that is accepted sees it at once; what was settled meanwhile stays, and nobody is told', async () => {
  const batches = app.db.updateTable('stipendHandovers');
  const { fellowId } = await approved(11);
  receiver.answers.push({ status: 500 });
  const { handoverId } = await admin.call(handOverWeek, { body: { weekNumber: 11 } });
  const id = handoverId ?? '';
  const recall = () => batches.set({ status: 'recalled', recallReason: 'Wrong' }).where('id', '=', id).execute();
  const toldLate = await toldBy(app, async () => {
    expect(await whileSent(id, 200, recall)).toEqual({ status: 'sent' });
  });
  expect(toldLate({ id: fellowId })).toEqual([]);
  expect((await batch(id)).status).toBe('recalled');

  const other = await refused(12);
  const settle = () => batches.set({ status: 'sent', sentAt: new Date() }).where('id', '=', other).execute();
  expect((await whileSent(other, 500, settle)).status).toBe('failed');
  expect((await batch(other)).status).toBe('sent');

  const next = await approved(13);
  const told = await toldBy(app, () => admin.call(handOverWeek, { body: { weekNumber: 13 } }));
  expect(told({ id: next.fellowId })).toEqual(['payments']);
});

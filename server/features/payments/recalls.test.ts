import { afterAll, beforeAll, expect, test } from 'vitest';
import { handOverWeek, markStipendPaid, recallHandover } from '#contract/payments.ts';
import { changeStipendAmount, readStipend } from '#contract/stipends.ts';
import { newId } from '#server/platform/ids.ts';
import type { BuiltPerson } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import type { Client, TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { startPayingAppOfAda } from '#test/support/paying-app.ts';
import type { PaymentSystem } from '#test/support/payment-system.ts';

let receiver: PaymentSystem;
let app: TestApp;
let ada: BuiltPerson;
let admin: Client;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ app, receiver, ada, admin, close } = await startPayingAppOfAda());
});
afterAll(() => close());

/** A stipend in a batch that the payment system refused. */
async function refusedBatch(weekNumber: number) {
  const { id } = await buildStipend(app.db, { weekNumber, paymentStatus: 'approved' });
  receiver.answers.push({ status: 500 });
  const { handoverId } = await admin.call(handOverWeek, { body: { weekNumber } });
  return { id, handoverId: handoverId ?? '' };
}

const recall = (id: string) => ({ params: { id }, body: { reason: 'Out of order' } });
const trailOf = (subjectId: string) =>
  app.db
    .selectFrom('auditLog')
    .select(['action', 'actorId', 'subjectType', 'before', 'after', 'reason'])
    .where('subjectId', '=', subjectId)
    .execute();
const batchOf = (id: string) =>
  app.db
    .selectFrom('stipendHandovers')
    .select(['status', 'recallReason', 'recalledBy'])
    .where('id', '=', id)
    .executeTakeFirst();

const recalled = { action: 'stipend.recall_handover', subjectType: 'stipend_handover' };
const after = { status: 'recalled', recipients: 1 };

test('a batch that an admin takes back names who and why, on record too, and whoever watches payments sees it', async () => {
  const { handoverId } = await refusedBatch(1);
  const told = await toldBy(app, () => admin.call(recallHandover, recall(handoverId)));
  expect(told(ada)).toContain('payments');
  expect(await batchOf(handoverId)).toEqual({ status: 'recalled', recallReason: 'Out of order', recalledBy: ada.id });
  expect(await trailOf(handoverId)).toEqual([
    { ...recalled, actorId: ada.id, before: { status: 'failed' }, after, reason: 'Out of order' },
  ]);
});

test('a batch that is not there, or was taken back already, is refused in words', async () => {
  expect((await admin.refused(recallHandover, recall(newId()))).problem).toMatchObject({
    code: 'not_found',
    detail: 'This batch was not found.',
  });
  const { handoverId } = await refusedBatch(2);
  await admin.call(recallHandover, recall(handoverId));
  expect((await admin.refused(recallHandover, recall(handoverId))).problem).toMatchObject({
    code: 'stale',
    detail: 'This batch was recalled already.',
  });
  expect(await trailOf(handoverId)).toHaveLength(1);
});

test('a batch that is being sent at this moment is left alone', async () => {
  const { handoverId } = await refusedBatch(3);
  const claimed = (claimedUntil: Date) =>
    app.db.updateTable('stipendHandovers').set({ claimedUntil }).where('id', '=', handoverId).execute();
  await claimed(new Date(Date.now() + 60_000));
  expect((await admin.refused(recallHandover, recall(handoverId))).problem).toMatchObject({
    code: 'conflict',
    detail: 'This batch is being sent at this moment. Please look again in a minute.',
  });
  await claimed(new Date(Date.now() - 1));
  expect(await admin.call(recallHandover, recall(handoverId))).toEqual({ recalled: 1 });
});

test('a batch with more than is owed is taken back by itself, with the reason in words, on record and at once', async () => {
  const { id, handoverId } = await refusedBatch(4);
  const { version } = await admin.call(readStipend, { params: { id } });
  const less = { params: { id }, body: { version, amountCents: 40_000, reason: 'Half a day less' } };
  await admin.call(changeStipendAmount, less);
  const told = await toldBy(app, async () => {
    const reason =
      'This batch would pay more than is now owed, and the payment system has not accepted it, so the batch was taken back. You can send what is owed again.';
    const pressed = await admin.call(handOverWeek, { body: { weekNumber: 4 } });
    expect(pressed).toMatchObject({ status: 'recalled', error: reason });
    expect(await batchOf(handoverId)).toEqual({ status: 'recalled', recallReason: reason, recalledBy: null });
    expect(await trailOf(handoverId)).toEqual([
      { ...recalled, actorId: null, before: { status: 'failed' }, after, reason },
    ]);
  });
  expect(told(ada)).toContain('payments');
});

test('a batch with exactly what is owed goes out', async () => {
  const { id } = await refusedBatch(5);
  const { version } = await admin.call(readStipend, { params: { id } });
  const more = { params: { id }, body: { version, amountCents: 50_001, reason: 'A cent more' } };
  const raised = await admin.call(changeStipendAmount, more);
  const same = { params: { id }, body: { version: raised.version, amountCents: 50_000, reason: 'A cent less' } };
  await admin.call(changeStipendAmount, same);
  expect(await admin.call(handOverWeek, { body: { weekNumber: 5 } })).toMatchObject({ status: 'sent', recipients: 1 });
});

test('what is on its way cannot be noted as paid, and once it is taken back it can', async () => {
  const { id, handoverId } = await refusedBatch(6);
  const mark = async () => {
    const { version } = await admin.call(readStipend, { params: { id } });
    return { params: { id }, body: { version, reference: 'CHK 6' } };
  };
  expect((await admin.refused(markStipendPaid, await mark())).problem.code).toBe('conflict');
  await admin.call(recallHandover, recall(handoverId));
  expect(await admin.call(markStipendPaid, await mark())).toMatchObject({ paymentStatus: 'paid', dueCents: 0 });
});

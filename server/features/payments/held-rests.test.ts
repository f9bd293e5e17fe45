import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { handOverWeek, markStipendPaid, recallHandover, takePaymentBack } from '#contract/payments.ts';
import { changeStipendAmount, readStipend } from '#contract/stipends.ts';
import { newId } from '#server/platform/ids.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import type { Client, TestApp } from '#test/support/app.ts';
import { startPayingApp } from '#test/support/paying-app.ts';
import { type PaymentSystem, paymentSecret, sendConfirmation } from '#test/support/payment-system.ts';
import { figuresOf } from '#test/support/stipend-figures.ts';
import { timesOutAfter } from '#test/support/time-limit.ts';
import { tryHandover } from './handover-tries.ts';
import { verifyLedger } from './ledger.ts';

let receiver: PaymentSystem;
let app: TestApp;
let admin: Client;

beforeAll(async () => {
  ({ app, receiver } = await startPayingApp());
  admin = await app.as(await buildAdmin(app.db));
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.answers.length = 0;
  expect((await verifyLedger(app.db)).problems).toEqual([]);
});

const approved = (weekNumber: number) => buildStipend(app.db, { weekNumber, paymentStatus: 'approved' });
const read = (id: string) => admin.call(readStipend, { params: { id } });
const totals = () => receiver.received.map(({ body }) => JSON.parse(body).total_amount);

async function send(weekNumber: number) {
  const { handoverId, ...reply } = await admin.call(handOverWeek, { body: { weekNumber } });
  return { ...reply, handoverId: handoverId ?? '' };
}

async function sendAgain(weekNumber: number) {
  const summary = await figuresOf(admin, { week: weekNumber });
  return admin.call(handOverWeek, { body: { weekNumber, again: true, seen: summary.sentUnpaid } });
}

interface Told {
  reference: string;
  of?: { id: string; amount: number };
}

async function confirm(handoverId: string, { reference, of }: Told) {
  const payments = of && [{ participant_email: (await read(of.id)).participantEmail, amount: of.amount }];
  const body = { handover_id: handoverId, reference, payments };
  const answer = await sendConfirmation(app.url, { body, messageId: newId(), secret: paymentSecret });
  return { status: answer.status, ...((await answer.json()) as object) };
}

async function change(id: string, amountCents: number) {
  const { version } = await read(id);
  return admin.call(changeStipendAmount, { params: { id }, body: { version, amountCents, reason: 'Counted anew.' } });
}

async function mark(id: string, facts: { reference: string; amountCents?: number }) {
  const { version } = await read(id);
  return admin.call(markStipendPaid, { params: { id }, body: { version, ...facts } });
}

async function takeBack(id: string) {
  const { version } = await read(id);
  return admin.call(takePaymentBack, { params: { id }, body: { version, reason: 'Another amount' } });
}

const recall = (id: string) => admin.call(recallHandover, { params: { id }, body: { reason: 'Out of order' } });
const statusOf = async (id: string) =>
  (await app.db.selectFrom('stipendHandovers').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;

test('of a recalled batch that turns out to be accepted no other row goes out anew by itself', async () => {
  const [paid, other] = [await approved(1), await approved(1)];
  receiver.answers.push({ status: 500 });
  const first = await send(1);
  await recall(first.handoverId);
  receiver.answers.push({ status: 500 });
  const second = await send(1);
  expect(await confirm(first.handoverId, { reference: 'PAY-1', of: { id: paid.id, amount: 500 } })).toMatchObject({
    paid: 1,
  });
  expect(await statusOf(second.handoverId)).toBe('recalled');
  expect((await send(1)).status).toBe('nothing_to_send');
  expect(await read(other.id)).toMatchObject({ handover: 'sent', needsReason: true, can: { markPaid: true } });
  expect(await confirm(first.handoverId, { reference: 'PAY-1', of: { id: other.id, amount: 500 } })).toMatchObject({
    paid: 1,
  });
});

test('a batch in place of a recalled one is taken back when the payment system tells of the recalled one', async () => {
  const [paid, other] = [await approved(2), await approved(2)];
  receiver.answers.push({ status: 500 });
  const first = await send(2);
  await recall(first.handoverId);
  receiver.answers.push({ status: 500 });
  const { cohortId } = await app.db
    .selectFrom('stipendEligibility')
    .select('cohortId')
    .where('id', '=', other.id)
    .executeTakeFirstOrThrow();
  const { handoverId } = await admin.call(handOverWeek, { body: { weekNumber: 2, cohortId } });
  await confirm(first.handoverId, { reference: 'PAY-2', of: { id: paid.id, amount: 500 } });
  expect(await statusOf(handoverId ?? '')).toBe('recalled');
  expect((await send(2)).status).toBe('nothing_to_send');
});

test('a rest waits while the receiver has the whole batch, and is paid by a further confirmation of it', async () => {
  const { id } = await approved(3);
  const { handoverId } = await send(3);
  expect(await confirm(handoverId, { reference: 'PAY-3', of: { id, amount: 450 } })).toMatchObject({ paid: 1 });
  expect(await read(id)).toMatchObject({ dueCents: 5_000, restWaits: true });
  expect((await send(3)).status).toBe('nothing_to_send');
  expect(receiver.received).toHaveLength(1);
  const rest = { reference: 'PAY-3b', of: { id, amount: 50 } };
  expect(await confirm(handoverId, rest)).toMatchObject({ paid: 1, paid_twice: 0 });
  expect(await confirm(handoverId, rest)).toMatchObject({ paid: 0, known: 1 });
  expect(await confirm(handoverId, { reference: 'PAY-3c', of: { id, amount: 0.01 } })).toMatchObject({ paid_twice: 1 });
  const at = expect.stringMatching(/Z$/);
  expect(await read(id)).toMatchObject({
    dueCents: 0,
    restWaits: false,
    payment: {
      amountCents: 50_000,
      reference: 'PAY-3b',
      parts: [
        { amountCents: 45_000, at },
        { amountCents: 5_000, at },
      ],
    },
  });
});

test('a rest that waits goes out with all that is sent again, at the amount that is left', async () => {
  const { id } = await approved(4);
  const first = await send(4);
  await mark(id, { reference: 'CHK 4', amountCents: 45_000 });
  expect((await send(4)).status).toBe('nothing_to_send');
  const summary = await figuresOf(admin, { week: 4 });
  expect(summary.sentUnpaid).toMatchObject({ count: 1, totalCents: 5_000 });
  const again = await sendAgain(4);
  expect(again).toMatchObject({ status: 'sent', recipients: 1 });
  expect(totals()).toEqual([500, 50]);
  expect(await confirm(again.handoverId ?? '', { reference: 'PAY-4' })).toMatchObject({ paid: 1 });
  expect(await confirm(first.handoverId, { reference: 'PAY-4b' })).toMatchObject({ paid_twice: 1 });
  await change(id, 60_000);
  expect((await send(4)).status).toBe('nothing_to_send');
});

test('a rest waits until it is in a batch of its own, whether that is still open or accepted', async () => {
  const { id } = await approved(12);
  await send(12);
  await mark(id, { reference: 'CHK 12', amountCents: 45_000 });
  const rest = async () => {
    const { restWaits, dueCents, handover } = await read(id);
    return { restWaits, dueCents, handover };
  };
  expect(await rest()).toEqual({ restWaits: true, dueCents: 5_000, handover: 'sent' });
  receiver.answers.push({ status: 500 });
  expect(await sendAgain(12)).toMatchObject({ status: 'failed' });
  expect(await rest()).toEqual({ restWaits: false, dueCents: 5_000, handover: 'failed' });
  expect(await send(12)).toMatchObject({ status: 'sent' });
  expect(await rest()).toEqual({ restWaits: false, dueCents: 5_000, handover: 'sent' });
});

test('a batch that was paid in two goes does not hold back what an adjustment adds', async () => {
  const { id } = await approved(5);
  const { handoverId } = await send(5);
  await confirm(handoverId, { reference: 'PAY-5', of: { id, amount: 450 } });
  await confirm(handoverId, { reference: 'PAY-5b', of: { id, amount: 50 } });
  await change(id, 62_500);
  expect(await send(5)).toMatchObject({ status: 'sent', recipients: 1 });
  expect(totals()).toEqual([500, 125]);
});

test('a note of another amount than the payment system told is taken back', async () => {
  const { id } = await approved(6);
  const { handoverId } = await send(6);
  await mark(id, { reference: 'PAY-6', amountCents: 45_000 });
  expect(await confirm(handoverId, { reference: 'PAY-6' })).toMatchObject({ conflict: 1 });
  expect((await send(6)).status).toBe('nothing_to_send');
  expect(await takeBack(id)).toMatchObject({ paymentStatus: 'approved' });
  expect(await mark(id, { reference: 'PAY-6' })).toMatchObject({ dueCents: 0, paymentStatus: 'paid' });
});

test('a recalled batch with a rest that is paid late is booked as what is paid next, once', async () => {
  const { id } = await approved(7);
  await mark(id, { reference: 'CHK 7' });
  await change(id, 62_500);
  receiver.answers.push({ status: 500 });
  const rest = await send(7);
  await recall(rest.handoverId);
  await takeBack(id);
  expect(await confirm(rest.handoverId, { reference: 'PAY-7' })).toMatchObject({ status: 200, paid: 1 });
  expect(await confirm(rest.handoverId, { reference: 'PAY-7' })).toMatchObject({ status: 200, known: 1 });
  expect(await confirm(rest.handoverId, { reference: 'PAY-7b' })).toMatchObject({ status: 200, paid_twice: 1 });
  expect(await read(id)).toMatchObject({ dueCents: 50_000, payment: { amountCents: 12_500 } });
  expect((await verifyLedger(app.db)).problems).toEqual([]);
});

test('what is paid late of a batch with a rest does not confirm a later note of the same amount', async () => {
  const { id } = await approved(13);
  await mark(id, { reference: 'CHK 13' });
  await change(id, 62_500);
  receiver.answers.push({ status: 500 });
  const rest = await send(13);
  await recall(rest.handoverId);
  await takeBack(id);
  expect(await confirm(rest.handoverId, { reference: 'PAY-13' })).toMatchObject({ paid: 1 });
  const noted = await mark(id, { reference: 'CHK 13b', amountCents: 12_500 });
  expect(noted).toMatchObject({ dueCents: 37_500, can: { takePaymentBack: true } });
  expect(await takeBack(id)).toMatchObject({ dueCents: 50_000, payment: { reference: 'PAY-13' } });
});

test('a rest waits while the receiver has more of a batch than it paid, also if a part before it was taken back', async () => {
  const { id } = await approved(14);
  await mark(id, { reference: 'CHK 14' });
  await change(id, 60_000);
  await mark(id, { reference: 'CHK 14b' });
  await change(id, 70_000);
  receiver.answers.push({ status: 500 });
  const third = await send(14);
  await recall(third.handoverId);
  await takeBack(id);
  await takeBack(id);
  expect(await confirm(third.handoverId, { reference: 'PAY-14', of: { id, amount: 40 } })).toMatchObject({ paid: 1 });
  expect(await read(id)).toMatchObject({ dueCents: 66_000, restWaits: true });
  expect((await send(14)).status).toBe('nothing_to_send');
});

test('a stipend whose payment was taken back does not go out whole while the receiver has a batch with its rest', async () => {
  const [taken, paid] = [await approved(15), await approved(15)];
  for (const { id } of [taken, paid]) {
    await mark(id, { reference: 'CHK 15' });
    await change(id, 60_000);
  }
  receiver.answers.push({ status: 500 });
  const { handoverId } = await send(15);
  await recall(handoverId);
  await takeBack(taken.id);
  const told = { reference: 'PAY-15', of: { id: paid.id, amount: 100 } };
  expect(await confirm(handoverId, told)).toMatchObject({ paid: 1 });
  const held = { paymentStatus: 'approved', handover: 'sent', dueCents: 60_000, restWaits: true };
  expect(await read(taken.id)).toMatchObject(held);
  expect((await send(15)).status).toBe('nothing_to_send');
  expect(await sendAgain(15)).toMatchObject({ status: 'sent', recipients: 1 });
  expect(totals()).toEqual([200, 600]);
});

test('a stipend of nothing is paid once too', async () => {
  const { id } = await buildStipend(app.db, { weekNumber: 11, paymentStatus: 'approved', stipendAmountCents: 0 });
  const { handoverId } = await send(11);
  expect(await confirm(handoverId, { reference: 'PAY-11' })).toMatchObject({ paid: 1 });
  expect(await confirm(handoverId, { reference: 'PAY-11b' })).toMatchObject({ paid: 0, paid_twice: 1 });
  expect(await read(id)).toMatchObject({ payment: { amountCents: 0, reference: 'PAY-11' } });
});

test('the same payment of a batch is known where the one on record names no batch', async () => {
  const stipend = await approved(8);
  const { handoverId } = await send(8);
  const { id: stipendId } = stipend;
  const before = { stipendId, part: 1, amountCents: 50_000, source: 'confirmation', reference: 'PAY-8' };
  await app.db.insertInto('stipendPaymentParts').values(before).execute();
  await app.db.updateTable('stipendEligibility').set({ paymentStatus: 'paid' }).where('id', '=', stipendId).execute();
  expect(await confirm(handoverId, { reference: 'PAY-8' })).toMatchObject({ known: 1, conflict: 0 });
});

test('a refused batch with more than is owed by now is taken back instead of sent, and what is owed goes out', async () => {
  const { id } = await approved(9);
  receiver.answers.push({ status: 500 });
  const first = await send(9);
  await change(id, 40_000);
  expect(await send(9)).toMatchObject({ status: 'recalled', error: expect.stringContaining('more than is now owed') });
  expect(await statusOf(first.handoverId)).toBe('recalled');
  expect(await send(9)).toMatchObject({ status: 'sent', recipients: 1 });
  expect(totals()).toEqual([500, 400]);
});

test('a batch with more than is owed by now is left to a person where the receiver may have it', async () => {
  const { id } = await approved(10);
  receiver.answers.push({ status: 500 }, 'none');
  const { handoverId } = await send(10);
  expect(await timesOutAfter(receiver.nextRequest, () => tryHandover(app.app, handoverId))).toMatchObject({
    status: 'failed',
  });
  await change(id, 60_000);
  await change(id, 40_000);
  const left = { status: 'given_up', error: expect.stringContaining('an earlier try of it got no answer') };
  expect(await tryHandover(app.app, handoverId)).toMatchObject(left);
  expect(await statusOf(handoverId)).toBe('given_up');
  const pressed = await send(10);
  expect(pressed).toMatchObject({ status: 'failed', error: left.error });
  expect(totals()).toEqual([500, 500]);
  await recall(handoverId);
  expect((await send(10)).status).toBe('sent');
  expect(totals()).toEqual([500, 500, 400]);
});

test('the line of a recalled rest says what is still handed over in all, and that the rest waits for nobody', async () => {
  const { id } = await approved(10);
  const { handoverId } = await send(10);
  await confirm(handoverId, { reference: 'PAY-10' });
  await change(id, 62_500);
  receiver.answers.push({ status: 500 });
  await recall((await send(10)).handoverId);
  const { history, restWaits } = await read(id);
  expect(history.slice(0, 2).map(({ action, detail }) => [action, detail])).toEqual([
    ['recall', '$625 handed over → $500 handed over'],
    ['handover', '$500 handed over → paid, $625 handed over'],
  ]);
  expect(restWaits).toBe(false);
});

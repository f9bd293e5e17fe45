import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  handOverWeek,
  listReconciliation,
  markStipendPaid,
  type ReconciliationKind,
  recallHandover,
  takePaymentBack,
} from '#contract/payments.ts';
import { changeStipendAmount, readStipend } from '#contract/stipends.ts';
import { lockStipends } from '#server/features/stipends/stipend-lock-access.ts';
import { newId } from '#server/platform/ids.ts';
import { changed } from '#server/platform/telling.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { type BuiltPerson, buildAdmin } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import type { Client, TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { startPayingApp } from '#test/support/paying-app.ts';
import { type PaymentSystem, paymentSecret, sendConfirmation } from '#test/support/payment-system.ts';
import { figuresOf } from '#test/support/stipend-figures.ts';
import { timesOutAfter } from '#test/support/time-limit.ts';
import { somebodyWaits } from '#test/support/waiting-statements.ts';
import { recallBatchesThatWouldPay } from './handover-recalls.ts';
import { answerLimitInMs, tryHandover } from './handover-tries.ts';
import { verifyLedger } from './ledger.ts';
import { writePayments } from './payments.ts';

let receiver: PaymentSystem;
let app: TestApp;
let payer: BuiltPerson;
let admin: Client;
let other: Client;

beforeAll(async () => {
  ({ app, receiver } = await startPayingApp());
  payer = await buildAdmin(app.db);
  admin = await app.as(payer);
  other = await app.as(await buildAdmin(app.db, { firstName: 'Bea' }));
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
const send = (weekNumber: number) => admin.call(handOverWeek, { body: { weekNumber } });
const read = (id: string) => admin.call(readStipend, { params: { id } });
const totalOf = (request: { body: string } | undefined): unknown => JSON.parse(request?.body ?? '{}').total_amount;

async function seenOf(weekNumber: number) {
  return (await figuresOf(admin, { week: weekNumber })).sentUnpaid;
}

async function sendAgain(weekNumber: number) {
  return admin.call(handOverWeek, { body: { weekNumber, again: true, seen: await seenOf(weekNumber) } });
}

async function confirm(handoverId: string | null, reference: string) {
  const body = { handover_id: handoverId, reference };
  const answer = await sendConfirmation(app.url, { body, messageId: newId(), secret: paymentSecret });
  expect(answer.status).toBe(200);
  return answer.json();
}

async function change(id: string, amountCents: number) {
  const { version } = await read(id);
  return admin.call(changeStipendAmount, { params: { id }, body: { version, amountCents, reason: 'Counted anew.' } });
}

async function mark(id: string, facts: { reference?: string; amountCents?: number } = {}) {
  const { version } = await read(id);
  return admin.call(markStipendPaid, { params: { id }, body: { version, reference: 'CHK 1', ...facts } });
}

async function idsIn(kind: ReconciliationKind) {
  const { rows } = await admin.call(listReconciliation, { query: { kind } });
  return rows.map(({ stipendId }) => stipendId);
}

const batch = (id: string | null) =>
  app.db
    .selectFrom('stipendHandovers')
    .select(['status', 'recallReason', 'recalledBy'])
    .where('id', '=', id ?? '')
    .executeTakeFirstOrThrow();

test('a batch that is still open is taken back when one of its stipends is paid through another one', async () => {
  const [stipend, companion] = [await approved(1), await approved(1)];
  const first = await send(1);
  receiver.answers.push({ status: 500 });
  const second = await sendAgain(1);
  expect(second.status).toBe('failed');
  expect(second.handoverId).not.toBe(first.handoverId);
  expect(await confirm(first.handoverId, 'PAY-1')).toMatchObject({ paid: 2 });
  expect(await batch(second.handoverId)).toMatchObject({ status: 'recalled', recalledBy: null });

  expect((await send(1)).status).toBe('nothing_to_send');
  // The job that was to repeat it ends.
  expect(await tryHandover(app.app, second.handoverId ?? '')).toMatchObject({ status: 'recalled' });
  expect(receiver.received).toHaveLength(2);
  const { history, handedCents } = await read(stipend.id);
  expect(history.map(({ action }) => action)).toEqual(['payment', 'recall', 'handover', 'handover', 'approval']);
  expect(history.find(({ action }) => action === 'recall')?.reason).toContain('was paid in another way');
  expect(handedCents).toBe(50_000);
  expect((await read(companion.id)).paymentStatus).toBe('paid');
});

test('a recalled batch that turns out to be paid takes back the one that was made in its place', async () => {
  const stipend = await approved(2);
  receiver.answers.push({ status: 500 }, { status: 500 });
  const first = await send(2);
  await admin.call(recallHandover, { params: { id: first.handoverId ?? '' }, body: { reason: 'Out of order' } });
  const second = await send(2);
  expect(await confirm(first.handoverId, 'PAY-2')).toMatchObject({ paid: 1 });
  expect((await batch(second.handoverId)).status).toBe('recalled');
  expect((await send(2)).status).toBe('nothing_to_send');
  expect((await read(stipend.id)).payment).toMatchObject({ amountCents: 50_000, reference: 'PAY-2' });
});

test('what is paid while a batch with it is being sent is not sent once more after it', async () => {
  const stipend = await approved(3);
  const first = await send(3);
  receiver.answers.push({ status: 500 });
  const second = await sendAgain(3);
  receiver.answers.push('none');
  const payMeanwhile = async () => {
    await receiver.nextRequest();
    // If a lease ended before the answer may come, a second try would go out beside it.
    expect(await leaseInMs(second.handoverId)).toBeGreaterThan(answerLimitInMs);
    expect(await confirm(first.handoverId, 'PAY-3')).toMatchObject({ paid: 1 });
  };
  const outcome = await timesOutAfter(payMeanwhile, () => tryHandover(app.app, second.handoverId ?? ''));
  expect(outcome).toMatchObject({ status: 'recalled', error: expect.stringContaining('paid in another way') });
  expect((await batch(second.handoverId)).status).toBe('recalled');
  expect((await read(stipend.id)).payment).toMatchObject({ amountCents: 50_000 });
});

async function leaseInMs(handoverId: string | null): Promise<number | undefined> {
  const { rows } = await sql<{ leaseInMs: number }>`
    select (extract(epoch from batch.claimed_until - running.tried_at) * 1000)::integer as lease_in_ms
    from stipend_handovers batch join stipend_handover_tries running on running.handover_id = batch.id
    where batch.id = ${handoverId} and running.finished_at is null`.execute(app.db);
  return rows[0]?.leaseInMs;
}

test('a try waits for a payment of its stipend that is under way, and then sends nothing', async () => {
  const { id, fellowId } = await approved(16);
  receiver.answers.push({ status: 500 });
  const { handoverId } = await send(16);
  const { running } = await inTransaction(app.db, async (db) => {
    await lockStipends(db, sql`stipends.id = ${id}`);
    const running = tryHandover(app.app, handoverId ?? '');
    const waits = somebodyWaits(app.db).then(() => 'waits');
    expect(await Promise.race([running.then(({ status }) => status), waits])).toBe('waits');
    const paid = [{ id, part: 1, paidCents: 50_000 }];
    await recallBatchesThatWouldPay(db, paid);
    await writePayments(db, paid, { at: new Date(), source: 'admin', recordedBy: payer.id, reference: 'CHK 16' });
    await changed(db, ['payments', 'stipends'], [fellowId]);
    return { running };
  });
  expect(await running).toMatchObject({ status: 'recalled' });
  expect(receiver.received).toHaveLength(1);
});

test('a try that died is not repeated when its stipend was paid meanwhile', async () => {
  await approved(4);
  const first = await send(4);
  receiver.answers.push({ status: 500 });
  const second = await sendAgain(4);
  const claimedUntil = (seconds: number) =>
    app.db
      .updateTable('stipendHandovers')
      .set({ claimedUntil: new Date(Date.now() + seconds * 1000) })
      .where('id', '=', second.handoverId ?? '')
      .execute();
  await claimedUntil(600);
  await confirm(first.handoverId, 'PAY-4');
  expect((await batch(second.handoverId)).status).toBe('failed');
  await claimedUntil(-1);
  // New rows of the week go out although the open batch before them is taken back.
  await approved(4);
  expect(await send(4)).toMatchObject({ status: 'sent', recipients: 1 });
  expect((await batch(second.handoverId)).status).toBe('recalled');
  expect(receiver.received).toHaveLength(3);
});

test('a receiver that pays and never answers is not sent the batch again once it confirms', async () => {
  const stipend = await approved(5);
  receiver.answers.push({ status: 500 }, 'none');
  const { handoverId } = await send(5);
  expect(await timesOutAfter(receiver.nextRequest, () => tryHandover(app.app, handoverId ?? ''))).toEqual({
    status: 'failed',
    error: 'The receiver did not answer within 10 seconds.',
  });
  expect(await confirm(handoverId, 'PAY-5')).toMatchObject({ paid: 1 });
  expect(await tryHandover(app.app, handoverId ?? '')).toEqual({ status: 'sent' });
  expect((await send(5)).status).toBe('nothing_to_send');
  expect(receiver.received).toHaveLength(2);
  expect((await read(stipend.id)).handover).toBe('sent');
});

test('a decision on what was seen before the hand-over is refused', async () => {
  const { id, version } = await approved(6);
  receiver.answers.push({ status: 500 });
  const { handoverId } = await send(6);
  const body = { version, amountCents: 40_000, reason: 'Less' };
  expect((await admin.refused(changeStipendAmount, { params: { id }, body })).problem.code).toBe('stale');
  await admin.call(recallHandover, { params: { id: handoverId ?? '' }, body: { reason: 'Wrong week' } });
  const paid = { params: { id }, body: { version, reference: 'CHK 2' } };
  expect((await admin.refused(markStipendPaid, paid)).problem.code).toBe('stale');
});

test('a hand-over of a batch that was recalled meanwhile is not called sent', async () => {
  await approved(7);
  receiver.answers.push({ status: 500 });
  const { handoverId } = await send(7);
  await admin.call(recallHandover, { params: { id: handoverId ?? '' }, body: { reason: 'Wrong receiver' } });
  expect(await tryHandover(app.app, handoverId ?? '')).toEqual({
    status: 'recalled',
    error: 'This batch was recalled: Wrong receiver',
  });
});

test('HOOK-11 sending all again is done once of two admins or of a request that comes twice', async () => {
  await approved(8);
  await send(8);
  const body = { weekNumber: 8, again: true, seen: await seenOf(8) };
  expect((await admin.refused(handOverWeek, { body: { weekNumber: 8, again: true } })).status).toBe(422);
  // Requests that come while the new batch is open join it. Later ones are refused.
  await Promise.allSettled([admin, other, admin].map((one) => one.call(handOverWeek, { body })));
  expect((await other.refused(handOverWeek, { body })).problem.code).toBe('stale');
  expect(receiver.received).toHaveLength(2);
  expect((await sendAgain(8)).status).toBe('sent');
});

test('what an adjustment adds to a paid stipend is handed over alone and paid once', async () => {
  const { id } = await approved(9);
  const first = await send(9);
  await confirm(first.handoverId, 'PAY-9');
  const raised = await change(id, 62_500);
  expect(raised).toMatchObject({ paymentStatus: 'paid', dueCents: 12_500, can: { markPaid: true } });
  expect(await idsIn('paid_not_owed')).toContain(id);
  expect((await verifyLedger(app.db)).differences).toEqual([`Stipend ${id} was paid 50000 cents; 62500 are owed.`]);

  const rest = await send(9);
  expect(rest).toMatchObject({ status: 'sent', recipients: 1 });
  expect(totalOf(receiver.received.at(-1))).toBe(125);
  expect((await send(9)).status).toBe('nothing_to_send');
  expect((await sendAgain(9)).status).toBe('sent');
  expect(totalOf(receiver.received.at(-1))).toBe(125);
  expect((await read(id)).handedCents).toBe(62_500);

  expect(await confirm(rest.handoverId, 'PAY-9b')).toMatchObject({ paid: 1 });
  expect(await confirm(rest.handoverId, 'PAY-9b')).toMatchObject({ paid: 0, known: 1 });
  expect(await confirm(first.handoverId, 'PAY-9c')).toMatchObject({ paid: 0, paid_twice: 1 });
  expect(await read(id)).toMatchObject({ dueCents: 0, payment: { amountCents: 62_500, reference: 'PAY-9b' } });
  expect(await idsIn('paid_not_owed')).not.toContain(id);
  const lines = app.db.selectFrom('stipendLedger').select(['kind', 'owedCents', 'handedCents', 'paidCents']);
  expect(await lines.where('stipendId', '=', id).orderBy('position').execute()).toEqual([
    { kind: 'approval', owedCents: 50_000, handedCents: 0, paidCents: 0 },
    { kind: 'handover', owedCents: 0, handedCents: 50_000, paidCents: 0 },
    { kind: 'payment', owedCents: 0, handedCents: 0, paidCents: 50_000 },
    { kind: 'adjustment', owedCents: 12_500, handedCents: 0, paidCents: 0 },
    { kind: 'handover', owedCents: 0, handedCents: 12_500, paidCents: 0 },
    { kind: 'handover', owedCents: 0, handedCents: 0, paidCents: 0 },
    { kind: 'payment', owedCents: 0, handedCents: 0, paidCents: 12_500 },
  ]);
  expect((await verifyLedger(app.db)).differences).toEqual([]);
});

test('a payment of more or less than is owed is listed, told by its own amount, and the rest can be paid', async () => {
  const [short, over] = [await approved(10), await approved(10)];
  expect(await mark(short.id, { amountCents: 45_050 })).toMatchObject({ dueCents: 4_950, can: { markPaid: true } });
  expect(await mark(over.id, { amountCents: 60_000 })).toMatchObject({ dueCents: -10_000, can: { markPaid: false } });
  expect((await idsIn('paid_not_owed')).sort()).toEqual([short.id, over.id].sort());
  const notices = app.db.selectFrom('notices').select('message').where('userId', '=', short.fellowId);
  expect(await notices.execute()).toEqual([{ message: 'Your stipend of $450.50 for week 10 was paid.' }]);
  expect(await mark(short.id, { reference: 'CHK 2' })).toMatchObject({ dueCents: 0, payment: { amountCents: 50_000 } });
  expect(await idsIn('paid_not_owed')).toEqual([over.id]);
  const { version } = await read(over.id);
  const more = { params: { id: over.id }, body: { version, reference: 'CHK 3' } };
  expect((await admin.refused(markStipendPaid, more)).problem.code).toBe('stale');
});

test('a payment that an admin noted is taken back by a line of its own, and the stipend is paid anew', async () => {
  const stipend = await approved(11);
  const { id } = stipend;
  const marked = await mark(id);
  expect(marked.can).toMatchObject({ takePaymentBack: true, markPaid: false });
  const back = (version: number, reason: string) => ({ params: { id }, body: { version, reason } });
  expect((await admin.refused(takePaymentBack, back(marked.version, '  '))).status).toBe(422);
  expect((await admin.refused(takePaymentBack, back(marked.version - 1, 'x'))).problem.code).toBe('stale');
  const answers = await Promise.allSettled(
    [admin, other, admin].map((one) => one.call(takePaymentBack, back(marked.version, 'Another person'))),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const taken = await read(id);
  expect(taken).toMatchObject({ paymentStatus: 'approved', payment: null, dueCents: 50_000 });
  expect(taken.history[0]).toMatchObject({ action: 'reversal', reason: 'Another person' });
  expect(await idsIn('approved_not_sent')).toContain(id);
  expect((await admin.refused(takePaymentBack, back(taken.version, 'x'))).problem.code).toBe('conflict');

  const { handoverId } = await send(11);
  expect(await confirm(handoverId, 'PAY-11')).toMatchObject({ paid: 1 });
  const paid = await read(id);
  expect(paid).toMatchObject({ payment: { reference: 'PAY-11' }, can: { takePaymentBack: false } });
  expect((await admin.refused(takePaymentBack, back(paid.version, 'x'))).problem.detail).toContain(
    'that an admin recorded',
  );
  const sums = app.db.selectFrom('stipendLedger').select(['kind', 'paidCents']).where('paidCents', '<>', 0);
  expect(await sums.where('stipendId', '=', id).orderBy('position').execute()).toEqual([
    { kind: 'payment', paidCents: 50_000 },
    { kind: 'reversal', paidCents: -50_000 },
    { kind: 'payment', paidCents: 50_000 },
  ]);
});

test('a payment that the payment system tells of too is not taken back', async () => {
  const { id } = await approved(12);
  const { handoverId } = await send(12);
  const { version } = await mark(id);
  expect(await confirm(handoverId, 'PAY-12')).toMatchObject({ paid_twice: 1 });
  const refused = await admin.refused(takePaymentBack, { params: { id }, body: { version, reason: 'x' } });
  expect(refused.problem.detail).toContain('says it paid this stipend too');
  expect((await read(id)).paymentStatus).toBe('paid');
});

test('no part of a stipend is paid twice, nor before the one before it, no matter who writes it', async () => {
  const { id: stipendId } = await approved(13);
  await mark(stipendId, { amountCents: 1 });
  const pay = (part: number) =>
    app.db.insertInto('stipendPaymentParts').values({ stipendId, part, amountCents: 1, source: 'import' }).execute();
  await expect(pay(1)).rejects.toThrow('a_part_is_paid_once');
  await expect(pay(3)).rejects.toThrow('part 3 of a stipend is not paid before part 2');
});

test('the own page of the participant is told of a hand-over, a payment and one that is taken back', async () => {
  const { id, fellowId } = await approved(16);
  const takeBack = async () => {
    const { version } = await read(id);
    return admin.call(takePaymentBack, { params: { id }, body: { version, reason: 'The cheque was lost.' } });
  };
  for (const act of [() => send(16), () => mark(id), takeBack]) {
    const told = await toldBy(app, act);
    expect(told({ id: fellowId })).toContain('payments');
  }
});

test('a batch that is being sent elsewhere is said to be, and has not failed', async () => {
  await approved(15);
  receiver.answers.push({ status: 500 });
  const { handoverId } = await send(15);
  const claim = (claimedUntil: Date | null) =>
    app.db
      .updateTable('stipendHandovers')
      .set({ claimedUntil })
      .where('id', '=', handoverId ?? '')
      .execute();
  await claim(new Date(Date.now() + 60_000));
  expect(await send(15)).toMatchObject({ status: 'busy', error: expect.stringContaining('being sent at this moment') });
  await claim(null);
  expect(await send(15)).toMatchObject({ status: 'sent', recipients: 1 });
});

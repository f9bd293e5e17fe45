import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  confirmPayments,
  handOverWeek,
  listReconciliation,
  markStipendPaid,
  type ReconciliationKind,
  recallHandover,
} from '#contract/payments.ts';
import { listStipends, readStipend } from '#contract/stipends.ts';
import { now } from '#server/platform/clock.ts';
import { newId } from '#server/platform/ids.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { type Client, openTestApp, type TestApp } from '#test/support/app.ts';
import { stopClock } from '#test/support/clock.ts';
import { startPayingApp } from '#test/support/paying-app.ts';
import { type PaymentSystem, sendConfirmation, settingsFor } from '#test/support/payment-system.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { verifyLedger } from './ledger.ts';

const secret = `whsec_${randomBytes(24).toString('base64')}`;
let receiver: PaymentSystem;
let app: TestApp;
let admin: Client;

beforeAll(async () => {
  ({ app, receiver } = await startPayingApp(secret));
  admin = await app.as(await buildAdmin(app.db));
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});
beforeEach(() => {
  receiver.received.length = 0;
});

function stored(id: string) {
  return app.db.selectFrom('stipendEligibility').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

async function buildApproved(weekNumber: number, count: number) {
  const stipends = [];
  for (let index = 0; index < count; index += 1) {
    stipends.push(await buildStipend(app.db, { weekNumber, paymentStatus: 'approved' }));
  }
  return stipends;
}

const press = (weekNumber: number) => admin.call(handOverWeek, { body: { weekNumber } });

async function handedOver(weekNumber: number, count = 1) {
  const stipends = await buildApproved(weekNumber, count);
  const { handoverId } = await press(weekNumber);
  return { stipends, handoverId: handoverId ?? '' };
}

async function confirm(body: object, facts: { messageId?: string; secret?: string; at?: Date } = {}) {
  const answer = await sendConfirmation(app.url, { body, messageId: newId(), secret, ...facts });
  return { status: answer.status, body: await answer.json() };
}

async function idsIn(kind: ReconciliationKind): Promise<string[]> {
  const { rows, counts } = await admin.call(listReconciliation, { query: { kind } });
  expect(counts[kind].rows).toBe(rows.length);
  return rows.map(({ stipendId }) => stipendId);
}

const paymentsOf = (stipendId: string) =>
  app.db.selectFrom('stipendPayments').selectAll().where('stipendId', '=', stipendId).execute();

test('while a secret is replaced, messages of both are believed, and the receiver believes what it gets by either', async () => {
  const former = `whsec_${randomBytes(24).toString('base64')}`;
  const env = { ...settingsFor(receiver, secret), STIPEND_WEBHOOK_SECRET_OLD: former };
  const changing = await openTestApp(app.connectionString, env);
  const say = (signedWith: string, body: object) =>
    sendConfirmation(changing.url, { body, messageId: newId(), secret: signedWith });
  await buildApproved(41, 2);
  const inBoth = await changing.as(await buildAdmin(app.db));
  const { handoverId } = await inBoth.call(handOverWeek, { body: { weekNumber: 41 } });
  const [sent] = receiver.received;
  for (const key of [secret, former]) {
    const headers = sent?.headers as Record<string, string>;
    expect(new Webhook(key).verify(sent?.body ?? '', headers)).toMatchObject({ total_recipients: 2 });
  }
  const body = { handover_id: handoverId, reference: 'PAY-41' };
  expect((await say(`whsec_${randomBytes(24).toString('base64')}`, body)).status).toBe(401);
  expect(await (await say(former, body)).json()).toMatchObject({ paid: 2 });
  expect(await (await say(secret, body)).json()).toMatchObject({ paid: 0, known: 2 });
  await changing.close();
});

test('a confirmed batch is paid, once, however often the message comes', async () => {
  const { stipends, handoverId } = await handedOver(1, 3);
  const body = { handover_id: handoverId, reference: 'PAY-1', paid_at: '2025-10-10T12:00:00Z' };
  const messageId = newId();
  const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(body, { messageId })));
  for (const answer of answers)
    expect(answer).toEqual({ status: 200, body: { paid: 3, known: 0, conflict: 0, paid_twice: 0 } });
  for (const { id } of stipends) {
    expect(await stored(id)).toMatchObject({ paymentStatus: 'paid' });
    expect(await paymentsOf(id)).toMatchObject([{ amountCents: 50_000, source: 'confirmation', reference: 'PAY-1' }]);
    expect((await admin.call(readStipend, { params: { id } })).history[0]).toMatchObject({
      action: 'payment',
      actorName: null,
    });
  }
  expect(await confirm(body)).toMatchObject({ body: { paid: 0, known: 3, paid_twice: 0 } });
  const other = { ...body, reference: 'PAY-2' };
  expect(await confirm(other, { messageId })).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect((await verifyLedger(app.db)).problems).toEqual([]);
});

test('a second payment of the same stipend changes nothing and is listed as paid twice', async () => {
  const { stipends, handoverId } = await handedOver(2, 2);
  const [first] = stipends;
  expect(await idsIn('paid_twice')).toEqual([]);
  await confirm({ handover_id: handoverId, reference: 'PAY-3' });
  const email = (await admin.call(readStipend, { params: { id: first?.id ?? '' } })).participantEmail;
  const again = {
    handover_id: handoverId,
    reference: 'PAY-4',
    payments: [{ participant_email: email.toUpperCase(), amount: 500 }],
  };
  expect(await confirm(again)).toMatchObject({ body: { paid: 0, known: 0, paid_twice: 1 } });
  expect(await idsIn('paid_twice')).toEqual([first?.id]);
  expect(await paymentsOf(first?.id ?? '')).toMatchObject([{ reference: 'PAY-3' }]);
});

test('a message is believed only with a fresh signature over exactly its bytes', async () => {
  const { stipends, handoverId } = await handedOver(3);
  const body = { handover_id: handoverId, reference: 'PAY-5' };
  const forged = `whsec_${randomBytes(24).toString('base64')}`;
  const old = new Date(Date.now() - 6 * 60_000);
  for (const facts of [{ secret: forged }, { at: old }, { at: new Date(Date.now() + 6 * 60_000) }]) {
    expect(await confirm(body, facts)).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
  }
  const at = new Date();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'message',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('message', at, JSON.stringify(body)),
  };
  const changed = JSON.stringify({ ...body, reference: 'PAY-6' });
  const send = (init: RequestInit) => app.as(null).then((client) => client.fetch(confirmPayments.path, init));
  expect((await send({ method: 'POST', headers, body: changed })).status).toBe(401);
  const unsigned = { 'content-type': 'application/json' };
  expect((await send({ method: 'POST', headers: unsigned, body: JSON.stringify(body) })).status).toBe(401);
  expect((await stored(stipends[0]?.id ?? '')).paymentStatus).toBe('approved');
});

test('what is not signed is refused before it is read, and by address when it comes too often; what is signed passes', async () => {
  await sql`delete from auth.rate_limit where key like 'signature:%'`.execute(app.db);
  const other = await openTestApp(app.connectionString, {
    STIPEND_WEBHOOK_URL: receiver.url,
    STIPEND_WEBHOOK_SECRET: secret,
    RATE_LIMIT_FACTOR: '0.02',
  });
  const anybody = await other.as(null);
  const headers = { 'content-type': 'application/json' };
  const send = async (body: string) => {
    const answer = await anybody.fetch(confirmPayments.path, { method: 'POST', headers, body });
    return `${answer.status} ${(await problemOf(answer)).code}`;
  };
  const largest = ' '.repeat(8 * 1024 * 1024);
  expect(await send(`${largest} `)).toBe('413 too_large');
  expect(await send(largest)).toBe('401 not_authenticated');
  expect(await send('{"no JSON')).toBe('401 not_authenticated');
  expect(await send('{}')).toBe('429 too_many_requests');
  const signed = await sendConfirmation(other.url, {
    body: { handover_id: newId(), reference: 'PAY-1' },
    messageId: newId(),
    secret,
  });
  expect(signed.status).toBe(404);
  await other.close();
});

test('a message of somebody who is not in the batch, or of a payment to come, pays nobody', async () => {
  const { stipends, handoverId } = await handedOver(4, 2);
  const { rows } = await admin.call(listStipends, { query: { week: 4 } });
  const named = (participantEmail: string) => ({ participant_email: participantEmail, amount: 500 });
  const known = rows[0]?.participantEmail ?? '';
  for (const payments of [
    [named(known), named('stranger@example.org')],
    [named(known), named(known)],
  ]) {
    const answer = await confirm({ handover_id: handoverId, reference: 'PAY-7', payments });
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  }
  expect(await confirm({ handover_id: newId(), reference: 'PAY-7' })).toMatchObject({ status: 404 });
  for (const amount of [-1, 10.001, 'much', null]) {
    const body = { handover_id: handoverId, reference: 'x', payments: [{ participant_email: known, amount }] };
    expect((await confirm(body)).status).toBe(422);
  }
  const announced = { handover_id: handoverId, reference: 'PAY-9', paid_at: '2999-12-31T12:00:00Z' };
  expect(await confirm(announced)).toMatchObject({ status: 422, body: { errors: [{ path: 'paid_at' }] } });
  const longPast = { ...announced, paid_at: '2020-06-01T12:00:00Z' };
  expect(await confirm(longPast)).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'paid_at', message: 'paid_at lies before the week that is paid.' }] },
  });
  for (const { id } of stipends) expect((await stored(id)).paymentStatus).toBe('approved');
  const part = { handover_id: handoverId, reference: 'PAY-8', payments: [{ participant_email: known, amount: 450.5 }] };
  expect(await confirm(part)).toMatchObject({ body: { paid: 1 } });
  expect(await paymentsOf(rows[0]?.id ?? '')).toMatchObject([{ amountCents: 45_050 }]);
});

test('clocks may differ by a day, to the millisecond: ahead of now, and before the week begins', async () => {
  const clock = stopClock();
  const dayInMs = 24 * 60 * 60 * 1000;
  const tomorrow = now().getTime() + dayInMs;
  // Midnight of the Monday of week 15, in New York.
  const dayBefore = Date.parse('2025-12-15T05:00:00Z') - dayInMs;
  for (const [at, beyond, weekNumber] of [
    [tomorrow, tomorrow + 1, 14],
    [dayBefore, dayBefore - 1, 15],
  ] as const) {
    const { handoverId } = await handedOver(weekNumber);
    const told = (paidAt: number) =>
      confirm({ handover_id: handoverId, reference: 'PAY-1', paid_at: new Date(paidAt).toISOString() });
    expect(await told(beyond)).toMatchObject({ status: 422, body: { errors: [{ path: 'paid_at' }] } });
    expect(await told(at)).toMatchObject({ status: 200, body: { paid: 1 } });
  }
  clock.restore();
});

test('a receiver that paid and whose answer never came is not sent the batch again', async () => {
  const [stipend] = await buildApproved(5, 1);
  receiver.answers.push({ status: 504 });
  const { handoverId, status } = await press(5);
  expect(status).toBe('failed');
  const id = stipend?.id ?? '';
  const { version } = await stored(id);
  const early = await admin.refused(markStipendPaid, { params: { id }, body: { version, reference: 'x' } });
  expect(early.problem.detail).toContain('on its way to the payment system');
  expect(await confirm({ handover_id: handoverId, reference: 'PAY-9' })).toMatchObject({ body: { paid: 1 } });
  expect((await press(5)).status).toBe('nothing_to_send');
  expect(receiver.received).toHaveLength(1);
  expect((await verifyLedger(app.db)).problems).toEqual([]);
});

test('only an approved stipend is marked as paid, once, and only in the version that was seen', async () => {
  const [approved] = await buildApproved(6, 1);
  const { id, version } = approved ?? { id: '', version: 0 };
  const mark = { params: { id }, body: { version, reference: 'CHK 1', note: 'By cheque' } };
  const stale = { params: { id }, body: { version: version + 1, reference: 'CHK 1' } };
  expect((await admin.refused(markStipendPaid, stale)).problem.code).toBe('stale');
  const answers = await Promise.allSettled(Array.from({ length: 10 }, () => admin.call(markStipendPaid, mark)));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await paymentsOf(id)).toHaveLength(1);
  for (const paymentStatus of ['pending', 'denied']) {
    const other = await buildStipend(app.db, { weekNumber: 6, paymentStatus });
    const refused = await admin.refused(markStipendPaid, {
      params: { id: other.id },
      body: { version: 1, reference: 'x' },
    });
    expect(refused.problem.code).toBe('conflict');
  }
  expect((await press(6)).status).toBe('nothing_to_send');
});

test('a confirmation is known only where reference and amount are those of the payment on record', async () => {
  const { stipends, handoverId } = await handedOver(7);
  const id = stipends[0]?.id ?? '';
  const email = (await admin.call(readStipend, { params: { id } })).participantEmail;
  const { version } = await stored(id);
  const missing = await admin.refused(markStipendPaid, { params: { id }, body: { version, reference: ' ' } });
  expect(missing).toMatchObject({ status: 422, problem: { errors: [{ path: 'reference' }] } });
  await admin.call(markStipendPaid, { params: { id }, body: { version, reference: 'PAY-10' } });
  const before = await idsIn('paid_twice');
  const body = { handover_id: handoverId, reference: 'PAY-10' };
  expect(await confirm(body)).toMatchObject({ body: { known: 1, conflict: 0, paid_twice: 0 } });
  expect(await idsIn('paid_twice')).toEqual(before);
  const other = { ...body, payments: [{ participant_email: email, amount: 499 }] };
  expect(await confirm(other)).toMatchObject({ body: { known: 0, conflict: 1, paid_twice: 0 } });
  expect(await idsIn('paid_twice')).toContain(id);
  expect(await confirm({ ...body, reference: 'PAY-11' })).toMatchObject({ body: { known: 0, paid_twice: 1 } });
  expect(await paymentsOf(id)).toMatchObject([{ amountCents: 50_000, reference: 'PAY-10' }]);
});

test('reconciliation tells what was not sent, not paid and adjusted, and a recalled batch goes out anew', async () => {
  const [waiting] = await buildApproved(8, 1);
  expect(await idsIn('approved_not_sent')).toContain(waiting?.id);
  receiver.answers.push({ status: 500 });
  const failed = await press(8);
  const row = (await admin.call(listReconciliation, { query: { kind: 'approved_not_sent' } })).rows.find(
    ({ stipendId }) => stipendId === waiting?.id,
  );
  expect(row).toMatchObject({
    handover: { id: failed.handoverId, status: 'failed', lastError: 'Webhook failed: 500' },
    can: { recall: true, markPaid: false },
    owedCents: 50_000,
    handedCents: 50_000,
    paidCents: 0,
  });
  const recall = { params: { id: failed.handoverId ?? '' }, body: { reason: 'The receiver is out of order.' } };
  expect(await admin.call(recallHandover, recall)).toEqual({ recalled: 1 });
  const trail = app.db.selectFrom('auditLog').select('reason').where('subjectId', '=', recall.params.id);
  expect(await trail.execute()).toEqual([{ reason: 'The receiver is out of order.' }]);
  expect((await admin.refused(recallHandover, recall)).problem.code).toBe('stale');
  const sent = await press(8);
  expect(sent.status).toBe('sent');
  expect(sent.handoverId).not.toBe(failed.handoverId);
  expect(await idsIn('approved_not_sent')).not.toContain(waiting?.id);
  expect(await idsIn('sent_not_paid')).toContain(waiting?.id);
  const sentRecall = { ...recall, params: { id: sent.handoverId ?? '' } };
  expect((await admin.refused(recallHandover, sentRecall)).problem.code).toBe('conflict');
  await confirm({ handover_id: sent.handoverId, reference: 'PAY-12', payments: undefined });
  expect(await idsIn('sent_not_paid')).not.toContain(waiting?.id);
  const report = await verifyLedger(app.db);
  expect(report.problems).toEqual([]);
});

test('a payment of nothing is refused where something is owed, and is one where nothing is', async () => {
  const { stipends, handoverId } = await handedOver(9);
  const id = stipends[0]?.id ?? '';
  const { version, participantEmail } = await admin.call(readStipend, { params: { id } });
  const nothing = { reference: 'CHK 0', amountCents: 0 };
  expect(await admin.refused(markStipendPaid, { params: { id }, body: { version, ...nothing } })).toMatchObject({
    status: 422,
    problem: { code: 'invalid_input', errors: [{ path: 'amountCents', message: expect.stringContaining('$500') }] },
  });
  const told = (amount: number) => ({
    handover_id: handoverId,
    reference: 'PAY-13',
    payments: [{ participant_email: participantEmail, amount }],
  });
  expect(await confirm(told(0))).toMatchObject({
    status: 422,
    body: { code: 'invalid_input', errors: [{ path: 'payments.0.amount' }] },
  });
  expect(await stored(id)).toMatchObject({ paymentStatus: 'approved', version });
  expect(await paymentsOf(id)).toEqual([]);

  expect(await confirm(told(450))).toMatchObject({ status: 200, body: { paid: 1 } });
  const paid = await stored(id);
  const rest = { params: { id }, body: { version: paid.version, ...nothing } };
  expect((await admin.refused(markStipendPaid, rest)).problem.errors).toMatchObject([
    { path: 'amountCents', message: expect.stringContaining('$50 is still to be paid') },
  ]);

  const free = await buildStipend(app.db, { weekNumber: 10, paymentStatus: 'approved', stipendAmountCents: 0 });
  const mark = { params: { id: free.id }, body: { version: free.version, ...nothing } };
  expect(await admin.call(markStipendPaid, mark)).toMatchObject({ paymentStatus: 'paid', dueCents: 0 });
});

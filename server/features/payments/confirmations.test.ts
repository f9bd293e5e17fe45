import { afterAll, beforeAll, expect, test } from 'vitest';
import { handOverWeek, markStipendPaid, recallHandover, takePaymentBack } from '#contract/payments.ts';
import { readStipend } from '#contract/stipends.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { type Client, openTestApp, type TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { startPayingAppOfAda } from '#test/support/paying-app.ts';
import { type PaymentSystem, paymentSecret, sendConfirmation } from '#test/support/payment-system.ts';
import { figuresOf } from '#test/support/stipend-figures.ts';
import { requireSignature } from './payment-confirmations.ts';

let receiver: PaymentSystem;
let app: TestApp;
let ada: BuiltPerson;
let admin: Client;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ app, receiver, ada, admin, close } = await startPayingAppOfAda());
});
afterAll(() => close());

async function confirm(body: object, facts: { messageId?: string; secret?: string; url?: string } = {}) {
  const { url = app.url, messageId = newId(), secret = paymentSecret } = facts;
  const answer = await sendConfirmation(url, { body, messageId, secret });
  return { status: answer.status, body: await answer.json() };
}

async function handedOver(weekNumber: number) {
  const { handoverId } = await admin.call(handOverWeek, { body: { weekNumber } });
  return handoverId ?? '';
}

const approved = (weekNumber: number, facts: { fellowId?: string; cohortId?: string } = {}) =>
  buildStipend(app.db, { weekNumber, paymentStatus: 'approved', ...facts });

const noticesOf = (userId: string) =>
  app.db
    .selectFrom('notices')
    .select(['title', 'message', 'kind'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();

test('without a payment system no message is believed, and the answer names the missing setting', async () => {
  const without = await openTestApp(app.connectionString, {});
  const answer = await confirm({ handover_id: newId(), reference: 'PAY-1' }, { url: without.url });
  expect(answer).toMatchObject({
    status: 503,
    body: {
      code: 'not_configured',
      detail: 'No payment system is set up: STIPEND_WEBHOOK_SECRET is not set.',
    },
  });
  await without.close();
});

test('a message by another secret is refused with the reason, and a secret that is none is no fault of the message', async () => {
  const answer = await confirm({ handover_id: newId(), reference: 'PAY-1' }, { secret: 'another secret' });
  expect(answer).toMatchObject({
    status: 401,
    body: {
      code: 'not_authenticated',
      detail: 'The signature of this message was refused: No matching signature found.',
    },
  });
  const unusable = () =>
    requireSignature({ ...app.app.config.stipendWebhook, secret: 'whsec_###', formerSecret: null }, '{}', {});
  expect(unusable).toThrow(/^Base64/);
});

test('what is refused says why: an unknown batch, an id that was used, and a payment that lies ahead', async () => {
  await approved(1);
  const handoverId = await handedOver(1);
  expect(await confirm({ handover_id: newId(), reference: 'PAY-1' })).toMatchObject({
    status: 404,
    body: { code: 'not_found', detail: 'There is no hand-over with this id.' },
  });
  const ahead = 'A payment is told of once it is made: paid_at lies in the future.';
  expect(await confirm({ handover_id: handoverId, reference: 'PAY-1', paid_at: '2999-12-31T12:00:00Z' })).toMatchObject(
    {
      status: 422,
      body: { code: 'invalid_input', detail: ahead, errors: [{ path: 'paid_at', message: ahead }] },
    },
  );
  const messageId = newId();
  expect(await confirm({ handover_id: handoverId, reference: 'PAY-1' }, { messageId })).toMatchObject({ status: 200 });
  expect(await confirm({ handover_id: handoverId, reference: 'PAY-2' }, { messageId })).toMatchObject({
    status: 409,
    body: { code: 'conflict', detail: 'This webhook-id was used for another message already.' },
  });
});

test('a person is found by address, whatever its case, and by cohort where the batch has them twice', async () => {
  const casey = await buildParticipant(app.db, { email: 'casey.cole@example.org' });
  await app.db.updateTable('profiles').set({ email: 'Casey.Cole@Example.org' }).where('id', '=', casey.id).execute();
  const [spring, fall] = [await buildCohort(app.db, { name: 'Spring' }), await buildCohort(app.db, { name: 'Fall' })];
  const first = await approved(2, { fellowId: casey.id, cohortId: spring.id });
  const second = await approved(2, { fellowId: casey.id, cohortId: fall.id });
  const handoverId = await handedOver(2);
  const told = (...payments: { cohort_assigned?: string }[]) =>
    confirm({
      ...{ handover_id: handoverId, reference: 'PAY-3' },
      payments: payments.map((one) => ({ participant_email: ' casey.cole@EXAMPLE.org ', amount: 500, ...one })),
    });
  const refused = (index: number, message: string) => ({
    status: 422,
    body: { code: 'invalid_input', detail: message, errors: [{ path: `payments.${index}`, message }] },
  });
  const twice = 'This person is in the batch more than once: cohort_assigned has to say which is meant.';
  const unknown = 'This person is not in the batch, or was named before.';
  expect(await told({})).toMatchObject(refused(0, twice));
  expect(await told({ cohort_assigned: 'Summer' })).toMatchObject(refused(0, unknown));
  expect(await told({ cohort_assigned: 'Fall' }, { cohort_assigned: 'Fall' })).toMatchObject(refused(1, unknown));
  expect(await told({ cohort_assigned: 'Fall' }, {})).toMatchObject({ status: 200, body: { paid: 2 } });
  for (const { id } of [first, second]) {
    expect((await admin.call(readStipend, { params: { id } })).payment).toMatchObject({ amountCents: 50_000 });
  }
});

test('a person who was named once is not taken for another row of the batch', async () => {
  const [one, other] = [await approved(3), await approved(3)];
  const handoverId = await handedOver(3);
  const { participantEmail } = await admin.call(readStipend, { params: { id: one.id } });
  const payments = [{ participant_email: participantEmail, amount: 500 }];
  expect(await confirm({ handover_id: handoverId, reference: 'PAY-4', payments })).toMatchObject({ body: { paid: 1 } });
  expect(await admin.call(readStipend, { params: { id: other.id } })).toMatchObject({ payment: null });
});

test('the participant is told what was paid, what was added, and what was told by mistake', async () => {
  const { id, fellowId } = await approved(4);
  const handoverId = await handedOver(4);
  const { participantEmail } = await admin.call(readStipend, { params: { id } });
  const pay = (reference: string, amount: number) =>
    confirm({ handover_id: handoverId, reference, payments: [{ participant_email: participantEmail, amount }] });
  await pay('PAY-5', 450);
  await pay('PAY-6', 50);
  const paid = { title: 'Stipend of week 4 paid', kind: 'stipend' };
  expect(await noticesOf(fellowId)).toEqual([
    { ...paid, message: 'Your stipend of $450 for week 4 was paid.' },
    { ...paid, message: 'Another $50 of your stipend for week 4 was paid.' },
  ]);
});

test('a second admin who marks the same stipend as paid is told that it is paid', async () => {
  const { id, version } = await approved(10);
  const mark = { params: { id }, body: { version, reference: 'CHK 10' } };
  await admin.call(markStipendPaid, mark);
  expect((await admin.refused(markStipendPaid, mark)).problem).toMatchObject({
    code: 'stale',
    detail: 'This stipend is paid already.',
  });
});

test('a payment that is taken back is told of, and on record with who, why and how much', async () => {
  const { id, fellowId, version: seen } = await approved(5);
  const { version } = await admin.call(markStipendPaid, {
    params: { id },
    body: { version: seen, reference: 'CHK 5' },
  });
  await admin.call(takePaymentBack, { params: { id }, body: { version, reason: 'The cheque was lost.' } });
  expect((await noticesOf(fellowId)).slice(1)).toEqual([
    {
      kind: 'stipend',
      title: 'Payment of week 5 taken back',
      message: 'We told you by mistake that $500 for week 5 was paid. We will tell you when it is.',
    },
  ]);
  const trail = app.db.selectFrom('auditLog').select(['action', 'actorId', 'subjectType', 'before', 'after', 'reason']);
  expect(await trail.where('subjectId', '=', id).where('action', '=', 'stipend.take_payment_back').execute()).toEqual([
    {
      ...{ action: 'stipend.take_payment_back', actorId: ada.id, subjectType: 'stipend' },
      before: { paymentStatus: 'paid', amountCents: 50_000 },
      ...{ after: { amountCents: 0 }, reason: 'The cheque was lost.' },
    },
  ]);
});

test('nothing is paid before the week of any of the people in the batch has begun', async () => {
  const early = await buildCohort(app.db, { startDate: '2025-01-06' });
  const late = await buildCohort(app.db, { startDate: '2025-09-08' });
  const stipends = [await approved(7, { cohortId: early.id }), await approved(7, { cohortId: late.id })];
  const handoverId = await handedOver(7);
  const message = 'paid_at lies before the week that is paid.';
  expect(await confirm({ handover_id: handoverId, reference: 'PAY-8', paid_at: '2025-03-01T12:00:00Z' })).toMatchObject(
    {
      status: 422,
      body: { detail: message, errors: [{ path: 'paid_at', message }] },
    },
  );
  for (const { id } of stipends) expect((await admin.call(readStipend, { params: { id } })).payment).toBeNull();
});

test('one reference of two batches of a stipend contradicts itself, and is known only to the batch that paid', async () => {
  const { id } = await approved(9);
  const first = await handedOver(9);
  const seen = (await figuresOf(admin, { week: 9 })).sentUnpaid;
  const again = await admin.call(handOverWeek, { body: { weekNumber: 9, again: true, seen } });
  expect(await confirm({ handover_id: first, reference: 'PAY-11' })).toMatchObject({ body: { paid: 1 } });
  expect(await confirm({ handover_id: first, reference: 'PAY-11' })).toMatchObject({ body: { known: 1 } });
  expect(await confirm({ handover_id: again.handoverId, reference: 'PAY-11' })).toMatchObject({
    body: { paid: 0, known: 0, conflict: 1 },
  });
  expect((await admin.call(readStipend, { params: { id } })).payment).toMatchObject({ amountCents: 50_000 });
});

test('whoever watches payments sees at once a message that contradicts what is on record', async () => {
  await approved(8);
  const handoverId = await handedOver(8);
  await confirm({ handover_id: handoverId, reference: 'PAY-9' });
  const told = await toldBy(app, () => confirm({ handover_id: handoverId, reference: 'PAY-10' }));
  expect(told(ada)).toContain('payments');
});

test('a batch in place of one that was accepted after all says so when it is taken back', async () => {
  await approved(6);
  receiver.answers.push({ status: 500 }, { status: 500 });
  const first = await handedOver(6);
  await admin.call(recallHandover, { params: { id: first }, body: { reason: 'Out of order' } });
  const second = await handedOver(6);
  await confirm({ handover_id: first, reference: 'PAY-7' });
  const batch = app.db.selectFrom('stipendHandovers').select(['status', 'recallReason', 'sentAt']);
  expect(await batch.where('id', '=', second).executeTakeFirst()).toMatchObject({
    status: 'recalled',
    recallReason:
      'The payment system has accepted an earlier batch with a stipend of this one, so this batch was taken back.',
  });
  expect(await batch.where('id', '=', first).executeTakeFirst()).toMatchObject({ status: 'recalled', sentAt: null });
});

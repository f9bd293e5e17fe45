import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { handOverWeek, listReconciliation, previewHandover } from '#contract/payments.ts';
import { changeStipendAmount, listStipends, readStipend } from '#contract/stipends.ts';
import { deleteUser } from '#contract/user-management.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { badlyRated, buildStipend } from '#test/factories/stipends.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { startPayingApp } from '#test/support/paying-app.ts';
import {
  type PaymentSystem,
  paymentSecret,
  type ReceivedHandover,
  settingsFor,
  startPaymentSystem,
} from '#test/support/payment-system.ts';
import { figuresOf } from '#test/support/stipend-figures.ts';
import { timesOutAfter } from '#test/support/time-limit.ts';

let receiver: PaymentSystem;
let app: TestApp;
let ada: Awaited<ReturnType<typeof buildAdmin>>;

beforeAll(async () => {
  ({ app, receiver } = await startPayingApp());
  ada = await buildAdmin(app.db);
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});
beforeEach(() => {
  receiver.received.length = 0;
});
afterEach(() => {
  expect(receiver.answers).toEqual([]);
});

async function press(weekNumber: number, { again = false, on = app }: { again?: boolean; on?: TestApp } = {}) {
  const admin = await on.as(ada);
  const summary = await figuresOf(admin, { week: weekNumber });
  return admin.call(handOverWeek, { body: { weekNumber, again, seen: again ? summary.sentUnpaid : undefined } });
}

function buildApproved(weekNumber: number, facts: Parameters<typeof buildStipend>[1] = {}) {
  return buildStipend(app.db, { weekNumber, paymentStatus: 'approved', approvedBy: ada.id, ...facts });
}

function verify({ headers, body }: ReceivedHandover): unknown {
  return new Webhook(paymentSecret, { format: 'raw' }).verify(body, headers as Record<string, string>);
}

function idOf(request: ReceivedHandover | undefined) {
  return request?.headers['webhook-id'];
}

test('what is sent is what was shown before: count, sum and cohorts, or nothing where it has changed', async () => {
  const weekNumber = 16;
  const admin = await app.as(ada);
  const cohort = await buildCohort(app.db, { name: 'Shown first' });
  await buildApproved(weekNumber, { cohortId: cohort.id });
  const preview = () => admin.call(previewHandover, { query: { week: weekNumber } });
  const shown = await preview();
  expect(shown).toMatchObject({
    toSend: { count: 1, totalCents: 50_000 },
    cohorts: [{ name: 'Shown first', count: 1, totalCents: 50_000 }],
    openBatches: 0,
    heldBack: 0,
    ofDeleted: 0,
    own: 0,
  });
  await buildApproved(weekNumber, { cohortId: cohort.id, stipendAmountCents: 40_000 });
  const { problem } = await admin.refused(handOverWeek, { body: { weekNumber, seen: shown.toSend } });
  expect(problem.code).toBe('stale');
  expect(problem.detail).toContain('You saw 1 stipend of $500; now it is 2 stipends of $900.');
  expect(receiver.received).toEqual([]);
  receiver.answers.push({ status: 500 });
  const failed = await admin.call(handOverWeek, { body: { weekNumber, seen: (await preview()).toSend } });
  expect(failed).toMatchObject({ status: 'failed', recipients: 2 });
  const open = await preview();
  expect(open).toMatchObject({ toSend: { count: 2, totalCents: 90_000 }, openBatches: 1 });
  const sent = await admin.call(handOverWeek, { body: { weekNumber, seen: open.toSend } });
  expect(sent).toMatchObject({ status: 'sent', recipients: 2 });
  expect((await preview()).toSend.count).toBe(0);
});

test('HOOK-01 HOOK-02 HOOK-03 HOOK-04 HOOK-05 HOOK-06 HOOK-08 posts exactly the documented body of the approved rows, signed', async () => {
  const weekNumber = 1;
  const cohort = await buildCohort(app.db, { name: 'Fall 2025' });
  const coach = await buildCoach(app.db, { firstName: 'Casey', lastName: 'Cole' });
  const nadia = await buildParticipant(app.db, { firstName: 'Nadia', lastName: 'Ng', email: 'nadia@example.org' });
  const zoe = await buildParticipant(app.db, { firstName: 'Zoë', lastName: 'Łukasz', email: 'zoe@example.org' });
  await enrol(app.db, { cohortId: cohort.id, participantId: nadia.id, coachId: coach.id });
  const approvedAt = '2025-10-08T14:00:00.000Z';
  await buildApproved(weekNumber, { fellowId: zoe.id, cohortId: cohort.id, approvedAt, stipendAmountCents: 45_050 });
  await buildApproved(weekNumber, { fellowId: nadia.id, cohortId: cohort.id, approvedAt, ...badlyRated });
  await buildStipend(app.db, { weekNumber });
  await buildStipend(app.db, { weekNumber, paymentStatus: 'denied' });
  await buildStipend(app.db, { weekNumber, paymentStatus: 'paid' });
  await buildApproved(2);

  receiver.answers.push({ status: 200, body: 'not JSON' });
  expect(await press(weekNumber)).toEqual({
    handoverId: expect.any(String),
    status: 'sent',
    recipients: 2,
    heldBack: 0,
    ofDeleted: 0,
    own: 0,
    error: null,
  });
  expect(receiver.received).toHaveLength(1);
  const [request] = receiver.received;
  expect(request).toMatchObject({ method: 'POST', path: '/webhook/stipend' });
  expect(request?.headers['content-type']).toBe('application/json');
  expect(JSON.parse(request?.body ?? '')).toEqual({
    week_number: 1,
    approved_stipends: [
      {
        participant_name: 'Nadia Ng',
        participant_email: 'nadia@example.org',
        coach_assigned: 'Casey Cole',
        cohort_assigned: 'Fall 2025',
        stipend_amount: 500,
        approved_at: approvedAt,
      },
      {
        participant_name: 'Zoë Łukasz',
        participant_email: 'zoe@example.org',
        coach_assigned: 'No coach assigned',
        cohort_assigned: 'Fall 2025',
        stipend_amount: 450.5,
        approved_at: approvedAt,
      },
    ],
    total_amount: 950.5,
    total_recipients: 2,
  });
  if (request) verify(request);
  const forged = { ...request, body: request?.body.replace('500', '900') } as ReceivedHandover;
  expect(() => verify(forged)).toThrow();
});

test('HOOK-09 a refused batch is sent again under its own id, with a valid signature', async () => {
  const weekNumber = 3;
  const stipend = await buildApproved(weekNumber);
  receiver.answers.push({ status: 500 });
  expect(await press(weekNumber)).toMatchObject({ status: 'failed', recipients: 1, error: 'Webhook failed: 500' });
  const { rows } = await (await app.as(ada)).call(listStipends, { query: { week: weekNumber } });
  expect(rows.map(({ handover }) => handover)).toEqual(['failed']);

  expect(await press(weekNumber)).toMatchObject({ status: 'sent', recipients: 1, error: null });
  const [first, second] = receiver.received;
  expect(receiver.received).toHaveLength(2);
  expect(idOf(second)).toBe(idOf(first));
  expect(second?.body).toBe(first?.body);
  for (const request of receiver.received) verify(request);
  const tries = await app.db
    .selectFrom('stipendHandoverTries')
    .innerJoin('stipendHandoverRows', 'stipendHandoverRows.handoverId', 'stipendHandoverTries.handoverId')
    .select(['responseStatus', 'error'])
    .where('stipendId', '=', stipend.id)
    .orderBy('triedAt')
    .execute();
  expect(tries).toEqual([
    { responseStatus: 500, error: 'Webhook failed: 500' },
    { responseStatus: 200, error: null },
  ]);
});

test('HOOK-07 HOOK-11 sending changes no stipend; accepted rows go out again only when that is asked for', async () => {
  const weekNumber = 4;
  const stipend = await buildApproved(weekNumber);
  expect((await press(weekNumber)).status).toBe('sent');
  expect(await press(weekNumber)).toEqual({
    handoverId: null,
    status: 'nothing_to_send',
    recipients: 0,
    heldBack: 0,
    ofDeleted: 0,
    own: 0,
    error: null,
  });
  expect(receiver.received).toHaveLength(1);

  const later = await buildApproved(weekNumber);
  expect(await press(weekNumber)).toMatchObject({ status: 'sent', recipients: 1 });
  expect(JSON.parse(receiver.received[1]?.body ?? '').total_recipients).toBe(1);

  expect(await press(weekNumber, { again: true })).toMatchObject({ status: 'sent', recipients: 2 });
  expect(receiver.received).toHaveLength(3);
  expect(new Set(receiver.received.map(idOf)).size).toBe(3);
  expect(JSON.parse(receiver.received[2]?.body ?? '').total_recipients).toBe(2);
  for (const { version, ...row } of [stipend, later]) {
    const stored = app.db.selectFrom('stipendEligibility').selectAll().where('id', '=', row.id);
    // Only its version grows, so nobody decides on what they saw before.
    expect(await stored.executeTakeFirst()).toEqual({ ...row, version: expect.any(Number) });
    expect((await stored.executeTakeFirstOrThrow()).version).toBeGreaterThan(version);
  }
  const audited = await app.db
    .selectFrom('auditLog')
    .select(['action', 'actorId'])
    .where('subjectId', '=', stipend.id)
    .orderBy('at')
    .execute();
  expect(audited).toEqual([
    { action: 'stipend.hand_over', actorId: ada.id },
    { action: 'stipend.hand_over_again', actorId: ada.id },
  ]);
});

test('HOOK-07 without an approved row nothing is sent', async () => {
  await buildStipend(app.db, { weekNumber: 5 });
  for (const again of [false, true]) expect((await press(5, { again })).status).toBe('nothing_to_send');
  expect(receiver.received).toEqual([]);
});

test('a stipend of somebody who was deleted is left out, and stays where it can be marked paid', async () => {
  const weekNumber = 13;
  const admin = await app.as(ada);
  const gone = await buildApproved(weekNumber);
  await admin.call(deleteUser, { params: { id: gone.fellowId } });
  const leftOut = { heldBack: 0, ofDeleted: 1 };
  expect(await press(weekNumber)).toMatchObject({ status: 'nothing_to_send', ...leftOut });
  const sent = await buildApproved(weekNumber);
  expect(await press(weekNumber)).toMatchObject({ status: 'sent', recipients: 1, ...leftOut });
  expect(receiver.received.map(({ body }) => JSON.parse(body).total_recipients)).toEqual([1]);
  const { rows } = await admin.call(listReconciliation, { query: { kind: 'approved_not_sent' } });
  expect(rows.find(({ stipendId }) => stipendId === gone.id)).toMatchObject({ can: { markPaid: true } });
  // After a person is deleted, their accepted stipend does not go out again either.
  await buildApproved(weekNumber);
  await press(weekNumber);
  await admin.call(deleteUser, { params: { id: sent.fellowId } });
  expect((await figuresOf(admin, { week: weekNumber })).sentUnpaid.count).toBe(1);
  expect(await press(weekNumber, { again: true })).toMatchObject({ status: 'sent', recipients: 1, ofDeleted: 1 });
  expect(receiver.received.map(({ body }) => body).join()).not.toContain('deleted.invalid');
});

test('five presses at once send a week once', async () => {
  const weekNumber = 6;
  await buildApproved(weekNumber);
  const replies = await Promise.all(Array.from({ length: 5 }, () => press(weekNumber)));
  expect(receiver.received).toHaveLength(1);
  expect(replies.some(({ status }) => status === 'sent')).toBe(true);
});

test('the job sends a batch that the receiver refused at first', async () => {
  const weekNumber = 7;
  await buildApproved(weekNumber);
  receiver.answers.push({ status: 503 });
  expect((await press(weekNumber)).error).toBe('Webhook failed: 503');
  await sql`update pgboss.job set start_after = now() where name = 'send-handover'`.execute(app.db);
  await app.runJobs();
  await expect
    .poll(async () => {
      const { rows } = await (await app.as(ada)).call(listStipends, { query: { week: weekNumber } });
      return rows[0]?.handover;
    })
    .toBe('sent');
  expect(receiver.received.map(idOf)).toEqual([idOf(receiver.received[0]), idOf(receiver.received[0])]);
});

test('a batch that was given up goes out under its own id at the next press, and pressing again makes no second one', async () => {
  const weekNumber = 12;
  await buildApproved(weekNumber);
  receiver.answers.push({ status: 500 });
  const { handoverId } = await press(weekNumber);
  await app.db
    .updateTable('stipendHandovers')
    .set({ status: 'given_up' })
    .where('id', '=', handoverId ?? '')
    .execute();
  receiver.answers.push({ status: 500 });
  expect(await press(weekNumber, { again: true })).toMatchObject({ handoverId, status: 'failed' });
  expect(await press(weekNumber)).toMatchObject({ handoverId, status: 'sent', recipients: 1, error: null });
  expect(receiver.received.map(idOf)).toEqual([handoverId, handoverId, handoverId]);
});

test('a redirect is an answer that is not OK, and is not followed', async () => {
  await buildApproved(8);
  receiver.answers.push({ status: 307, headers: { location: `${receiver.url}/elsewhere` } });
  expect(await press(8)).toMatchObject({ status: 'failed', error: 'Webhook failed: 307' });
  expect(receiver.received.map(({ path }) => path)).toEqual(['/webhook/stipend']);
});

async function withApp(env: Record<string, string>, work: (other: TestApp) => Promise<void>) {
  const other = await openTestApp(app.connectionString, env);
  await work(other).finally(() => other.close());
}

test('HOOK-12 an address in a private network is refused unless the operator allows it, by number and by name', async () => {
  const { id } = await buildApproved(9);
  const port = new URL(receiver.url).port;
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]']) {
    const env = { STIPEND_WEBHOOK_URL: `http://${host}:${port}`, STIPEND_WEBHOOK_SECRET: paymentSecret };
    await withApp(env, async (other) => {
      const { status, error } = await press(9, { on: other });
      expect(status, host).toBe('failed');
      expect(error, host).toContain('is in a private network, which is not allowed here');
    });
  }
  expect(receiver.received).toEqual([]);
  await requireGoesOutWithLess(9, id);
});

test('HOOK-12 without a configured receiver the press fails and says so, and a request cannot name one', async () => {
  const { id } = await buildApproved(10);
  await withApp({}, async (other) => {
    expect(await press(10, { on: other })).toMatchObject({
      status: 'failed',
      recipients: 1,
      error: 'No receiver is set up: STIPEND_WEBHOOK_URL and STIPEND_WEBHOOK_SECRET are not set.',
    });
    const answer = await (await other.as(ada)).fetch(handOverWeek.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ weekNumber: 10, again: false, host: receiver.url, url: receiver.url }),
    });
    expect(await answer.json()).not.toMatchObject({ status: 'sent' });
  });
  expect(receiver.received).toEqual([]);
  await requireGoesOutWithLess(10, id);
});

/** If less is owed, a batch that surely never reached the receiver is taken back by itself, and goes out anew. */
async function requireGoesOutWithLess(weekNumber: number, stipendId: string) {
  const admin = await app.as(ada);
  const { version } = await admin.call(readStipend, { params: { id: stipendId } });
  const body = { amountCents: 40_000, version, reason: 'Half a day was taken off.' };
  await admin.call(changeStipendAmount, { params: { id: stipendId }, body });
  expect((await press(weekNumber)).status).toBe('recalled');
  expect(await press(weekNumber)).toMatchObject({ status: 'sent', recipients: 1 });
  expect(receiver.received.map((request) => JSON.parse(request.body).total_amount)).toEqual([400]);
}

test('HOOK-10 the error of a press says that the receiver could not be reached or did not answer in time', async () => {
  const { id } = await buildApproved(11);
  const gone = await startPaymentSystem();
  await gone.close();
  const env = settingsFor(gone);
  await withApp(env, async (other) => {
    expect(await press(11, { on: other })).toMatchObject({
      status: 'failed',
      error: 'The receiver could not be reached (ECONNREFUSED).',
    });
  });
  await requireGoesOutWithLess(11, id);

  await buildApproved(15);
  receiver.answers.push('none');
  expect(await timesOutAfter(receiver.nextRequest, () => press(15))).toMatchObject({
    status: 'failed',
    error: 'The receiver did not answer within 10 seconds.',
  });
});

test('STIP-45 once a stipend was handed over its amount changes with a reason, and a refused batch does not go out with more', async () => {
  const weekNumber = 14;
  const stipend = await buildApproved(weekNumber, { stipendAmountCents: 50_000 });
  const admin = await app.as(ada);
  const change = async (amountCents: number, reason?: string) => {
    const { version } = await app.db
      .selectFrom('stipendEligibility')
      .select('version')
      .where('id', '=', stipend.id)
      .executeTakeFirstOrThrow();
    return { params: { id: stipend.id }, body: { amountCents, version, reason } };
  };
  receiver.answers.push({ status: 500 });
  expect((await press(weekNumber)).status).toBe('failed');

  for (const reason of [undefined, '  ']) {
    const refusal = await admin.refused(changeStipendAmount, await change(100, reason));
    expect(refusal).toMatchObject({ status: 422, problem: { code: 'invalid_input', errors: [{ path: 'reason' }] } });
  }
  const changed = await admin.call(changeStipendAmount, await change(45_000, 'Half a day was taken off.'));
  expect(changed).toMatchObject({ amountCents: 45_000, handedCents: 50_000, handover: 'failed', needsReason: true });
  expect((await press(weekNumber)).status).toBe('recalled');
  expect((await press(weekNumber)).status).toBe('sent');
  expect(receiver.received.map(({ body }) => JSON.parse(body).total_amount)).toEqual([500, 450]);
  const { history } = await admin.call(readStipend, { params: { id: stipend.id } });
  expect(history.slice(0, 4)).toMatchObject([
    { action: 'handover' },
    { action: 'recall' },
    { action: 'adjustment', detail: 'approved, $500 → approved, $450', reason: 'Half a day was taken off.' },
    { action: 'handover' },
  ]);
  expect((await press(weekNumber, { again: true })).status).toBe('sent');
  expect(JSON.parse(receiver.received.at(-1)?.body ?? '').total_amount).toBe(450);
});

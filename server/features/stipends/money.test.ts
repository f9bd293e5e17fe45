import { once } from 'node:events';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { markStipendPaid } from '#contract/stipend-payments.ts';
import {
  approveStipend,
  approveWeek,
  changeStipendAmount,
  denyStipend,
  handOverWeek,
  listStipends,
} from '#contract/stipends.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { sendConfirmation, startPaymentSystem } from '#test/support/payment-system.ts';
import { killServerProcesses, openProcessSession, startServerProcess } from '#test/support/server-process.ts';
import { verifyLedger } from './stipend-ledger.ts';

const secret = 'a secret of the payment system';
let receiver: Awaited<ReturnType<typeof startPaymentSystem>>;
let env: Record<string, string>;
let app: TestApp;
let ada: Awaited<ReturnType<typeof buildAdmin>>;
let admin: Client;
let other: Client;
/** Shared, so that a schedule builds no more than its stipends. */
let cohortId: string;
let fellows: string[];

beforeAll(async () => {
  receiver = await startPaymentSystem();
  env = {
    STIPEND_WEBHOOK_URL: receiver.url,
    STIPEND_WEBHOOK_SECRET: secret,
    STIPEND_WEBHOOK_ALLOW_PRIVATE: '1',
  };
  app = await startTestApp(env);
  ada = await buildAdmin(app.db);
  admin = await app.as(ada);
  other = await app.as(await buildAdmin(app.db, { firstName: 'Bea' }));
  cohortId = (await buildCohort(app.db)).id;
  fellows = [];
  for (let index = 0; index < 3; index += 1) fellows.push((await buildParticipant(app.db)).id);
});
afterAll(async () => {
  killServerProcesses();
  await app.close();
  await receiver.close();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answers.length = 0;
});

function kindsOf(stipendId: string) {
  return app.db
    .selectFrom('stipendLedger')
    .select(['kind', 'paidCents'])
    .where('stipendId', '=', stipendId)
    .orderBy('position')
    .execute();
}

const seenOf = async (query: { week: number; cohort?: string }) =>
  (await admin.call(listStipends, { query })).summary.pending;

const versionOf = async (id: string) =>
  (await app.db.selectFrom('stipendEligibility').select('version').where('id', '=', id).executeTakeFirstOrThrow())
    .version;

test('fifty approvals of one row at once, single and in bulk, are one approval', async () => {
  const { id, version } = await buildStipend(app.db, { weekNumber: 1 });
  const seen = await seenOf({ week: 1 });
  const approvals = Array.from({ length: 50 }, (_, index) => {
    const by = index % 2 ? admin : other;
    return index % 5 === 0
      ? by.call(approveWeek, { body: { weekNumber: 1, seen } })
      : by.call(approveStipend, { params: { id }, body: { version } });
  });
  await Promise.allSettled(approvals);
  expect((await kindsOf(id)).map(({ kind }) => kind)).toEqual(['approval']);
  expect((await verifyLedger(app.db)).problems).toEqual([]);
});

test('a process that is killed after the receiver has the batch, and before that is written down, pays nobody twice', async () => {
  const weekNumber = 2;
  const { id } = await buildStipend(app.db, { weekNumber, paymentStatus: 'approved' });
  const [url, child] = await startServerProcess(app, env);
  const cookie = await openProcessSession(app, ada);
  receiver.answers.push('none');
  const arrived = receiver.nextRequest();
  const pressed = fetch(new URL(handOverWeek.path, url), {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ weekNumber }),
  }).catch((error: unknown) => error);
  await arrived;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  expect(await pressed).toBeInstanceOf(Error);

  const tries = () =>
    sql<{ isFinished: boolean }>`
      select finished_at is not null as is_finished from stipend_handover_tries tries
      join stipend_handover_rows handed on handed.handover_id = tries.handover_id
      where handed.stipend_id = ${id} order by tried_at`.execute(app.db);
  expect((await tries()).rows).toEqual([{ isFinished: false }]);
  // As time does: the claim of the process that is gone runs out.
  await app.db.updateTable('stipendHandovers').set({ claimedUntil: new Date() }).where('weekNumber', '=', 2).execute();
  const again = await admin.call(handOverWeek, { body: { weekNumber } });
  expect(again).toMatchObject({ status: 'sent', recipients: 1 });
  const [first, second] = receiver.received;
  expect(receiver.received).toHaveLength(2);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.body).toBe(first?.body);
  expect((await tries()).rows).toEqual([{ isFinished: false }, { isFinished: true }]);

  const body = { handover_id: again.handoverId, reference: 'PAY-1' };
  for (const messageId of [newId(), newId()]) {
    expect((await sendConfirmation(app.url, { body, messageId, secret })).status).toBe(200);
  }
  const lines = await kindsOf(id);
  expect(lines.map(({ kind }) => kind)).toEqual(['approval', 'handover', 'payment']);
  expect((await verifyLedger(app.db)).problems).toEqual([]);
});

const acts = ['approve', 'deny', 'bulk', 'amount', 'send', 'send again', 'confirm', 'confirm again', 'mark'] as const;
const schedules = fc.array(
  fc.array(fc.record({ act: fc.constantFrom(...acts), stipend: fc.nat(2), answer: fc.constantFrom(200, 200, 500) }), {
    minLength: 1,
    maxLength: 4,
  }),
  { minLength: 1, maxLength: 4 },
);

test('whatever happens at once, in 200 random schedules: paid at most once, only what was approved, nothing lost', async () => {
  let schedule = 0;
  await fc.assert(
    fc.asyncProperty(schedules, async (steps) => {
      schedule += 1;
      const weekNumber = 3 + (schedule % 14);
      const ids = await newStipends(weekNumber);
      receiver.received.length = 0;
      for (const step of steps) {
        receiver.answers.length = 0;
        for (const { answer } of step) receiver.answers.push({ status: answer });
        await Promise.allSettled(step.map(({ act, stipend }) => run(act, ids[stipend] ?? '', weekNumber)));
      }
      for (const id of ids) await expectSoundStipend(id);
      expect((await verifyLedger(app.db)).problems).toEqual([]);
    }),
    { numRuns: 200 },
  );
}, 240_000);

/** Of people of their own each time: a person has one stipend a week. */
async function newStipends(weekNumber: number): Promise<string[]> {
  const { id: ownCohort } = await buildCohort(app.db, { status: 'completed' });
  const rows = await app.db
    .insertInto('stipendEligibility')
    .values(
      fellows.map((fellowId) => ({
        fellowId,
        cohortId: ownCohort,
        weekNumber,
        attendanceEligible: true,
        assignmentEligible: true,
        performanceEligible: true,
        attendancePercentage: 100,
        performanceRating: 4,
        activitiesTotal: 0,
        activitiesAccessed: 0,
        assignmentsTotal: 0,
        assignmentsSubmitted: 0,
      })),
    )
    .returning(['id', 'cohortId'])
    .execute();
  cohortId = ownCohort;
  return rows.map(({ id }) => id);
}

async function run(act: (typeof acts)[number], id: string, weekNumber: number): Promise<unknown> {
  const week = { weekNumber, cohortId };
  const row = { params: { id } };
  if (act === 'bulk') {
    const seen = await seenOf({ week: weekNumber, cohort: cohortId });
    return admin.call(approveWeek, { body: { ...week, seen } });
  }
  if (act === 'send') return admin.call(handOverWeek, { body: week });
  if (act === 'send again') return sendAgain(week);
  if (act === 'confirm' || act === 'confirm again') return confirmLast(act === 'confirm' ? 'PAY' : `PAY-${newId()}`);
  const version = await versionOf(id);
  if (act === 'approve') return other.call(approveStipend, { ...row, body: { version } });
  if (act === 'deny') return admin.call(denyStipend, { ...row, body: { version } });
  if (act === 'mark') return admin.call(markStipendPaid, { ...row, body: { version, reference: 'By hand' } });
  return admin.call(changeStipendAmount, { ...row, body: { version, amountCents: 45_000, reason: 'Less' } });
}

async function sendAgain(week: { weekNumber: number; cohortId: string }): Promise<unknown> {
  const query = { week: week.weekNumber, cohort: week.cohortId };
  const { summary } = await other.call(listStipends, { query });
  return other.call(handOverWeek, { body: { ...week, again: true, seen: summary.sentUnpaid } });
}

/** The payment system pays what it was sent last, whatever it answered. */
async function confirmLast(reference: string): Promise<unknown> {
  const handoverId = receiver.received.at(-1)?.headers['webhook-id'];
  if (!handoverId) return null;
  return sendConfirmation(app.url, { body: { handover_id: handoverId, reference }, messageId: newId(), secret });
}

async function expectSoundStipend(id: string): Promise<void> {
  const lines = (await kindsOf(id)).map(({ kind }) => kind);
  const count = (kind: string) => lines.filter((one) => one === kind).length;
  const stipend = await app.db
    .selectFrom('stipendEligibility')
    .select('paymentStatus')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const payments = await app.db.selectFrom('stipendPayments').selectAll().where('stipendId', '=', id).execute();
  expect(count('approval') + count('denial')).toBe(stipend.paymentStatus === 'pending' ? 0 : 1);
  expect(count('payment')).toBe(stipend.paymentStatus === 'paid' ? 1 : 0);
  expect(payments).toHaveLength(count('payment'));
  if (count('handover') > 0 || count('payment') > 0) expect(count('approval')).toBe(1);
  const firsts = await app.db
    .selectFrom('stipendHandoverRows')
    .select('handoverId')
    .where('stipendId', '=', id)
    .where('isFirst', '=', true)
    .execute();
  expect(firsts.length).toBe(count('handover') > 0 ? 1 : 0);
}

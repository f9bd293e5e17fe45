import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { handOverWeek, previewHandover, recallHandover } from '#contract/payments.ts';
import { setSecondApprover } from '#contract/stipend-cohorts.ts';
import { changeStipendAmount, readStipend } from '#contract/stipends.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import type { Client, TestApp } from '#test/support/app.ts';
import { startPayingAppOfAda } from '#test/support/paying-app.ts';
import type { PaymentSystem } from '#test/support/payment-system.ts';
import { figuresOf } from '#test/support/stipend-figures.ts';
import { giveUpHandover } from './handover-tries.ts';

let receiver: PaymentSystem;
let app: TestApp;
let ada: BuiltPerson;
let admin: Client;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ app, receiver, ada, admin, close } = await startPayingAppOfAda());
  await buildAdmin(app.db, { firstName: 'Bea' });
});
afterAll(() => close());
beforeEach(() => {
  receiver.received.length = 0;
});
afterEach(() => {
  vi.restoreAllMocks();
  expect(receiver.answers).toEqual([]);
});

type Facts = Parameters<typeof buildStipend>[1];

const approved = (weekNumber: number, facts: Facts = {}) =>
  buildStipend(app.db, { weekNumber, paymentStatus: 'approved', approvedBy: ada.id, ...facts });
const send = (weekNumber: number, cohortId?: string) => admin.call(handOverWeek, { body: { weekNumber, cohortId } });
const preview = (week: number, cohort?: string) => admin.call(previewHandover, { query: { week, cohort } });
const numbersSent = () => receiver.received.map(({ headers }) => headers['webhook-id']);
const read = (id: string) => admin.call(readStipend, { params: { id } });

async function refuseNext(weekNumber: number, cohortId?: string): Promise<string> {
  receiver.answers.push({ status: 500 });
  const { handoverId } = await send(weekNumber, cohortId);
  return handoverId ?? '';
}

/** Two batches of a week that the receiver refused, the older one first. */
async function twoRefused(weekNumber: number) {
  const [first, second] = [await approved(weekNumber), await approved(weekNumber)];
  return [await refuseNext(weekNumber, first.cohortId), await refuseNext(weekNumber, second.cohortId)];
}

test('a press sends all open batches of the week, the oldest first, and counts what was sent', async () => {
  const [first, second] = await twoRefused(1);
  await approved(1);
  receiver.received.length = 0;
  const sent = await send(1);
  expect(sent).toMatchObject({ status: 'sent', recipients: 3, error: null });
  expect(numbersSent()).toEqual([first, second, sent.handoverId]);
});

test('a press for a cohort leaves the open batch of another one alone, and so does the question before it', async () => {
  const { cohortId } = await approved(2);
  const other = await approved(2);
  const open = await refuseNext(2, cohortId);
  expect(await preview(2, cohortId)).toMatchObject({ openBatches: 1, toSend: { count: 1 } });
  expect(await preview(2, other.cohortId)).toMatchObject({ openBatches: 0, toSend: { count: 1 } });
  expect(await send(2, other.cohortId)).toMatchObject({ status: 'sent', recipients: 1 });
  expect(numbersSent().filter((id) => id === open)).toHaveLength(1);
  const ofCohorts = app.db.selectFrom('stipendHandovers').select(['cohortId']).where('weekNumber', '=', 2);
  expect(await ofCohorts.orderBy('createdAt').execute()).toEqual([{ cohortId }, { cohortId: other.cohortId }]);
  expect(await send(2)).toMatchObject({ status: 'sent', recipients: 1, handoverId: open });
});

test('a batch that has no time left in a press is left to its job', async () => {
  const [first, second] = await twoRefused(3);
  receiver.received.length = 0;
  let at = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => at);
  const inTime = receiver.nextRequest().then(() => {
    at += 9_501;
  });
  expect(await send(3)).toMatchObject({ status: 'queued', handoverId: second, recipients: 1, error: null });
  await inTime;
  expect(numbersSent()).toEqual([first]);

  await refuseNext(3);
  await approved(3);
  receiver.received.length = 0;
  const justInTime = receiver.nextRequest().then(() => {
    at += 9_500;
  });
  expect(await send(3)).toMatchObject({ status: 'sent', recipients: 2 });
  await justInTime;
});

test('a batch that was given up is tried by its job again after a press, a minute later, and one that failed has its job', async () => {
  const jobs = async (handoverId: string) => {
    const found = await sql<{ seconds: number }>`
      select extract(epoch from start_after - now())::integer as seconds from pgboss.job
      where name = 'send-handover' and data ->> 'handoverId' = ${handoverId}`.execute(app.db);
    return found.rows.map(({ seconds }) => seconds > 30 && seconds <= 60);
  };
  await approved(4);
  const handoverId = await refuseNext(4);
  expect(await jobs(handoverId)).toEqual([true]);
  await refuseNext(4);
  expect(await jobs(handoverId)).toEqual([true]);
  await giveUpHandover(app.db, handoverId);
  await refuseNext(4);
  expect(await jobs(handoverId)).toEqual([true, true]);
});

test('what is seen names each row with its version, and each open batch, in an order of its own', async () => {
  const cohort = await buildCohort(app.db, { name: 'Seen' });
  const people = [];
  for (const firstName of ['Zoe', 'Ann', 'Mia']) people.push(await buildParticipant(app.db, { firstName }));
  const rows = [];
  for (const { id } of people) rows.push(await approved(5, { fellowId: id, cohortId: cohort.id }));
  const named = rows.map(({ id, version }) => `${id.slice(-12)}.${version}`).sort();
  const { toSend } = await preview(5);
  expect(toSend).toEqual({ count: 3, totalCents: 150_000, versions: named.join(',') });
  for (const seen of [
    { ...toSend, count: 2 },
    { ...toSend, totalCents: 150_001 },
    { ...toSend, versions: '' },
  ]) {
    expect((await admin.refused(handOverWeek, { body: { weekNumber: 5, seen } })).problem.code).toBe('stale');
  }
  const first = await refuseNext(5);
  const open = await preview(5);
  expect(open.toSend).toEqual({ count: 3, totalCents: 150_000, versions: `batch-${first}` });
  expect(open.cohorts).toEqual([{ name: 'Seen', count: 3, totalCents: 150_000 }]);
  await admin.call(recallHandover, { params: { id: first }, body: { reason: 'Out of order' } });
  await refuseNext(5);
  const { problem } = await admin.refused(handOverWeek, { body: { weekNumber: 5, seen: open.toSend } });
  expect(problem.detail).toContain('You saw 3 stipends of $1,500; now it is 3 stipends of $1,500.');
  expect(receiver.received).toHaveLength(2);
});

test('what belongs to the admin who sends, or waits for another admin, is left out and counted', async () => {
  const eve = await buildParticipant(app.db, { firstName: 'Eve' });
  const own = await approved(6, { fellowId: eve.id });
  const held = await approved(6);
  await admin.call(setSecondApprover, { params: { id: held.cohortId }, body: { isNeeded: true } });
  const { version } = await read(held.id);
  const more = { version, amountCents: 60_000, reason: 'Counted anew' };
  await admin.call(changeStipendAmount, { params: { id: held.id }, body: more });
  await app.db.updateTable('profiles').set({ role: 'admin', trackType: null }).where('id', '=', eve.id).execute();
  const asEve = await app.as(eve);
  const leftOut = { heldBack: 1, ofDeleted: 0, own: 1 };
  expect(await asEve.call(previewHandover, { query: { week: 6 } })).toMatchObject({ toSend: { count: 0 }, ...leftOut });
  expect(await asEve.call(handOverWeek, { body: { weekNumber: 6 } })).toMatchObject({
    status: 'nothing_to_send',
    ...leftOut,
  });
  expect(await send(6)).toMatchObject({ status: 'sent', recipients: 1, heldBack: 1, own: 0 });
  const trail = app.db.selectFrom('auditLog').select(['action', 'actorId', 'subjectType', 'before', 'after']);
  const handed = { paymentStatus: 'approved', amountCents: 50_000 };
  expect(await trail.where('subjectId', '=', own.id).execute()).toEqual([
    {
      action: 'stipend.hand_over',
      actorId: ada.id,
      subjectType: 'stipend',
      before: handed,
      after: { ...handed, handoverId: numbersSent()[0] },
    },
  ]);
});

test('a batch keeps the address, the cohort and the amount of each row as they were sent', async () => {
  const cohort = await buildCohort(app.db, { name: 'As sent' });
  const { id } = await approved(12, { cohortId: cohort.id });
  const { payee } = await read(id);
  const { handoverId } = await send(12);
  const rows = app.db.selectFrom('stipendHandoverRows').selectAll().where('stipendId', '=', id);
  expect(await rows.execute()).toMatchObject([
    {
      ...{ handoverId, participantEmail: payee?.email, cohortAssigned: 'As sent', amountCents: 50_000 },
      ...{ part: 1, isFirst: true },
    },
  ]);
});

test('what is sent again is refused with words if it is not what was seen', async () => {
  await approved(7);
  await send(7);
  const body = { weekNumber: 7, again: true, seen: { count: 1, totalCents: 50_000, versions: '' } };
  const { problem } = await admin.refused(handOverWeek, { body });
  expect(problem).toMatchObject({
    code: 'stale',
    detail:
      'Nothing was sent again, because what the payment system has, or what is owed, has changed since you looked. Please look again.',
  });
});

test('a press while the batch is being sent elsewhere says so, and sends nothing', async () => {
  await approved(8);
  const handoverId = await refuseNext(8);
  receiver.received.length = 0;
  const claimedUntil = new Date(Date.now() + 600_000);
  await app.db.updateTable('stipendHandovers').set({ claimedUntil }).where('id', '=', handoverId).execute();
  expect(await send(8)).toMatchObject({
    ...{ handoverId, status: 'busy' },
    error: 'This batch is being sent at this moment. Please look again in a minute.',
  });
  expect(receiver.received).toEqual([]);
});

test('a press that takes one batch back and sends another has sent', async () => {
  const [first, second] = await twoRefused(9);
  const handed = app.db
    .selectFrom('stipendHandoverRows')
    .select('stipendId')
    .where('handoverId', '=', first ?? '');
  const { stipendId } = await handed.executeTakeFirstOrThrow();
  const { version } = await read(stipendId);
  const less = { version, amountCents: 40_000, reason: 'Counted anew' };
  await admin.call(changeStipendAmount, { params: { id: stipendId }, body: less });
  receiver.received.length = 0;
  expect(await send(9)).toMatchObject({ handoverId: second, status: 'sent', recipients: 1, error: null });
  expect(numbersSent()).toEqual([second]);
});

test('to send all again repeats a batch that is still open, and makes no new one of what was accepted', async () => {
  await approved(10);
  await send(10);
  await approved(10);
  const open = await refuseNext(10);
  const { sentUnpaid: seen } = await figuresOf(admin, { week: 10 });
  expect(seen.count).toBe(1);
  const again = await admin.call(handOverWeek, { body: { weekNumber: 10, again: true, seen } });
  expect(again).toMatchObject({ handoverId: open, status: 'sent', recipients: 1 });
  const batches = app.db.selectFrom('stipendHandovers').select('status').where('weekNumber', '=', 10);
  expect(await batches.execute()).toEqual([{ status: 'sent' }, { status: 'sent' }]);
});

test('of two presses at once the later one finds the batch of the earlier, and makes none of its own', async () => {
  const { id } = await approved(11);
  const holding = await app.db.startTransaction().execute();
  await holding.selectFrom('stipendEligibility').select('id').where('id', '=', id).forUpdate().execute();
  receiver.answers.push({ status: 500 });
  const presses = [send(11), send(11)];
  await vi.waitFor(async () => {
    const waiting = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db);
    expect(waiting.rows.length).toBe(presses.length);
  });
  await holding.commit().execute();
  const replies = await Promise.all(presses);
  const batches = await app.db.selectFrom('stipendHandovers').select('id').where('weekNumber', '=', 11).execute();
  expect(batches).toHaveLength(1);
  expect(replies.map(({ handoverId }) => handoverId)).toEqual([batches[0]?.id, batches[0]?.id]);
});

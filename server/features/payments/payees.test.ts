import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  handOverWeek,
  markStipendPaid,
  previewHandover,
  recallHandover,
  renewStipendPayee,
} from '#contract/payments.ts';
import {
  approveStipend,
  approveWeek,
  changeStipendAmount,
  listStipends,
  processStipends,
  readStipend,
} from '#contract/stipends.ts';
import { readUser, updateUser } from '#contract/user-management.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { buildRating, buildStipend } from '#test/factories/stipends.ts';
import type { Client, TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { startPayingAppOfAda } from '#test/support/paying-app.ts';
import type { PaymentSystem } from '#test/support/payment-system.ts';
import { figuresOf } from '#test/support/stipend-figures.ts';

let receiver: PaymentSystem;
let app: TestApp;
let ada: BuiltPerson;
let admin: Client;
let close: () => Promise<void>;
let cohortId: string;
let nadia: BuiltPerson;

beforeAll(async () => {
  ({ app, receiver, ada, admin, close } = await startPayingAppOfAda());
});
afterAll(() => close());
beforeEach(async () => {
  receiver.received.length = 0;
  cohortId = (await buildCohort(app.db)).id;
  nadia = await buildParticipant(app.db, { firstName: 'Nadia', lastName: 'Ng' });
});
afterEach(() => {
  expect(receiver.answers).toEqual([]);
});

const read = (id: string) => admin.call(readStipend, { params: { id } });
const send = () => admin.call(handOverWeek, { body: { weekNumber: 1, cohortId } });
const preview = () => admin.call(previewHandover, { query: { week: 1, cohort: cohortId } });
const changeEmail = (email: string) =>
  app.db.updateTable('profiles').set({ email }).where('id', '=', nadia.id).execute();
const approved = (facts: Parameters<typeof buildStipend>[1] = {}) =>
  buildStipend(app.db, { cohortId, fellowId: nadia.id, paymentStatus: 'approved', approvedBy: ada.id, ...facts });

async function marry(): Promise<void> {
  const { version } = await admin.call(readUser, { params: { id: nadia.id } });
  await admin.call(updateUser, { params: { id: nadia.id }, body: { lastName: 'Nguyen', version } });
}

async function renew(id: string) {
  return admin.call(renewStipendPayee, { params: { id }, body: { version: (await read(id)).version } });
}

const sentTo = () =>
  receiver.received.flatMap(({ body }) =>
    (JSON.parse(body).approved_stipends as Record<string, string>[]).map((row) => [
      row.participant_name,
      row.participant_email,
    ]),
  );

/** Makes an eligible, pending stipend the way that the product computes it. */
async function computed() {
  await enrol(app.db, { cohortId, participantId: nadia.id });
  await buildRating(app.db, { fellowId: nadia.id, cohortId, weekNumber: 1 });
  await admin.call(processStipends, { body: { weekNumber: 1, cohortId } });
  const { rows } = await admin.call(listStipends, { query: { week: 1, cohort: cohortId } });
  if (!rows[0]) throw new Error('There is no stipend.');
  return rows[0];
}

test('the person who was approved is paid: a name or address that changes afterwards is not what is sent', async () => {
  const { id, version, payee } = await computed();
  expect(payee).toBeNull();
  const row = await admin.call(approveStipend, { params: { id }, body: { version } });
  expect(row.payee).toEqual({ name: 'Nadia Ng', email: nadia.email, isOutdated: false });
  await marry();
  await changeEmail('somebody@else.example');
  expect(await send()).toMatchObject({ status: 'sent', recipients: 1 });
  expect(sentTo()).toEqual([['Nadia Ng', nadia.email]]);
});

test('an approval of a whole week freezes everybody of it', async () => {
  await computed();
  const { pending } = await figuresOf(admin, { week: 1, cohort: cohortId });
  await admin.call(approveWeek, { body: { weekNumber: 1, cohortId, seen: pending } });
  await marry();
  await changeEmail('somebody-else@else.example');
  await send();
  expect(sentTo()).toEqual([['Nadia Ng', nadia.email]]);
});

test('an admin who approves saw the name and address: where one has changed since, they look again, and a first approval lapses', async () => {
  const { id, version } = await computed();
  const { pending } = await figuresOf(admin, { week: 1, cohort: cohortId });
  await app.db.updateTable('cohorts').set({ needsSecondApprover: true }).where('id', '=', cohortId).execute();
  const first = await (await app.as(await buildAdmin(app.db))).call(approveStipend, {
    params: { id },
    body: { version },
  });
  expect(first.firstApproval).not.toBeNull();
  await changeEmail('thief@else.example');
  const alone = { params: { id }, body: { version: first.version } };
  expect((await admin.refused(approveStipend, alone)).problem.code).toBe('stale');
  const week = { body: { weekNumber: 1, cohortId, seen: pending } };
  expect((await admin.refused(approveWeek, week)).problem.code).toBe('stale');
  expect(await read(id)).toMatchObject({ paymentStatus: 'pending', firstApproval: null });
});

test('a new address alone makes the approved payee outdated, and so does a new name alone', async () => {
  const { id } = await approved();
  const isOutdated = async () => (await read(id)).payee?.isOutdated;
  await changeEmail('alone@else.example');
  expect(await isOutdated()).toBe(true);
  await changeEmail(nadia.email);
  expect(await isOutdated()).toBe(false);
  await marry();
  expect(await isOutdated()).toBe(true);
});

test('the row and the question before sending name both; an admin takes the new ones over, on record', async () => {
  const { id } = await approved();
  const before = await preview();
  expect(before.outdatedPayees).toEqual({ count: 0, first: [] });
  await marry();
  await changeEmail('nadia@new.example');
  const outdated = await read(id);
  expect(outdated.payee).toEqual({ name: 'Nadia Ng', email: nadia.email, isOutdated: true });
  expect(outdated).toMatchObject({ participantName: 'Nadia Nguyen', participantEmail: 'nadia@new.example' });
  expect(outdated.can.renewPayee).toBe(true);
  const [old, now] = [
    { name: 'Nadia Ng', email: nadia.email },
    { name: 'Nadia Nguyen', email: 'nadia@new.example' },
  ];
  expect((await preview()).outdatedPayees).toEqual({ count: 1, first: [{ stipendId: id, approved: old, now }] });
  const unseen = { body: { weekNumber: 1, cohortId, seen: before.toSend } };
  expect((await admin.refused(handOverWeek, unseen)).problem.code).toBe('stale');

  const unread = { params: { id }, body: { version: outdated.version - 1 } };
  expect((await admin.refused(renewStipendPayee, unread)).problem.code).toBe('stale');
  expect((await read(id)).payee).toEqual({ ...old, isOutdated: true });
  const renewed = await renew(id);
  expect(renewed.payee).toEqual({ ...now, isOutdated: false });
  expect(renewed.can.renewPayee).toBe(false);
  expect((await admin.refused(renewStipendPayee, { params: { id }, body: renewed })).problem.code).toBe('stale');
  expect((await read(id)).history.map(({ action, actorName }) => [action, actorName])).toEqual([
    ['payee', 'Ada Admin'],
    ['approval', 'Ada Admin'],
  ]);
  const trail = app.db.selectFrom('auditLog').select(['actorId', 'subjectType', 'before', 'after']);
  expect(await trail.where('action', '=', 'stipend.renew_payee').where('subjectId', '=', nadia.id).execute()).toEqual([
    { actorId: ada.id, subjectType: 'user', before: old, after: { ...now, stipendId: id } },
  ]);
  await send();
  expect(sentTo()).toEqual([['Nadia Nguyen', 'nadia@new.example']]);
});

test('a stipend that is not approved yet has no payee to take over', async () => {
  const { id, version } = await computed();
  expect((await read(id)).can.renewPayee).toBe(false);
  const refused = await admin.refused(renewStipendPayee, { params: { id }, body: { version } });
  expect(refused.problem).toMatchObject({
    code: 'stale',
    detail: "This stipend is not approved yet, or already has the person's current name and email.",
  });
  expect(await read(id)).toMatchObject({ payee: null, version });
});

test('what was handed over keeps its payee; a recalled batch frees it, and what is tried again is named before', async () => {
  const { id } = await approved();
  receiver.answers.push({ status: 500 });
  const { handoverId } = await send();
  await marry();
  const { can, version } = await read(id);
  expect(can.renewPayee).toBe(false);
  const { problem } = await admin.refused(renewStipendPayee, { params: { id }, body: { version } });
  expect(problem.detail).toBe(
    'This stipend was sent or paid under the earlier name and email. If the payment system does not have it, recall the batch in Reconciliation first.',
  );
  expect(await preview()).toMatchObject({ openBatches: 1, outdatedPayees: { count: 1 } });
  await admin.call(recallHandover, { params: { id: handoverId ?? '' }, body: { reason: 'Married' } });
  await renew(id);
  await send();
  expect(sentTo()).toEqual([
    ['Nadia Ng', nadia.email],
    ['Nadia Nguyen', nadia.email],
  ]);
});

test('what an adjustment adds to a paid stipend can go to the new name; what is paid whole stays as it was paid', async () => {
  const { id } = await approved();
  const reference = 'CHK 1';
  await admin.call(markStipendPaid, { params: { id }, body: { version: (await read(id)).version, reference } });
  await marry();
  expect((await read(id)).can.renewPayee).toBe(false);
  const amount = { version: (await read(id)).version, amountCents: 60_000, reason: 'Counted anew' };
  await admin.call(changeStipendAmount, { params: { id }, body: amount });
  const told = await toldBy(app, async () => {
    expect((await renew(id)).payee?.name).toBe('Nadia Nguyen');
  });
  expect(told(nadia)).toContain('payments');
  await send();
  expect(sentTo()).toEqual([['Nadia Nguyen', nadia.email]]);
});

test('nobody takes over their own name, nor does an admin of the last days for somebody else', async () => {
  const { id } = await approved();
  await marry();
  const { version } = await read(id);
  const bea = await buildAdmin(app.db);
  await app.db.insertInto('adminGrants').values({ personId: bea.id, grantedBy: ada.id }).execute();
  const asNew = await (await app.as(bea)).refused(renewStipendPayee, { params: { id }, body: { version } });
  expect(asNew.problem.detail).toContain('You were made an admin less than 7 days ago.');
  await app.db.updateTable('profiles').set({ role: 'admin', trackType: null }).where('id', '=', nadia.id).execute();
  const own = await app.as(nadia);
  const refused = await own.refused(renewStipendPayee, { params: { id }, body: { version } });
  expect([refused.status, refused.problem.detail]).toEqual([
    403,
    'This is your own. Somebody else has to decide about it.',
  ]);
  const set = app.db.updateTable('stipendEligibility').set({ payeeRenewedBy: nadia.id, payeeRenewedAt: new Date() });
  await expect(set.where('id', '=', id).execute()).rejects.toThrow('nobody decides about what is their own');
});

test('the database lets nobody write another payee, change one that was handed over, or hand over another address', async () => {
  const pending = await buildStipend(app.db, { cohortId, weekNumber: 2, payeeName: 'Some', payeeEmail: 'b@ody' });
  expect([pending.payeeName, pending.payeeEmail]).toEqual([null, null]);
  const { id, payeeName } = await approved({ payeeName: 'Some Body', payeeEmail: 'some@body.example' });
  expect(payeeName).toBe('Nadia Ng');
  const set = (values: object) => app.db.updateTable('stipendEligibility').set(values).where('id', '=', id).execute();
  for (const values of [{ payeeName: 'Some Body' }, { payeeEmail: 'some@body.example' }, { payeeName: null }]) {
    await expect(set(values)).rejects.toThrow('whom a stipend pays was approved with it');
  }
  const handoverId = newId();
  const batch = { id: handoverId, weekNumber: 1, body: '{}', recipients: 1, totalCents: 50_000, createdBy: ada.id };
  await app.db.insertInto('stipendHandovers').values(batch).execute();
  const row = { handoverId, stipendId: id, amountCents: 50_000 };
  const handOver = (participantEmail: string) =>
    app.db
      .insertInto('stipendHandoverRows')
      .values({ ...row, participantEmail })
      .execute();
  await expect(handOver('some@body.example')).rejects.toThrow('a stipend is handed over for whom it was approved');
  await handOver(nadia.email);
  await marry();
  await expect(set({ payeeRenewedBy: ada.id, payeeRenewedAt: new Date() })).rejects.toThrow(
    'whom a stipend pays stays as it was handed over or paid',
  );
});

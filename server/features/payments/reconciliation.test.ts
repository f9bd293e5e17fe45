import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { handOverWeek, listReconciliation, markStipendPaid, type ReconciliationKind } from '#contract/payments.ts';
import { changeStipendAmount, readStipend } from '#contract/stipends.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import type { Client, TestApp } from '#test/support/app.ts';
import { startPayingAppOfAda } from '#test/support/paying-app.ts';
import type { PaymentSystem } from '#test/support/payment-system.ts';

let receiver: PaymentSystem;
let app: TestApp;
let ada: BuiltPerson;
let admin: Client;
let close: () => Promise<void>;
let cohortId: string;
let cohortName: string;

beforeAll(async () => {
  ({ app, receiver, ada, admin, close } = await startPayingAppOfAda());
});
afterAll(() => close());
beforeEach(async () => {
  ({ id: cohortId, name: cohortName } = await buildCohort(app.db));
});

type Facts = Parameters<typeof buildStipend>[1];

const approved = (facts: Facts = {}) =>
  buildStipend(app.db, { cohortId, paymentStatus: 'approved', approvedBy: ada.id, ...facts });
const send = () => admin.call(handOverWeek, { body: { weekNumber: 1, cohortId } });
const list = (kind: ReconciliationKind, cursor?: string) =>
  admin.call(listReconciliation, { query: { kind, cohort: cohortId, cursor } });
const idsIn = async (kind: ReconciliationKind) => (await list(kind)).rows.map(({ stipendId }) => stipendId);
const versionOf = async (id: string) => (await admin.call(readStipend, { params: { id } })).version;

async function change(id: string, amountCents: number) {
  const body = { version: await versionOf(id), amountCents, reason: 'Counted anew' };
  await admin.call(changeStipendAmount, { params: { id }, body });
}

async function mark(id: string, amountCents?: number) {
  const body = { version: await versionOf(id), reference: 'CHK 1', amountCents };
  await admin.call(markStipendPaid, { params: { id }, body });
}

test('a row says who, since when, what is owed, handed over and paid, and what became of its last batch', async () => {
  const nadia = await buildParticipant(app.db, { firstName: 'Nadia', lastName: 'Ng' });
  const approvedAt = '2025-10-08T14:00:00.000Z';
  const { id } = await approved({ fellowId: nadia.id, approvedAt });
  const row = {
    stipendId: id,
    participantName: 'Nadia Ng',
    participantEmail: nadia.email,
    cohortName,
    weekNumber: 1,
    owedCents: 50_000,
    handedCents: 0,
    paidCents: 0,
    since: approvedAt,
    handover: null,
    version: 1,
    can: { markPaid: true, recall: false },
  };
  const none = { rows: 0, cents: 0 };
  const counts = {
    approved_not_sent: none,
    sent_not_paid: none,
    paid_not_owed: none,
    paid_twice: none,
    adjusted: none,
  };
  const one = { rows: 1, cents: 50_000 };
  expect(await list('approved_not_sent')).toEqual({
    rows: [row],
    nextCursor: null,
    counts: { ...counts, approved_not_sent: one },
  });
  receiver.answers.push({ status: 500 });
  const { handoverId } = await send();
  const version = await versionOf(id);
  const failed = { id: handoverId, status: 'failed', isBeingSent: false, lastError: 'Webhook failed: 500' };
  expect((await list('approved_not_sent')).rows).toEqual([
    { ...row, version, handedCents: 50_000, handover: failed, can: { markPaid: false, recall: true } },
  ]);
  const claim = (claimedUntil: Date | null) =>
    app.db
      .updateTable('stipendHandovers')
      .set({ claimedUntil })
      .where('id', '=', handoverId ?? '')
      .execute();
  await claim(new Date(Date.now() + 600_000));
  expect((await list('approved_not_sent')).rows[0]).toMatchObject({
    handover: { ...failed, isBeingSent: true },
    can: { recall: false },
  });
  await claim(null);
  await send();
  expect(await list('sent_not_paid')).toMatchObject({
    rows: [{ stipendId: id, handover: { status: 'sent', lastError: null }, can: { recall: false } }],
    counts: { ...counts, sent_not_paid: one },
  });
});

test('each kind has its own rows, and a cohort only its own, counted with their cents', async () => {
  const elsewhere = await approved({ cohortId: (await buildCohort(app.db)).id });
  const [changed, short, whole] = [await approved(), await approved(), await approved()];
  await send();
  await change(changed.id, 60_000);
  await mark(short.id, 45_000);
  await mark(whole.id);
  expect(await idsIn('adjusted')).toEqual([changed.id]);
  expect(await idsIn('sent_not_paid')).toEqual([changed.id]);
  expect(await idsIn('paid_not_owed')).toEqual([short.id]);
  expect(await idsIn('paid_twice')).toEqual([]);
  expect((await list('adjusted')).counts).toEqual({
    approved_not_sent: { rows: 0, cents: 0 },
    sent_not_paid: { rows: 1, cents: 60_000 },
    paid_not_owed: { rows: 1, cents: 50_000 },
    paid_twice: { rows: 0, cents: 0 },
    adjusted: { rows: 1, cents: 60_000 },
  });
  const everywhere = await admin.call(listReconciliation, { query: { kind: 'approved_not_sent' } });
  expect(everywhere.rows.map(({ stipendId }) => stipendId)).toContain(elsewhere.id);
});

test('the approval that is youngest comes first, 50 rows a page, none left out and none twice', async () => {
  const people = [await buildParticipant(app.db), await buildParticipant(app.db)];
  const ids = [];
  for (let index = 0; index < 52; index += 1) {
    const { id = '' } = people[index % 2] ?? {};
    const approvedAt = new Date(Date.UTC(2025, 9, 1, 0, Math.floor(index / 4)));
    ids.push({ ...(await approved({ fellowId: id, weekNumber: 1 + Math.floor(index / 2), approvedAt })) });
  }
  const inOrder = ids
    .toSorted((one, other) => Number(other.approvedAt) - Number(one.approvedAt) || (other.id > one.id ? 1 : -1))
    .map(({ id }) => id);
  const first = await list('approved_not_sent');
  expect(first.rows.map(({ stipendId }) => stipendId)).toEqual(inOrder.slice(0, 50));
  const second = await list('approved_not_sent', first.nextCursor ?? undefined);
  expect(second.rows.map(({ stipendId }) => stipendId)).toEqual(inOrder.slice(50));
  expect(second.nextCursor).toBeNull();
  expect(second.counts.approved_not_sent).toEqual({ rows: 52, cents: 2_600_000 });
});
